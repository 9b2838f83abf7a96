import type { AppLoadContext } from "@remix-run/cloudflare";
import { withHashingSlot } from "#app/features/accounts/passwords.server.ts";
import { createAccount, type NewAccount } from "#app/features/accounts/sign-up.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { derivedKey, keyedHash } from "#app/server/config/crypto.server.ts";
import { clientAddress } from "#app/server/http/rate-limits.server.ts";
import { sendVerificationEmail } from "./account-emails.server.ts";
import { newSession } from "./start-session.server.ts";

/**
 * Creates an account with a session, for the pages and the API, and emails the link that verifies its address. Returns
 * null if the address is taken.
 *
 * @throws HashingBusyError
 */
export async function handleSignUp(
  context: AppLoadContext,
  request: Request,
  newAccount: NewAccount,
): Promise<{ viewer: Viewer; sessionId: string } | null> {
  const session = await newSession(context, request);
  const addressHash = await signUpAddressHash(context, request);
  const create = () => createAccount(context.db, newAccount, { addressHash, session });
  const viewer = await withHashingSlot(clientAddress(request), create);
  if (!viewer) return null;
  context.inBackground(() => sendVerificationEmail(context, viewer));
  return { viewer, sessionId: session.id };
}

/** The hashed network address of who makes an account, see `recordingSignUpAddress`. */
export async function signUpAddressHash(
  { secrets: [secret] }: AppLoadContext,
  request: Request,
): Promise<string | null> {
  return secret ? keyedHash(await derivedKey(secret, "sign-up addresses"), clientAddress(request)) : null;
}
