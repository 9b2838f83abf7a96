import { and, eq, inArray, isNotNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { oneTimeTokens, users } from "#app/db/schema.ts";
import { viewerColumns } from "./accounts.server.ts";
import { oneTimeTokenId, oneTimeTokenOwner } from "./one-time-tokens.server.ts";
import type { Viewer } from "./viewer.ts";

/** Whether an account's email address is verified. */
export async function isVerified(db: Db, { id }: Viewer): Promise<boolean> {
  const verified = and(eq(users.id, id), isNotNull(users.emailVerifiedAt));
  return (await db.select({ id: users.id }).from(users).where(verified)).length > 0;
}

/** Finds the account of a token without using it up; null if the token is invalid. */
export async function findUnverifiedAccount(db: Db, token: string): Promise<Viewer | null> {
  const owner = oneTimeTokenOwner(db, "verification", await oneTimeTokenId(token));
  const [account] = await db.select(viewerColumns).from(users).where(inArray(users.id, owner));
  return account ?? null;
}

/** Verifies an account's email address; false if the token is invalid. */
export async function verifyEmail(db: Db, token: string): Promise<boolean> {
  const id = await oneTimeTokenId(token);
  const owner = oneTimeTokenOwner(db, "verification", id);
  const [, used] = await db.batch([
    db.update(users).set({ emailVerifiedAt: new Date() }).where(inArray(users.id, owner)),
    db
      .delete(oneTimeTokens)
      .where(and(eq(oneTimeTokens.id, id), inArray(oneTimeTokens.userId, owner)))
      .returning({ id: oneTimeTokens.id }),
  ]);
  return used.length > 0;
}
