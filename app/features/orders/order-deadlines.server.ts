import { and, asc, eq, inArray, isNotNull, isNull, lte, not, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { decisions, orders, payments, phones, removals, users } from "#app/db/schema.ts";
import { system } from "../accounts/viewer.ts";
import { notifySide } from "../audit/notify.server.ts";
import { hasOpenProblem } from "../audit/order-windows.server.ts";
import {
  cancelOrder,
  hasSideLeft,
  hasSuspendedBuyer,
  isBuyerSuspensionFinal,
  isOverdue,
  isSuspendedTooLong,
  recordReceipt,
} from "./order-steps.server.ts";

/** Orders of one run; the next run continues. */
const maxOrders = 1000;

/**
 * Cancels reservations that were not handed over in time, or whose side has left or is suspended, and completes orders that nobody
 * confirmed in time.
 */
export async function endOverdueOrders(db: Db): Promise<void> {
  const overdue = await db
    .select({ id: orders.id, stage: orders.stage })
    .from(orders)
    .where(isOverdue())
    .orderBy(asc(orders.deadlineAt))
    .limit(maxOrders);
  for (const { id, stage } of [
    ...overdue,
    ...(await selectUnpaid(db)),
    ...(await selectAbandoned(db)),
    ...(await selectWaiting(db)),
  ]) {
    if (stage === "reserved") await cancelOrder(db, system, id);
    else await recordReceipt(db, system, id);
  }
  await endReservations(db);
}

/** Ends the reservations of buyers whose suspension can no longer be undone, unless a problem holds them. */
async function endReservations(db: Db): Promise<void> {
  const suspended = db
    .select({ id: decisions.ownerId })
    .from(decisions)
    .where(and(eq(decisions.kind, "suspend"), isNull(decisions.endedAt)));
  const reserved = await db
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        inArray(orders.buyerId, suspended),
        eq(orders.status, "active"),
        eq(orders.stage, "reserved"),
        isBuyerSuspensionFinal(db),
        not(hasOpenProblem(db)),
      ),
    )
    .limit(maxOrders);
  for (const { id } of reserved) await cancelOrder(db, system, id);
}

/** Selects the protected orders that were not paid in time. What holds an order does not give its buyer more. */
function selectUnpaid(db: Db) {
  return db
    .select({ id: orders.id, stage: orders.stage })
    .from(payments)
    .innerJoin(orders, and(eq(orders.id, payments.orderId), eq(orders.status, "active")))
    .where(
      and(
        isNull(payments.settledAt),
        isNull(payments.paidAt),
        lte(payments.payBy, new Date()),
        isNotNull(orders.heldSince),
      ),
    )
    .limit(maxOrders);
}

/** Selects orders by the removed accounts, which are few: by `hasSideLeft` alone it would read all reserved orders. */
function selectAbandoned(db: Db) {
  const removed = db
    .select({ id: removals.targetId })
    .from(removals)
    .where(and(eq(removals.kind, "user"), isNull(removals.undoneAt)));
  const reserved = db
    .select({ id: phones.id })
    .from(phones)
    .where(and(inArray(phones.sellerId, removed), eq(phones.status, "reserved")));
  const isActive = eq(orders.status, "active");
  return db
    .select({ id: orders.id, stage: orders.stage })
    .from(orders)
    .where(
      and(
        or(inArray(orders.buyerId, removed), and(inArray(orders.phoneId, reserved), isActive)),
        isActive,
        eq(orders.stage, "reserved"),
        hasSideLeft(db),
        not(hasOpenProblem(db)),
      ),
    )
    .limit(maxOrders);
}

/** Selects the reserved orders that have waited long enough for a seller who is suspended for good. */
function selectWaiting(db: Db) {
  const suspended = db.select({ id: users.id }).from(users).where(isSuspendedTooLong());
  const reserved = db
    .select({ id: phones.id })
    .from(phones)
    .where(and(inArray(phones.sellerId, suspended), eq(phones.status, "reserved")));
  return db
    .select({ id: orders.id, stage: orders.stage })
    .from(orders)
    .where(
      and(
        inArray(orders.phoneId, reserved),
        eq(orders.status, "active"),
        eq(orders.stage, "reserved"),
        not(hasOpenProblem(db)),
      ),
    )
    .limit(maxOrders);
}

/** Reminds sellers to hand over, and buyers to confirm. Each order has one reminder for each stage. */
export async function remindOfDeadlines(db: Db): Promise<void> {
  // Nobody hands over to who is suspended.
  const isBarred = and(eq(orders.stage, "reserved"), hasSuspendedBuyer(db)) ?? sql`0`;
  const isDue = and(
    eq(orders.status, "active"),
    lte(orders.reminderAt, new Date()),
    isNull(orders.heldSince),
    not(isBarred),
  );
  const due = await db
    .select({ id: orders.id, stage: orders.stage, reminderAt: orders.reminderAt })
    .from(orders)
    .where(isDue)
    .orderBy(asc(orders.reminderAt))
    .limit(maxOrders);
  for (const { id, stage, reminderAt } of due) {
    const order = and(eq(orders.id, id), eq(orders.stage, stage), isDue, isNotNull(orders.deadlineAt));
    const event = `reminder ${stage} ${id} ${reminderAt?.getTime()}`;
    await db.batch([
      stage === "reserved"
        ? notifySide(db, "seller", "hand over reminder", { order, event })
        : notifySide(db, "buyer", "receive reminder", { order, event }),
      db.update(orders).set({ reminderAt: null }).where(order),
    ]);
  }
}
