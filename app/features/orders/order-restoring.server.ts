import { and, eq, exists, gt, inArray, isNull, ne, not, or } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { offers, orders, phones, removals, reviews, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { addActivityOf } from "../audit/activity.server.ts";
import { markUndone, type Removal, stillRemoved, type UndoHandler } from "../audit/removals.server.ts";
import { imeiIfStillFree, removalOfSeller } from "../listings/listing-removal.server.ts";
import { isBelowLimit, type ReservationLimits } from "./booking.server.ts";
import {
  addStep,
  hasOpenProblem,
  holdOrders,
  isSeller,
  isSellerSuspended,
  notifySide,
  resumeOrders,
} from "./order-steps.server.ts";

/** @param limits of the reservations of a buyer who undoes a cancellation */
export function orderUndo(limits: ReservationLimits): UndoHandler {
  return {
    undo: (db, actor, removal) => restoreOrder(db, actor, removal, limits),
    isUndone: async (db, id) =>
      (await db.$count(orders, and(eq(orders.id, id), isNull(orders.removalId)))) > 0,
    texts: {
      undone: "Order Restored",
      many: "orders restored",
      impossible:
        "We can’t restore this order: the device was booked or removed, the buyer was removed or has too many other reservations, it was reviewed, or a problem with it is open.",
    },
  };
}

/**
 * Restores a cancelled order and reserves its phone again, unless something newer holds for it; false if phone or buyer are
 * no longer available, or if it would give the buyer, who cancelled it, more reservations than the limits allow.
 */
async function restoreOrder(
  db: Db,
  actor: Viewer,
  { id: removalId, targetId: orderId }: Removal,
  limits: ReservationLimits,
): Promise<boolean | string> {
  const otherOrder = alias(orders, "other");
  const restorable = db
    .select({ id: orders.id })
    .from(orders)
    .innerJoin(removals, and(eq(removals.id, orders.removalId), stillRemoved(removalId)))
    .innerJoin(users, and(eq(users.id, orders.buyerId), isNull(users.removalId)))
    .innerJoin(phones, eq(phones.id, orders.phoneId))
    .where(
      and(
        eq(phones.status, "available"),
        // A phone that was removed with its seller, or hidden after its order, comes back for its order.
        or(
          isNull(phones.hiddenById),
          eq(phones.hiddenById, removalOfSeller),
          eq(phones.hiddenById, orders.id),
        ),
        not(
          hasRow(
            db,
            otherOrder,
            and(eq(otherOrder.phoneId, orders.phoneId), eq(otherOrder.status, "active")),
          ),
        ),
        or(ne(orders.buyerId, actor.id), isBelowLimit(db, limits)),
        not(hasOpenProblem(db)),
        // Somebody has reviewed how it ended.
        not(hasRow(db, reviews, eq(reviews.orderId, orders.id))),
      ),
    );
  const order = eq(orders.id, orderId);
  const notification = { order, event: `reinstated ${removalId}`, actorId: actor.id };
  const conditions = {
    "newer agreement": not(hasNewerAgreement(db, removalId)),
    refused: exists(restorable),
  };
  const refusal = await batchUnless<keyof typeof conditions>(db, conditions, [
    db
      .update(phones)
      .set({ status: "reserved", hiddenById: null, imeiHash: imeiIfStillFree(db) })
      .where(inArray(phones.id, db.select({ id: orders.phoneId }).from(orders).where(order))),
    db.update(orders).set({ status: "active", removalId: null }).where(order),
    // The suspension of its seller may have begun or ended since.
    holdOrders(db, and(order, isSellerSuspended(db)), new Date()),
    resumeOrders(db, order, new Date()),
    addStep(db, actor, orderId, "reinstated"),
    addActivityOf(
      db,
      actor,
      "undid deletion",
      orders,
      orders.productName,
      and(order, ne(orders.buyerId, actor.id), not(isSeller(db, actor))),
    ),
    notifySide(db, "buyer", "reinstated", notification),
    notifySide(db, "seller", "reinstated", notification),
    markUndone(db, { id: removalId }),
  ]);
  return refusal === "newer agreement" ? newerAgreement : !refusal;
}

const newerAgreement =
  "We can’t restore this order: since then, the device was booked, or a price was agreed or offered by the seller.";

/**
 * Condition: since an order was cancelled, its phone was booked, even if that has ended, or has an offer that was accepted or
 * that its seller made.
 */
function hasNewerAgreement(db: Db, removalId: string) {
  const newer = alias(orders, "newer");
  const isBooked = and(eq(newer.phoneId, orders.phoneId), gt(newer.createdAt, removals.createdAt));
  const isAgreed = and(eq(offers.answer, "accepted"), gt(offers.answeredAt, removals.createdAt));
  const isCounteroffer = and(
    eq(offers.side, "seller"),
    isNull(offers.answer),
    gt(offers.createdAt, removals.createdAt),
  );
  const isOffered = and(eq(offers.phoneId, orders.phoneId), or(isAgreed, isCounteroffer));
  return exists(
    db
      .select({ id: orders.id })
      .from(orders)
      .innerJoin(removals, and(eq(removals.id, orders.removalId), stillRemoved(removalId)))
      .where(or(hasRow(db, newer, isBooked), hasRow(db, offers, isOffered))),
  );
}
