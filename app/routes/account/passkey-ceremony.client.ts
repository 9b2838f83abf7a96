import { redirect } from "@remix-run/react";
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import { networkFailed } from "#app/platform/network-failure.ts";

/** What the browser calls what went wrong, in our words. @see https://www.w3.org/TR/webauthn-3/#sctn-op-make-cred */
const words: Record<string, string> = {
  InvalidStateError: "There is a passkey for your account on this device already.",
  ConstraintError: "This device cannot keep a passkey: it needs a screen lock, a fingerprint or a PIN.",
  NotSupportedError: "This device cannot keep a passkey of the kinds we know.",
  SecurityError: "Passkeys do not work at this address.",
};

/** Who changes their mind, or lets the question wait too long, knows it themselves. */
const changesOfMind = ["NotAllowedError", "AbortError"];

/** For a `clientAction`: asks the browser for a passkey to log in with, and leads on. */
export function usePasskey(request: Request): Promise<Response> {
  return hold(request, {}, (options: PublicKeyCredentialRequestOptionsJSON) =>
    startAuthentication({ optionsJSON: options }),
  );
}

/** For a `clientAction`: has the browser make a passkey, and leads on. */
export function makePasskey(request: Request): Promise<Response> {
  return hold(request, { act: "add" }, (options: PublicKeyCredentialCreationOptionsJSON) =>
    startRegistration({ optionsJSON: options }),
  );
}

/** Fetches the question, puts it to the browser, and brings the answer back, all at one address. */
async function hold<Options>(
  { url }: Request,
  fields: Record<string, string>,
  put: (options: Options) => Promise<object>,
): Promise<Response> {
  try {
    const { options } = await post<{ options: Options }>(url, fields);
    const response = JSON.stringify(await put(options));
    const { to } = await post<{ to: string }>(url, { ...fields, response });
    return redirect(to);
  } catch (fault) {
    if (fault instanceof Response) return fault;
    // The status of a failure keeps the page's loaders still.
    return Response.json({ error: wordsFor(fault) }, { status: 400 });
  }
}

/** @throws Response with our words for what went wrong */
async function post<Answer>(url: string, fields: Record<string, string>): Promise<Answer> {
  const sent = { method: "POST", body: new URLSearchParams(fields), redirect: "manual" } as const;
  const answer = await fetch(url, sent).catch(() => null);
  if (!answer) throw Response.json({ error: networkFailed }, { status: 503 });
  // A guard has something against it. The page that is open will be told so too, and shows it.
  if (answer.type === "opaqueredirect") throw redirect(location.pathname + location.search);
  if (answer.ok) return answer.json();
  const told = (await answer.json().catch(() => ({}))) as { error?: string };
  throw Response.json({ error: told.error ?? unclear }, { status: answer.status });
}

const unclear = "That did not work. Try again.";

/** Null for what needs no words. */
function wordsFor(fault: unknown): string | null {
  const name = fault instanceof Error ? fault.name : "";
  return changesOfMind.includes(name) ? null : (words[name] ?? unclear);
}
