import { and, eq, gt, gte, not } from "drizzle-orm";
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
