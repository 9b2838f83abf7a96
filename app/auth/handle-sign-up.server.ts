import type { AppLoadContext } from "@remix-run/cloudflare";
import { withHashingSlot } from "#app/features/accounts/passwords.server.ts";
import {
  createAccount,
  type NewAccount,
  recordSignUpAddress,
} from "#app/features/accounts/sign-up.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { derivedKey, keyedHash } from "#app/server/config/crypto.server.ts";
import { clientAddress } from "#app/server/http/rate-limits.server.ts";
import { sendVerificationEmail } from "./account-emails.server.ts";

export const addressTaken = "This email address is already in use.";

/**
 * Creates an account, for the pages and the API, and emails the link that verifies its address. Returns null if the
 * address is taken.
 *
 * @throws BusyError
 */
export async function handleSignUp(
  context: AppLoadContext,
  request: Request,
  newAccount: NewAccount,
): Promise<Viewer | null> {
  const create = () => createAccount(context.db, newAccount);
  const account = await withHashingSlot(clientAddress(request), create);
  if (!account) return null;
  context.inBackground(() => sendVerificationEmail(context, account));
  // Before the account can book anything.
  await recordNetworkAddress(context, request, account);
  return account;
}

/** Records the hashed network address of a new account, for its limit of reservations and the moderators' signals. */
export async function recordNetworkAddress(
  { db, secrets: [secret] }: AppLoadContext,
  request: Request,
  account: Viewer,
): Promise<void> {
  if (!secret) return;
  const key = await derivedKey(secret, "sign-up addresses");
  await recordSignUpAddress(db, account.id, await keyedHash(key, clientAddress(request)));
}
