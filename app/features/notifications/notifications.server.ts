import { and, eq, inArray, isNotNull, isNull, lt, ne, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { type Cursor, keysetPage } from "#app/db/cursor.ts";
import type { OrderSide } from "#app/db/enums.ts";
import { keyset } from "#app/db/keyset.server.ts";
import { notifications, reviews, sessions, users } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { otherSideName, type Viewer } from "../accounts/viewer.ts";
import { reviewEventPrefix } from "../audit/notify.server.ts";
import { notificationLine } from "./notification-subjects.server.ts";

const pageSize = 25;

/** Unread notifications are counted up to this number. */
const maxCount = 100;

/** A notification as its user sees it. */
export type Notification = Awaited<ReturnType<typeof selectNotifications>>[number];

/** A page of the viewer's notifications, newest first. */
export async function listNotifications(db: Db, viewer: Viewer, cursor: Cursor) {
  // One more than a page, to know whether there is another page.
  const rows = await selectNotifications(db, viewer, cursor, pageSize + 1);
  return keysetPage(rows, cursor, pageSize, (row) => row.id);
}

/** A column of `notifications`: the name of who wrote the review that it is about; null if there is none or they have left. */
export function reviewAuthor(db: Db) {
  const author = db
    .select({ json: sql`json_object('name', ${users.name}, 'role', ${reviews.authorRole})` })
    .from(reviews)
    .innerJoin(users, and(eq(users.id, reviews.authorId), isNull(users.removalId)))
    .where(
      and(
        eq(notifications.kind, "review"),
        // Not `event = 'review ' || id`, which cannot use the key of `reviews`.
        eq(reviews.id, sql`substr(${notifications.event}, ${reviewEventPrefix.length + 1})`),
      ),
    );
  return sql<string | null>`${author}`
    .mapWith((text: string) => {
      const { name, role } = JSON.parse(text) as { name: string; role: OrderSide };
      return otherSideName(name, role === "seller");
    })
    .as("author");
}

/** Selects the viewer's notifications, newest first. */
export async function selectNotifications(db: Db, viewer: Viewer, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(notifications.id, cursor);
  const rows = await db
    .select({
      id: notifications.id,
      kind: notifications.kind,
      subject: notifications.subject,
      details: notifications.details,
      path: notifications.path,
      createdAt: notifications.createdAt,
      isRead: isNotNull(notifications.readAt).mapWith(Boolean),
      author: reviewAuthor(db),
    })
    .from(notifications)
    .where(and(eq(notifications.userId, viewer.id), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
  return rows.map(({ subject, details, author, ...row }) => ({
    ...row,
    text: notificationLine(row.kind, subject, details, author),
  }));
}

/** Counts the viewer's unread notifications, up to 100. @param shownPath the page that is being opened: its own count as read */
export async function countUnreadNotifications(db: Db, viewer: Viewer, shownPath = ""): Promise<number> {
  const unread = await db
    .select({ one: sql`1` })
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, viewer.id),
        isNull(notifications.readAt),
        ne(notifications.path, shownPath),
      ),
    )
    .limit(maxCount);
  return unread.length;
}

/** Where a notification leads; null if the viewer has no such notification. */
export async function findNotificationPath(db: Db, viewer: Viewer, id: string): Promise<string | null> {
  const [found] = await db
    .select({ path: notifications.path })
    .from(notifications)
    .where(and(eq(notifications.userId, viewer.id), eq(notifications.id, id)));
  return found?.path ?? null;
}

/** Marks the viewer's notifications that lead to a page as read. Writes only if there are any. */
export async function markPathAsRead(db: Db, viewer: Viewer, path: string): Promise<void> {
  const unread = await selectUnread(db, viewer.id, path);
  if (unread.length > 0) await markNotificationsAsRead(db, viewer, unread);
}

/** The ids of the unread notifications that lead to a page. Does not check that the session is valid. */
export function findUnread(db: Db, sessionId: string, path: string): Promise<string[]> {
  const userId = db.select({ id: sessions.userId }).from(sessions).where(eq(sessions.id, sessionId));
  return selectUnread(db, sql`(${userId})`, path);
}

/** One page's worth, since a statement has at most 100 parameters. */
async function selectUnread(db: Db, userId: string | SQL, path: string): Promise<string[]> {
  const { id, readAt } = notifications;
  const rows = await db
    .select({ id })
    .from(notifications)
    .where(and(eq(notifications.userId, userId), eq(notifications.path, path), isNull(readAt)))
    .limit(pageSize);
  return rows.map((row) => row.id);
}

/** How long a notification stays after it was read. */
const retentionDays = 180;

/** Deletes notifications that were read long ago, at most `limit`. */
export async function deleteOldNotifications(db: Db, limit: number, now = new Date()): Promise<void> {
  const old = db
    .select({ id: notifications.id })
    .from(notifications)
    .where(lt(notifications.readAt, new Date(now.getTime() - retentionDays * dayMs)))
    .limit(limit);
  await db.delete(notifications).where(inArray(notifications.id, old));
}

/** Marks the viewer's notifications as read, all or those named. @returns how many were unread */
export async function markNotificationsAsRead(db: Db, viewer: Viewer, ids?: string[]): Promise<number> {
  const marked = await db
    .update(notifications)
    .set({ readAt: new Date() })
    .where(
      and(
        eq(notifications.userId, viewer.id),
        isNull(notifications.readAt),
        ids && inArray(notifications.id, ids),
      ),
    )
    .returning({ id: notifications.id });
  return marked.length;
}
