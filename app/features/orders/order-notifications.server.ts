import { and, eq, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { notifications, orders, phones } from "#app/db/schema.ts";
import type { NotificationKind } from "#app/db/values.ts";
import { notificationValues } from "../notifications/notify.server.ts";

/**
 * A statement for the batch of an event of an order: notifies one side of it.
 *
 * @param order condition on `orders` that holds once the event has happened
 * @param event names the event
 * @param actorId who caused it, and is not notified
 */
export function notifySide(
  db: Db,
  side: "buyer" | "seller",
  kind: NotificationKind,
  {
    order,
    event,
    actorId,
    subject = orders.productName,
  }: { order: SQL | undefined; event: string; actorId?: string; subject?: SQLWrapper },
) {
  const userId = side === "buyer" ? orders.buyerId : phones.sellerId;
  const path = sql`'/manage/orders/' || ${orders.id}`;
  return db
    .insert(notifications)
    .select(
      db
        .select(notificationValues(kind, { userId, subject, path, event }))
        .from(orders)
        .innerJoin(phones, eq(phones.id, orders.phoneId))
        .where(and(order, actorId === undefined ? undefined : ne(userId, actorId))),
    )
    .onConflictDoNothing();
}
