import { and, eq, inArray, isNull, ne } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { oneTimeTokens, personalAccessTokens, sessions, users } from "#app/db/schema.ts";
import { randomToken } from "#app/server/config/crypto.server.ts";
import { hashPassword } from "./accounts.server.ts";
import type { Viewer } from "./viewer.ts";

/**
 * Changes a password and deletes the account's other sessions, one-time tokens and personal access tokens. Call it
 * within `withHashingSlot`.
 *
 * @param currentHash from `checkPassword`; only one of concurrent changes succeeds
 * @returns the new id of the current session; null if the password or the session has changed since
 */
export async function changePassword(
  db: Db,
  viewer: Viewer,
  { sessionId, currentHash, password }: { sessionId: string; currentHash: string; password: string },
): Promise<string | null> {
  const passwordHash = await hashPassword(password);
  const nextId = randomToken();
  const ownSession = and(eq(sessions.id, sessionId), eq(sessions.userId, viewer.id));
  // Each hash has its own salt, so only this change can have written it.
  const changed = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, viewer.id), eq(users.passwordHash, passwordHash)));
  const [, , , , rotated] = await db.batch([
    db
      .update(users)
      .set({ passwordHash })
      .where(
        and(
          eq(users.id, viewer.id),
          eq(users.passwordHash, currentHash),
          isNull(users.removalId),
          hasRow(db, sessions, ownSession),
        ),
      ),
    db.delete(oneTimeTokens).where(inArray(oneTimeTokens.userId, changed)),
    db.delete(personalAccessTokens).where(inArray(personalAccessTokens.userId, changed)),
    db.delete(sessions).where(and(inArray(sessions.userId, changed), ne(sessions.id, sessionId))),
    db
      .update(sessions)
      .set({ id: nextId })
      .where(and(ownSession, inArray(sessions.userId, changed)))
      .returning({ id: sessions.id }),
  ]);
  return rotated[0]?.id ?? null;
}
