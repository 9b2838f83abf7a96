import { and, asc, eq, isNotNull, lte } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { bookings } from "#app/db/schema.ts";
import { system } from "../accounts/viewer.ts";
import { notifySide } from "./order-notifications.server.ts";
import { isOverdue, receive } from "./order-steps.server.ts";
import { cancelOrder } from "./orders.server.ts";

/** Orders of one run; the next run continues. */
const maxOrders = 1000;

/** Cancels reservations that were not handed over in time, and completes orders that nobody confirmed in time. */
export async function endOverdueOrders(db: Db, limit = maxOrders): Promise<void> {
  const overdue = await db
    .select({ id: bookings.id, stage: bookings.stage })
    .from(bookings)
    .where(isOverdue())
    .orderBy(asc(bookings.deadlineAt))
    .limit(limit);
  for (const { id, stage } of overdue) {
    if (stage === "reserved") await cancelOrder(db, system, id);
    else await receive(db, system, id);
  }
}

/** Reminds sellers to hand over, and buyers to confirm. Each order has one reminder for each stage. */
export async function remindOfDeadlines(db: Db, limit = maxOrders, now = new Date()): Promise<void> {
  const isDue = and(eq(bookings.status, "active"), lte(bookings.reminderAt, now));
  const due = await db
    .select({ id: bookings.id, stage: bookings.stage, reminderAt: bookings.reminderAt })
    .from(bookings)
    .where(isDue)
    .orderBy(asc(bookings.reminderAt))
    .limit(limit);
  for (const { id, stage, reminderAt } of due) {
    const order = and(eq(bookings.id, id), eq(bookings.stage, stage), isDue, isNotNull(bookings.deadlineAt));
    const event = `reminder ${stage} ${id} ${reminderAt?.getTime()}`;
    await db.batch([
      stage === "reserved"
        ? notifySide(db, "seller", "hand over reminder", { order, event })
        : notifySide(db, "buyer", "receive reminder", { order, event }),
      db.update(bookings).set({ reminderAt: null }).where(order),
    ]);
  }
}
