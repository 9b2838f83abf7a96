import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { networkErrorText } from "#app/server/forms/refused-form.ts";

/** What the browser calls what went wrong, in our words. @see https://www.w3.org/TR/webauthn-3/#sctn-op-make-cred */
const words: Record<string, string> = {
  InvalidStateError: "There is a passkey for your account on this device already.",
  ConstraintError: "This device cannot keep a passkey: it needs a screen lock, a fingerprint or a PIN.",
  NotSupportedError: "This device cannot keep a passkey of the kinds we know.",
  SecurityError: "Passkeys do not work at this address.",
};

/** Who changes their mind, or lets the question wait too long, knows it themselves. */
const changesOfMind = ["NotAllowedError", "AbortError"];

/** Where the page goes from here, or what it says; null for what needs no words. */
type Outcome = { to: string } | { error: string | null };

/**
 * Asks the browser for a passkey to log in with.
 *
 * @param search of the login page, which says where the visitor was going
 */
export function usePasskey(search: string): Promise<Outcome> {
  return hold(`/login/passkey${search}`, {}, async (options: PublicKeyCredentialRequestOptionsJSON) => {
    const { startAuthentication } = await loadLibrary();
    return startAuthentication({ optionsJSON: options });
  });
}

/** Has the browser make a passkey for the signed-in visitor. */
export function makePasskey(): Promise<Outcome> {
  const path = "/manage/account/passkeys";
  return hold(path, { intent: "add" }, async (options: PublicKeyCredentialCreationOptionsJSON) => {
    const { startRegistration } = await loadLibrary();
    return startRegistration({ optionsJSON: options });
  });
}

/** Few visitors use a passkey, so the library comes when one does; the Worker's bundle never carries it. */
function loadLibrary() {
  if (import.meta.env.SSR) throw new Failure(unclear);
  return import("@simplewebauthn/browser").catch(() => {
    throw new Failure(networkErrorText);
  });
}

/** What is said of a failure is its message. */
class Failure extends Error {}

/** Fetches the question, puts it to the browser, and brings the answer back, all at one address. */
async function hold<Options>(
  path: string,
  fields: Record<string, string>,
  put: (options: Options) => Promise<object>,
): Promise<Outcome> {
  try {
    const asked = await post<{ options: Options }>(path, fields);
    if ("to" in asked) return asked;
    const response = JSON.stringify(await put(asked.options));
    return await post<{ to: string }>(path, { ...fields, response });
  } catch (fault) {
    return { error: wordsFor(fault) };
  }
}

/** @throws Failure */
async function post<Answer>(path: string, fields: Record<string, string>): Promise<Answer | { to: string }> {
  const sent = { method: "POST", body: new URLSearchParams(fields), redirect: "manual" } as const;
  const answer = await fetch(path, sent).catch(() => {
    throw new Failure(networkErrorText);
  });
  // A guard has something against it, and tells the page when that is opened anew.
  if (answer.type === "opaqueredirect") return { to: location.pathname + location.search };
  if (answer.ok) return answer.json();
  const told = (await answer.json().catch(() => ({}))) as { error?: string };
  throw new Failure(told.error ?? unclear);
}

const unclear = "That did not work. Try again.";

function wordsFor(fault: unknown): string | null {
  if (fault instanceof Failure) return fault.message;
  const name = fault instanceof Error ? fault.name : "";
  return changesOfMind.includes(name) ? null : (words[name] ?? unclear);
}
