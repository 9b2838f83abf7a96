import { and, eq, is, isNull, ne, SQL, type SQLWrapper, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { valueFor } from "#app/db/conditions.server.ts";
import type { NotificationDetails, NotificationKind } from "#app/db/enums.ts";
import { notifications, orders, phones, users } from "#app/db/schema.ts";

/** What the event of a notification of a review begins with, before the id of the review. */
export const reviewEventPrefix = "review ";

/** Each can be a value or an expression of the row that the notification comes from. */
interface NotificationSource {
  /** Only needed by a select of several rows. */
  id?: SQLWrapper;
  userId: string | SQLWrapper;
  subject: string | SQLWrapper;
  details?: NotificationDetails | SQL | null;
  path: string | SQLWrapper;
  /** Names the event; a user is notified of an event once. */
  event: string | SQLWrapper;
}

/**
 * The columns of a new notification, for `db.insert(notifications).select(…).onConflictDoNothing()` in the batch of the
 * event. Without an `id`, the statement must select at most one row. The email follows from the row.
 */
export function notificationValues(
  kind: NotificationKind,
  { id, userId, subject, details = null, path, event }: NotificationSource,
) {
  return {
    id: sql<string>`${id ?? timeOrderedId()}`.as("id"),
    userId: sql<string>`${userId}`.as("user_id"),
    kind: valueFor(notifications.kind, kind),
    subject: sql<string>`${subject}`.as("subject"),
    details: is(details, SQL)
      ? sql<NotificationDetails>`${details}`.as("details")
      : valueFor(notifications.details, details),
    path: sql<string>`${path}`.as("path"),
    event: sql<string>`${event}`.as("event"),
    createdAt: valueFor(notifications.createdAt, new Date()),
    readAt: valueFor(notifications.readAt, null),
    emailDoneAt: valueFor(notifications.emailDoneAt, null),
    emailOutcome: valueFor(notifications.emailOutcome, null),
  };
}

/**
 * A statement: what a user was notified of has been undone. The notification stays, read or not, and says so; its email,
 * if it still waits, is not sent.
 *
 * @param path where the notification leads from now on, if no longer to its page
 */
export function takeBackNotification(db: Db, userId: string, event: string, path?: string) {
  return takeBackNotifications(
    db,
    and(eq(notifications.userId, userId), eq(notifications.event, event)),
    path,
  );
}

/** A statement: as `takeBackNotification`, for all notifications that a condition holds for. */
export function takeBackNotifications(db: Db, condition: SQL | undefined, path?: string) {
  return db
    .update(notifications)
    .set({
      details: sql`json_set(coalesce(${notifications.details}, '{}'), '$.takenBack', json('true'))`,
      path,
      // It may come again.
      event: sql`${notifications.event} || ' taken back ' || ${notifications.id}`,
      readAt: null,
      emailDoneAt: sql`coalesce(${notifications.emailDoneAt}, ${Date.now()})`,
      emailOutcome: sql`coalesce(${notifications.emailOutcome}, 'undone')`,
    })
    .where(condition);
}

/**
 * A statement for the batch of an event of an order: notifies one side of it, unless they have left.
 *
 * @param order condition on `orders` that holds once the event has happened
 * @param event names the event
 * @param actorId who caused it, and is not notified
 * @param page the page below the order's that it leads to
 */
export function notifySide(
  db: Db,
  side: "buyer" | "seller",
  kind: NotificationKind,
  {
    order,
    event,
    actorId,
    details,
    page = "",
  }: {
    order: SQL | undefined;
    event: string;
    actorId?: string;
    details?: NotificationDetails;
    page?: "" | "/problem" | SQL;
  },
) {
  const userId = side === "buyer" ? orders.buyerId : phones.sellerId;
  const path = sql`'/manage/orders/' || ${orders.id} || ${page}`;
  return db
    .insert(notifications)
    .select(
      db
        .select(notificationValues(kind, { userId, subject: orders.productName, details, path, event }))
        .from(orders)
        .leftJoin(phones, eq(phones.id, orders.phoneId))
        .innerJoin(users, and(eq(users.id, userId), isNull(users.removalId)))
        .where(and(order, actorId === undefined ? undefined : ne(userId, actorId))),
    )
    .onConflictDoNothing();
}
