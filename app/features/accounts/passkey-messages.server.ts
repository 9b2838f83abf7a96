import { maxPasskeys } from "./passkey.rules.ts";
import type { PasskeyRefusal } from "./passkey-login.server.ts";
import type { NewPasskeyRefusal } from "./passkeys.server.ts";

const expired = "That took too long. Try again.";
const unverified = "This passkey could not be verified. Try again.";

/** Why a login with a passkey was refused: the message, and the reason in the log. */
export const passkeyLoginRefusals: Record<
  PasskeyRefusal | "invalid" | "other host",
  { message: string; logReason: string }
> = {
  expired: { message: expired, logReason: "expired" },
  unknown: {
    message: "This passkey is not registered here. Log in another way.",
    logReason: "unknown passkey",
  },
  unverified: { message: unverified, logReason: "not verified" },
  invalid: { message: unverified, logReason: "invalid response" },
  disabled: { message: "This account has been disabled.", logReason: "account removed" },
  "counter decreased": {
    message: "This passkey could not be verified. Log in another way.",
    logReason: "signature counter decreased",
  },
  "other host": {
    message: "Passkeys do not work on this domain. Log in another way.",
    logReason: "other host",
  },
};

/** Why a passkey was not added. */
export const newPasskeyRefusals: Record<NewPasskeyRefusal | "invalid" | "other host", string> = {
  expired,
  unverified,
  invalid: unverified,
  "already registered": "This passkey is already registered.",
  "limit reached": `An account can have ${maxPasskeys} passkeys. Remove one first.`,
  "other host": "Passkeys do not work on this domain.",
};
