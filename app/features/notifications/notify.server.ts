import { type SQLWrapper, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { notifications } from "#app/db/schema.ts";
import type { NotificationKind } from "#app/db/values.ts";

/** Each can be a value or an expression of the row that the notification comes from. */
interface NotificationSource {
  /** Only needed by a select of several rows. */
  id?: SQLWrapper;
  userId: string | SQLWrapper;
  subject: string | SQLWrapper;
  path: string | SQLWrapper;
  /** Names the event; a user is notified of an event once. */
  event: string | SQLWrapper;
}

const notifying = new WeakSet<Db>();

/**
 * Begins a statement `insertNotifications(db).select(…).onConflictDoNothing()` in the batch of an event, with the
 * condition of the event itself. Emails may be due after it.
 */
export function insertNotifications(db: Db) {
  notifying.add(db);
  return db.insert(notifications);
}

/** Whether notifications may have been inserted through this database handle. */
export function mayHaveNotified(db: Db): boolean {
  return notifying.has(db);
}

/** The columns of a new notification. Without an `id`, the statement must select at most one row. */
export function notificationValues(
  kind: NotificationKind,
  { id, userId, subject, path, event }: NotificationSource,
) {
  return {
    id: sql<string>`${id ?? timeOrderedId()}`.as("id"),
    userId: sql<string>`${userId}`.as("user_id"),
    kind: sql<NotificationKind>`${kind}`.as("kind"),
    subject: sql<string>`${subject}`.as("subject"),
    path: sql<string>`${path}`.as("path"),
    event: sql<string>`${event}`.as("event"),
    createdAt: sql<Date>`${Date.now()}`.as("created_at"),
    readAt: sql<Date | null>`null`.as("read_at"),
    emailQueuedAt: sql<Date | null>`null`.as("email_queued_at"),
  };
}
