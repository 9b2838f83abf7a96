import { and, inArray, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { oneTimeTokens, passkeys, personalAccessTokens, sessions, users } from "#app/db/schema.ts";
import { hasEmail, hashPassword } from "./accounts.server.ts";
import {
  findOneTimeToken,
  issueOneTimeToken,
  oneTimeTokenId,
  oneTimeTokenOwner,
} from "./one-time-tokens.server.ts";

/** Issues the token for a new password; null if there is no such account or it is over the limit. */
export async function beginRecovery(db: Db, email: string): Promise<{ email: string; token: string } | null> {
  const [account] = await db.select({ id: users.id, email: users.email }).from(users).where(hasEmail(email));
  const token = account && (await issueOneTimeToken(db, "recovery", account.id));
  return token ? { email: account.email, token } : null;
}

/**
 * Sets a new password, verifies the email address, and deletes sessions and tokens of all kinds. Passkeys are deleted too if the
 * address was not verified before, since someone else may have signed up with it. Returns null for an invalid token. Call it within
 * `withHashingSlot`.
 */
export async function resetPassword(db: Db, token: string, password: string): Promise<string | null> {
  // Do not spend time on a hash for an invalid token.
  if (!(await findOneTimeToken(db, "recovery", token))) return null;
  const passwordHash = await hashPassword(password);
  const owner = oneTimeTokenOwner(db, "recovery", await oneTimeTokenId(token));
  const unverified = db
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, owner), isNull(users.emailVerifiedAt)));
  const [, [account], , , used] = await db.batch([
    db.delete(passkeys).where(inArray(passkeys.userId, unverified)),
    db
      .update(users)
      .set({ passwordHash, emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, ${Date.now()})` })
      .where(inArray(users.id, owner))
      .returning({ email: users.email }),
    db.delete(sessions).where(inArray(sessions.userId, owner)),
    db.delete(personalAccessTokens).where(inArray(personalAccessTokens.userId, owner)),
    db.delete(oneTimeTokens).where(inArray(oneTimeTokens.userId, owner)).returning({ id: oneTimeTokens.id }),
  ]);
  return used.length > 0 && account ? account.email : null;
}
