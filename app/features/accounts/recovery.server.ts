import { and, inArray, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { oneTimeTokens, passkeys, sessions, users } from "#app/db/schema.ts";
import { hasEmail, hashPassword } from "./accounts.server.ts";
import {
  findOneTimeToken,
  issueOneTimeToken,
  oneTimeTokenHolder,
  oneTimeTokenId,
} from "./one-time-tokens.server.ts";

/**
 * Begins the recovery of the account of an address, also of one that has no password yet.
 *
 * @returns where to send which token; null when there is no such account, or it has had enough mail for now
 */
export async function beginRecovery(
  db: Db,
  address: string,
): Promise<{ email: string; token: string } | null> {
  const [account] = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(hasEmail(address));
  const token = account && (await issueOneTimeToken(db, "recovery", account.id));
  return token ? { email: account.email, token } : null;
}

/**
 * Sets a new password for the account of a recovery's token, and ends every session and one-time token of theirs, all
 * in one batch. As the token came by mail, the address is verified too. Passkeys of a time before it was verified
 * may be a stranger's, who signed up with it first: they go.
 *
 * @returns the account's address; null with a token that is used, late, replaced or unknown
 */
export async function setForgottenPassword(db: Db, token: string, password: string): Promise<string | null> {
  // Whoever makes tokens up is not worth a hash.
  if (!(await findOneTimeToken(db, "recovery", token))) return null;
  const passwordHash = await hashPassword(password);
  const holder = oneTimeTokenHolder(db, "recovery", await oneTimeTokenId(token));
  const notYetVerified = db
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, holder), isNull(users.emailVerifiedAt)));
  const [, [owner], , spent] = await db.batch([
    db.delete(passkeys).where(inArray(passkeys.userId, notYetVerified)),
    db
      .update(users)
      .set({ passwordHash, emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, ${Date.now()})` })
      .where(inArray(users.id, holder))
      .returning({ email: users.email }),
    db.delete(sessions).where(inArray(sessions.userId, holder)),
    db.delete(oneTimeTokens).where(inArray(oneTimeTokens.userId, holder)).returning({ id: oneTimeTokens.id }),
  ]);
  return spent.length > 0 && owner ? owner.email : null;
}
