import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { networkErrorText } from "#app/server/forms/refused-form.ts";
import { formErrorsOf, type RefusedAction } from "#app/ui/error-box.tsx";

/** Messages for the errors of browsers. @see https://www.w3.org/TR/webauthn-3/#sctn-op-make-cred */
const errorMessages: Record<string, string> = {
  InvalidStateError: "This device already has a passkey for your account.",
  ConstraintError: "This device can’t store a passkey. Set up a screen lock, a fingerprint or a PIN first.",
  NotSupportedError: "This device doesn’t support the passkeys we accept.",
  SecurityError: "Passkeys don’t work on this domain.",
};

/** The user cancelled, or did not respond in time: no message is needed. */
const cancellations = ["NotAllowedError", "AbortError"];

/** The page to go to next, or an error to show; null if the user cancelled. */
export type PasskeyOutcome = { to: string } | { error: string | null };

/** Logs in with a passkey. `search` is the query of the login page, with `redirectTo`. */
export function logInWithPasskey(search: string): Promise<PasskeyOutcome> {
  return runCeremony(
    `/login/passkey${search}`,
    {},
    async (options: PublicKeyCredentialRequestOptionsJSON) => {
      const { startAuthentication } = await loadLibrary();
      return startAuthentication({ optionsJSON: options });
    },
  );
}

/** Creates a passkey for the signed-in user. */
export function createPasskey(): Promise<PasskeyOutcome> {
  const path = "/manage/account/passkeys";
  return runCeremony(path, { intent: "add" }, async (options: PublicKeyCredentialCreationOptionsJSON) => {
    const { startRegistration } = await loadLibrary();
    return startRegistration({ optionsJSON: options });
  });
}

/** Loaded on demand, since few visitors use passkeys. The Worker's bundle leaves it out. */
function loadLibrary() {
  if (import.meta.env.SSR) throw new PasskeyError(unknownError);
  return import("@simplewebauthn/browser").catch(() => {
    throw new PasskeyError(networkErrorText);
  });
}

/** An error with a message for the user. */
class PasskeyError extends Error {}

/** Requests a challenge, has the browser sign it, and posts the response to the same path. */
async function runCeremony<Options>(
  path: string,
  fields: Record<string, string>,
  respond: (options: Options) => Promise<object>,
): Promise<PasskeyOutcome> {
  try {
    const challenge = await post<{ options: Options }>(path, fields);
    if ("to" in challenge) return challenge;
    const response = JSON.stringify(await respond(challenge.options));
    return await post<{ to: string }>(path, { ...fields, response });
  } catch (error) {
    return { error: messageFor(error) };
  }
}

/** @throws PasskeyError */
async function post<Body>(path: string, fields: Record<string, string>): Promise<Body | { to: string }> {
  const init = { method: "POST", body: new URLSearchParams(fields), redirect: "manual" } as const;
  const response = await fetch(path, init).catch(() => {
    throw new PasskeyError(networkErrorText);
  });
  // A guard redirects: reload the page, which shows the reason.
  if (response.type === "opaqueredirect") return { to: location.pathname + location.search };
  if (response.ok) return response.json();
  const [message = unknownError] = formErrorsOf(await response.json<RefusedAction>().catch(() => null));
  throw new PasskeyError(message);
}

const unknownError = "Something went wrong. Try again.";

function messageFor(error: unknown): string | null {
  if (error instanceof PasskeyError) return error.message;
  const name = error instanceof Error ? error.name : "";
  return cancellations.includes(name) ? null : (errorMessages[name] ?? unknownError);
}
