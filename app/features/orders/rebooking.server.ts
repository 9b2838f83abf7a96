import { and, desc, eq, gt, gte, not, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { orderSteps, orders, removals } from "#app/db/schema.ts";
import { rebookingDelayMs } from "./booking-refusal.ts";

/** Condition on `orders` and `removals`: the buyer has cancelled, and cannot book the phone again yet. */
export function delaysRebooking(db: Db) {
  return and(
    eq(orders.status, "cancelled"),
    eq(removals.actorId, orders.buyerId),
    gt(removals.createdAt, new Date(Date.now() - rebookingDelayMs)),
    not(isRebookingAllowed(db)),
  );
}

/** A buyer’s cancellations of a phone that still delay booking it again. */
export function recentCancellations(db: Db, buyerId: SQLWrapper, phoneId: SQLWrapper | string) {
  return db
    .select({ json: sql`json_object('orderId', ${orders.id}, 'at', ${removals.createdAt})` })
    .from(orders)
    .innerJoin(removals, eq(removals.id, orders.removalId))
    .where(and(eq(orders.phoneId, phoneId), eq(orders.buyerId, buyerId), delaysRebooking(db)));
}

/** A column: the cancelled order, and until when its buyer has to wait; null if they can book the phone. */
export function rebookingWait(db: Db, buyerId: SQLWrapper, phoneId: SQLWrapper | string) {
  const newest = recentCancellations(db, buyerId, phoneId).orderBy(desc(removals.id)).limit(1);
  return sql<{ orderId: string; until: Date } | null>`${newest}`.mapWith((text: string) => {
    const { orderId, at } = JSON.parse(text) as { orderId: string; at: number };
    return { orderId, until: new Date(at + rebookingDelayMs) };
  });
}

/** Condition on `orders` and `removals`: the seller has allowed to book again since this cancellation. */
export function isRebookingAllowed(db: Db) {
  return hasRow(
    db,
    orderSteps,
    and(
      eq(orderSteps.orderId, orders.id),
      eq(orderSteps.kind, "rebooking allowed"),
      // The order may have been reinstated and cancelled again.
      gte(orderSteps.createdAt, removals.createdAt),
    ),
  );
}
