import { and, eq, gt, isNull, lt, not, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sessions, users } from "#app/db/schema.ts";
import { randomToken } from "./random-token.ts";
import type { Viewer } from "./viewer.ts";

const hour = 60 * 60 * 1000;

/** A session that nobody has used for so long has ended. */
const idleMs = 7 * 24 * hour;

/** When a session was last used; some rows are older than their column for it. */
const lastUsed = sql<number>`max(${sessions.lastSeenAt}, ${sessions.createdAt})`;

/**
 * Opens a session for an account and closes the one the browser had before, if any, so that each login has
 * an id of its own. Sessions of theirs that have run out are forgotten on the way.
 *
 * @param seconds how long the session may last at most; unused for 7 days it ends before
 * @param device what it is opened from, for its owner to recognise
 * @returns the session's id, for a signed cookie
 */
export async function openSession(
  db: Db,
  userId: string,
  { seconds, previous, device }: { seconds: number; previous?: string; device?: string },
): Promise<string> {
  const id = randomToken();
  const now = new Date();
  const expiresAt = new Date(now.getTime() + seconds * 1000);
  const opened = db
    .insert(sessions)
    .values({ id, userId, expiresAt, createdAt: now, lastSeenAt: now, device });
  const ended = and(eq(sessions.userId, userId), not(lives(now)));
  const closed = db.delete(sessions).where(or(eq(sessions.id, previous ?? id), ended));
  await db.batch([closed, opened]);
  return id;
}

/**
 * The account a session belongs to, or null when the session has ended or the account is gone. That it was used
 * is noted once an hour.
 */
export async function findViewer(db: Db, sessionId: string): Promise<Viewer | null> {
  const now = new Date();
  const [found] = await db
    .select({ id: users.id, name: users.name, email: users.email, userType: users.userType, lastUsed })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, sessionId), lives(now), isNull(users.removalId)));
  if (!found) return null;
  const { lastUsed: usedAt, ...viewer } = found;
  if (usedAt < now.getTime() - hour) {
    await db
      .update(sessions)
      .set({ lastSeenAt: now })
      .where(and(eq(sessions.id, sessionId), lt(sessions.lastSeenAt, now)));
  }
  return viewer;
}

/** Whether a session was opened, and so its owner has shown who they are, within the last so many minutes. */
export async function isFresh(db: Db, sessionId: string, minutes: number): Promise<boolean> {
  const now = new Date();
  const since = new Date(now.getTime() - minutes * 60_000);
  const fresh = and(eq(sessions.id, sessionId), gt(sessions.createdAt, since), lives(now));
  return (await db.$count(sessions, fresh)) > 0;
}

/** Holds for a session that has not ended. */
function lives(now: Date): SQL {
  return sql`(${gt(sessions.expiresAt, now)} and ${lastUsed} > ${now.getTime() - idleMs})`;
}

/** Ends a session; one that has ended already is fine. */
export async function closeSession(db: Db, sessionId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, sessionId));
}
