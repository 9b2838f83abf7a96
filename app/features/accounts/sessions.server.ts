import { and, count, desc, eq, gt, isNull, lt, ne, not, or, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { logins, sessions, users } from "#app/db/schema.ts";
import { randomToken, sha256Hex } from "#app/server/config/crypto.server.ts";
import { dayMs } from "#app/time.ts";
import { nextSessionVersion, viewerColumns } from "./accounts.server.ts";
import type { Viewer } from "./viewer.ts";

const hour = 60 * 60 * 1000;

/** A session ends when it was not used for so long. */
const idleMs = 7 * 24 * hour;

/** `last_seen_at` is 0 in rows created before this column existed. */
const lastUsed = sql<number>`max(${sessions.lastSeenAt}, ${sessions.createdAt})`;

/** A signed-in user and their session. */
export interface SignedIn {
  viewer: Viewer;
  sessionId: string;
}

/** What a new session is, besides its account's. */
export interface NewSession {
  /** For a signed cookie; by default a new one. */
  id?: string;
  /** The maximum lifetime; the session ends earlier after 7 days without use. */
  seconds: number;
  /** The browser's session until now. */
  previous?: string;
  /** The browser's name, shown to the account's owner. */
  device?: string;
}

/** The account was removed, or its password changed, while somebody logged in. */
export class AccountChangedError extends Error {}

/**
 * Opens a session and closes the browser's previous one, so that each login has a new id.
 *
 * @param account as read when the login began: a removal, or the end of all sessions, since then refuses the login
 * @returns the session id
 * @throws AccountChangedError
 */
export async function openSession(
  db: Db,
  { id: userId, sessionVersion }: Pick<Viewer, "id" | "sessionVersion">,
  { id = randomToken(), ...session }: NewSession,
): Promise<string> {
  const account = and(
    eq(users.id, userId),
    isNull(users.removalId),
    eq(users.sessionVersion, sessionVersion),
  );
  const refusal = await batchUnless(
    db,
    { changed: hasRow(db, users, account) },
    openingSession(db, userId, { id, ...session }),
  );
  if (refusal) throw new AccountChangedError();
  return id;
}

/** The statements that open a session of an account and close the browser's previous one. */
export function openingSession(
  db: Db,
  userId: string,
  { id = randomToken(), seconds, previous, device = "Unknown device" }: NewSession,
): BatchItem<"sqlite">[] {
  const now = new Date();
  const expiresAt = new Date(now.getTime() + seconds * 1000);
  const replaced = previous === undefined ? undefined : eq(sessions.id, previous);
  const ended = and(eq(sessions.userId, userId), not(isNotExpired(now)));
  return [
    db.insert(sessions).values({ id, userId, createdAt: now, expiresAt, lastSeenAt: now, device }),
    db.delete(sessions).where(or(replaced, ended)),
    db
      .insert(logins)
      .values({ userId, day: Math.trunc(now.getTime() / dayMs) })
      .onConflictDoNothing(),
    noteLastSeen(db, now, eq(users.id, userId)),
  ];
}

/** Finds the account of an open session, and updates the time of last use once an hour. */
export async function findViewer(db: Db, sessionId: string): Promise<Viewer | null> {
  const now = new Date();
  const [found] = await db
    .select({ viewer: viewerColumns, lastUsed })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(isActiveSession(sessionId, now), isNull(users.removalId)));
  if (!found) return null;
  if (found.lastUsed < now.getTime() - hour) {
    await db.batch([
      db
        .update(sessions)
        .set({ lastSeenAt: now })
        .where(and(eq(sessions.id, sessionId), lt(sessions.lastSeenAt, now))),
      noteLastSeen(db, now, eq(users.id, found.viewer.id)),
    ]);
  }
  return found.viewer;
}

/** A statement that writes once a day: the last day on which an account was used. */
function noteLastSeen(db: Db, now: Date, account: SQL | undefined) {
  const lastSeenDay = Math.floor(now.getTime() / dayMs);
  return db
    .update(users)
    .set({ lastSeenDay })
    .where(and(account, or(isNull(users.lastSeenDay), lt(users.lastSeenDay, lastSeenDay))));
}

/** Whether a session was opened by a login within the last minutes. */
export async function isRecentLogin(db: Db, sessionId: string, minutes: number): Promise<boolean> {
  const now = new Date();
  const since = new Date(now.getTime() - minutes * 60_000);
  const fresh = and(eq(sessions.id, sessionId), gt(sessions.createdAt, since), isNotExpired(now));
  return (await db.$count(sessions, fresh)) > 0;
}

/** Whether a session has ended, or never existed. */
export async function hasSessionEnded(db: Db, sessionId: string): Promise<boolean> {
  return (await db.$count(sessions, isActiveSession(sessionId, new Date()))) === 0;
}

/** Condition on `sessions`: this session, if it has not ended. */
function isActiveSession(sessionId: string, now: Date) {
  return and(eq(sessions.id, sessionId), isNotExpired(now));
}

/** Condition on `sessions`: the session has not ended. */
function isNotExpired(now: Date): SQL {
  const idleSince = now.getTime() - idleMs;
  return sql`(${sessions.expiresAt} > ${now.getTime()} and ${lastUsed} > ${idleSince})`;
}

export async function closeSession(db: Db, sessionId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, sessionId));
}

const maxListed = 100;

/** A session as shown to its owner. Its id stays secret. */
export interface OpenSession {
  /** SHA-256 of the session id. */
  idHash: string;
  device: string;
  since: Date;
  /** To the hour. */
  lastSeen: Date;
  isCurrent: boolean;
}

/** Lists up to 100 open sessions, the current one first, then by last use, and counts all. */
export async function listSessions(
  db: Db,
  viewer: Pick<Viewer, "id">,
  currentId: string,
): Promise<{ sessions: OpenSession[]; count: number }> {
  const own = and(eq(sessions.userId, viewer.id), isNotExpired(new Date()));
  const [rows, [all]] = await db.batch([
    db
      .select({ id: sessions.id, device: sessions.device, since: sessions.createdAt, lastUsed })
      .from(sessions)
      .where(own)
      .orderBy(desc(eq(sessions.id, currentId)), desc(lastUsed), sessions.id)
      .limit(maxListed),
    db.select({ count: count() }).from(sessions).where(own),
  ]);
  const listed = rows.map(async ({ id, lastUsed: usedAt, ...seen }) => ({
    ...seen,
    idHash: await sha256Hex(id),
    lastSeen: new Date(usedAt),
    isCurrent: id === currentId,
  }));
  return { sessions: await Promise.all(listed), count: all?.count ?? 0 };
}

/** Whether this is the hash of the session id. */
export async function isHashOf(idHash: string, sessionId: string): Promise<boolean> {
  return idHash === (await sha256Hex(sessionId));
}

/** Ends a session of the account by the hash of its id; false if there is none. */
export async function closeOwnSession(db: Db, viewer: Viewer, idHash: string): Promise<boolean> {
  const own = await db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, viewer.id));
  const hashes = await Promise.all(own.map(({ id }) => sha256Hex(id)));
  const id = own[hashes.indexOf(idHash)]?.id;
  if (!id) return false;
  const closed = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, viewer.id)))
    .returning({ id: sessions.id });
  return closed.length > 0;
}

export async function closeOtherSessions(db: Db, viewer: Viewer, currentId: string): Promise<void> {
  await db.batch([
    db.update(users).set(nextSessionVersion).where(eq(users.id, viewer.id)),
    db.delete(sessions).where(and(eq(sessions.userId, viewer.id), ne(sessions.id, currentId))),
  ]);
}
