import { and, eq, gt, inArray, isNull, ne, not, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { offers, orders, phones, removals, reviews, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { addActivityOf } from "../audit/activity.server.ts";
import { notifySide } from "../audit/notify.server.ts";
import { hasOpenProblem } from "../audit/order-windows.server.ts";
import {
  isNotUndone,
  isUndoableBy,
  markUndone,
  type Removal,
  type UndoHandler,
} from "../audit/removals.server.ts";
import { imeiIfStillFree, removalOfSeller } from "../listings/listing-removal.server.ts";
import { isBlockBetween } from "../messages/message-refusals.server.ts";
import { isChargedBack, isPaymentOverdue, isRefundStarted } from "../payments/protected-orders.server.ts";
import { isBelowLimit, type ReservationLimits } from "./booking.server.ts";
import {
  addStep,
  goneSide,
  hasSuspendedBuyer,
  holdOrders,
  isSeller,
  isSellerSuspended,
  resumeOrders,
  sellerId,
} from "./order-steps.server.ts";

/** Why the cancellation of an order is not undone. The first two reveal neither a block nor a suspension. */
const restoringRefusals = {
  "side barred": "We can’t restore this order: the buyer or the seller can’t go on with it.",
  "not available": "We can’t restore this order: its listing was booked, hidden or deleted.",
  "newer agreement":
    "We can’t restore this order: since then, the device was booked, or a price was agreed or offered by the seller.",
  "too many reservations": "We can’t restore this order: you have too many other reservations.",
  "problem open": "We can’t restore this order: a problem with it is open.",
  reviewed: "We can’t restore this order: it was reviewed.",
  disputed: "We can’t restore this order: the buyer’s bank disputes its payment.",
  refunded: "We can’t restore this order: its payment goes back to the buyer.",
  "not paid in time": "We can’t restore this order: it wasn’t paid in time.",
};

type RestoringRefusal = keyof typeof restoringRefusals;

/** @param limits of the reservations of a buyer who undoes a cancellation */
export function orderUndo(limits: ReservationLimits): UndoHandler {
  return {
    undo: (db, actor, removal) => restoreOrder(db, actor, removal, limits),
    isUndone: async (db, id) =>
      (await db.$count(orders, and(eq(orders.id, id), isNull(orders.removalId)))) > 0,
    texts: {
      undone: "Order Restored",
      many: "orders restored",
      impossible: "We can’t restore this order.",
      refusals: restoringRefusals,
    },
  };
}

/**
 * Conditions on `orders`, by the refusal if one does not hold: an actor's cancellation can be undone. Of an order that goes
 * on: it could be if they cancelled it now. What is offered and what is accepted follow from it.
 */
function restoringConditions(
  db: Db,
  actor: Viewer,
  limits: ReservationLimits,
): Record<RestoringRefusal, SQL | undefined> {
  const other = alias(orders, "other");
  const isBookedByOthers = hasRow(
    db,
    other,
    and(eq(other.phoneId, orders.phoneId), eq(other.status, "active"), ne(other.id, orders.id)),
  );
  const isListing = and(
    eq(phones.id, orders.phoneId),
    ne(phones.status, "sold"),
    // A phone that was hidden with its seller or after its order comes back for its order.
    or(isNull(phones.hiddenById), eq(phones.hiddenById, removalOfSeller), eq(phones.hiddenById, orders.id)),
  );
  const hasRoom = hasRow(
    db,
    users,
    and(eq(users.id, orders.buyerId), isBelowLimit(db, limits, sql`${orders.id}`)),
  );
  return {
    "side barred": and(
      isNull(goneSide(db)),
      not(hasSuspendedBuyer(db)),
      not(isBlockBetween(db, orders.buyerId, sellerId)),
    ),
    "newer agreement": not(hasNewerAgreement(db)),
    "not available": and(hasRow(db, phones, isListing), not(isBookedByOthers)),
    "too many reservations": or(ne(orders.buyerId, actor.id), hasRoom),
    "problem open": not(hasOpenProblem(db)),
    // Somebody has reviewed how it ended.
    reviewed: not(hasRow(db, reviews, eq(reviews.orderId, orders.id))),
    disputed: not(isChargedBack(db)),
    refunded: not(isRefundStarted(db)),
    "not paid in time": not(isPaymentOverdue(db)),
  };
}

/**
 * Whether an actor can undo that they cancelled an order; of an order that goes on, whether they could.
 *
 * @param limits of the reservations of a buyer
 */
export async function canRestoreOrder(
  db: Db,
  actor: Viewer,
  orderId: string,
  limits: ReservationLimits,
): Promise<boolean> {
  const isOwn = and(eq(removals.id, orders.removalId), isNull(removals.undoneAt), isUndoableBy(actor));
  const isUndoable = or(eq(orders.status, "active"), hasRow(db, removals, isOwn));
  const conditions = Object.values(restoringConditions(db, actor, limits));
  return (await db.$count(orders, and(eq(orders.id, orderId), isUndoable, ...conditions))) > 0;
}

/** Restores a cancelled order and reserves its phone again; or says why not. */
function restoreOrder(
  db: Db,
  actor: Viewer,
  { id: removalId, targetId: orderId }: Removal,
  limits: ReservationLimits,
) {
  const order = eq(orders.id, orderId);
  const notification = { order, event: `reinstated ${removalId}`, actorId: actor.id };
  const isOrder = (condition: SQL | undefined) => hasRow(db, orders, and(order, condition));
  const isRemoved = and(eq(orders.removalId, removalId), hasRow(db, removals, isNotUndone(removalId)));
  const conditions = Object.entries(restoringConditions(db, actor, limits));
  return batchUnless<RestoringRefusal | "undone before">(
    db,
    {
      "undone before": isOrder(isRemoved),
      ...Object.fromEntries(conditions.map(([name, condition]) => [name, isOrder(condition)])),
    },
    [
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
    ],
  );
}

/**
 * Condition on `orders`: since it was cancelled, its phone was booked, even if that has ended, or has an offer that was
 * accepted, or one by its seller that waits.
 */
function hasNewerAgreement(db: Db) {
  const newer = alias(orders, "newer");
  const isBooked = and(eq(newer.phoneId, orders.phoneId), gt(newer.createdAt, removals.createdAt));
  const isAgreed = and(eq(offers.answer, "accepted"), gt(offers.answeredAt, removals.createdAt));
  const isCounteroffer = and(
    eq(offers.side, "seller"),
    isNull(offers.answer),
    gt(offers.createdAt, removals.createdAt),
  );
  const isOffered = and(eq(offers.phoneId, orders.phoneId), or(isAgreed, isCounteroffer));
  const isNewer = or(hasRow(db, newer, isBooked), hasRow(db, offers, isOffered));
  return hasRow(db, removals, and(eq(removals.id, orders.removalId), isNewer));
}
