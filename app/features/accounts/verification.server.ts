import { and, eq, inArray, isNotNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { oneTimeTokens, users } from "#app/db/schema.ts";
import { issueOneTimeToken, oneTimeTokenHolder, oneTimeTokenId } from "./one-time-tokens.server.ts";
import type { Viewer } from "./viewer.ts";

/**
 * Begins to verify the address of an account.
 *
 * @returns the token to send there; "verified" when there is nothing to do, "enough" when several have been
 * sent of late, of which the newest still works
 */
export async function beginVerification(
  db: Db,
  viewer: Viewer,
): Promise<{ token: string } | "verified" | "enough"> {
  if (await isVerified(db, viewer)) return "verified";
  const token = await issueOneTimeToken(db, "verification", viewer.id);
  return token ? { token } : "enough";
}

/** Whether the owner of an account has shown that mail to its address reaches them. */
export async function isVerified(db: Db, { id }: Viewer): Promise<boolean> {
  const verified = and(eq(users.id, id), isNotNull(users.emailVerifiedAt));
  return (await db.select({ id: users.id }).from(users).where(verified)).length > 0;
}

/**
 * Marks the address that a verification's token was sent to as verified.
 *
 * @returns whether it was done; not with a token that is used, late, replaced or unknown, nor when the account
 * is gone or has another address by now
 */
export async function verifyAddress(db: Db, token: string): Promise<boolean> {
  const id = await oneTimeTokenId(token);
  const holder = oneTimeTokenHolder(db, "verification", id);
  const [, spent] = await db.batch([
    db.update(users).set({ emailVerifiedAt: new Date() }).where(inArray(users.id, holder)),
    db
      .delete(oneTimeTokens)
      .where(and(eq(oneTimeTokens.id, id), inArray(oneTimeTokens.userId, holder)))
      .returning({ id: oneTimeTokens.id }),
  ]);
  return spent.length > 0;
}
