import type { AppLoadContext } from "@remix-run/cloudflare";
import { recordSignUpAddress } from "#app/features/accounts/sign-up-addresses.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { derivedKey, keyedHash } from "#app/server/config/secrets.server.ts";
import { clientAddress } from "#app/server/http/rate-limits.server.ts";

/** Records the hashed network address of a new account, for the moderators' signals. */
export async function recordSignUp(
  { db, secrets: [secret] }: AppLoadContext,
  request: Request,
  account: Viewer,
): Promise<void> {
  if (!secret) return;
  const key = await derivedKey(secret, "sign-up addresses");
  await recordSignUpAddress(db, account.id, await keyedHash(key, clientAddress(request)));
}
