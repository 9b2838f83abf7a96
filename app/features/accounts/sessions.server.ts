import { and, eq, gt, isNull, lt, or } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sessions, users } from "#app/db/schema.ts";
import { randomToken } from "./random-token.ts";
import type { Viewer } from "./viewer.ts";

/**
 * Opens a session for an account and closes the one the browser had before, if any, so that each login has
 * an id of its own. Sessions of theirs that have run out are forgotten on the way.
 *
 * @param seconds how long the session may last
 * @returns the session's id, for a signed cookie
 */
export async function openSession(
  db: Db,
  userId: string,
  { seconds, previous }: { seconds: number; previous?: string },
): Promise<string> {
  const id = randomToken();
  const opened = db.insert(sessions).values({ id, userId, expiresAt: new Date(Date.now() + seconds * 1000) });
  const ended = and(eq(sessions.userId, userId), lt(sessions.expiresAt, new Date()));
  const closed = db.delete(sessions).where(or(eq(sessions.id, previous ?? id), ended));
  await db.batch([closed, opened]);
  return id;
}

/** The account a session belongs to, or null when the session has ended or the account is gone. */
export async function findViewer(db: Db, sessionId: string): Promise<Viewer | null> {
  const [viewer] = await db
    .select({ id: users.id, name: users.name, email: users.email, userType: users.userType })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, sessionId), gt(sessions.expiresAt, new Date()), isNull(users.removalId)));
  return viewer ?? null;
}

/** Ends a session; one that has ended already is fine. */
export async function closeSession(db: Db, sessionId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, sessionId));
}
