import { and, eq, exists, inArray, isNull, ne, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sessions, tickets, users } from "#app/db/schema.ts";
import { randomToken } from "#app/platform/crypto.server.ts";
import { hashPassword } from "./accounts.server.ts";
import type { Viewer } from "./viewer.ts";

/**
 * Gives an account a new password in place of one that has just been checked, and ends what the old one has
 * opened, all in one batch: every other session and every ticket. The session that asks goes on under another id.
 *
 * @param currentHash what `checkPassword` has found: of several changes at once, one finds it still there
 * @returns the session's new id; null when nothing was changed, as the password or the session has ended meanwhile
 */
export async function changePassword(
  db: Db,
  viewer: Viewer,
  { sessionId, currentHash, password }: { sessionId: string; currentHash: string; password: string },
): Promise<string | null> {
  const passwordHash = await hashPassword(password);
  const nextId = randomToken();
  const ownSession = and(eq(sessions.id, sessionId), eq(sessions.userId, viewer.id));
  // Each hash has a salt of its own, so it stands there by this change alone.
  const changed = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, viewer.id), eq(users.passwordHash, passwordHash)));
  const [, , , rotated] = await db.batch([
    db
      .update(users)
      .set({ passwordHash })
      .where(
        and(
          eq(users.id, viewer.id),
          eq(users.passwordHash, currentHash),
          isNull(users.removalId),
          exists(db.select({ one: sql`1` }).from(sessions).where(ownSession)),
        ),
      ),
    db.delete(tickets).where(inArray(tickets.userId, changed)),
    db.delete(sessions).where(and(inArray(sessions.userId, changed), ne(sessions.id, sessionId))),
    db
      .update(sessions)
      .set({ id: nextId })
      .where(and(ownSession, inArray(sessions.userId, changed)))
      .returning({ id: sessions.id }),
  ]);
  return rotated[0]?.id ?? null;
}
