import {
  and,
  desc,
  eq,
  gt,
  gte,
  isNotNull,
  isNull,
  lte,
  ne,
  not,
  notExists,
  or,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import {
  orderProblemSteps,
  orderProblems,
  orderSteps,
  orders,
  payments,
  phones,
  removals,
} from "#app/db/schema.ts";
import { isActiveAccount } from "../accounts/accounts.server.ts";
import { system } from "../accounts/viewer.ts";
import { hasBlocked } from "../messages/message-refusals.server.ts";
import { selectDebts } from "../payments/protected-orders.server.ts";
import { type BookingBar, rebookingDelayMs } from "./booking-refusal.ts";

/** Condition on `orders` and `removals`: it was cancelled because the buyer had not paid in time. */
function wasUnpaid(db: Db) {
  const isLate = and(
    lte(payments.payBy, removals.createdAt),
    // What is paid afterwards goes back.
    or(isNull(payments.paidAt), gte(payments.paidAt, removals.createdAt)),
  );
  return and(
    eq(removals.actorId, system.id),
    hasRow(db, payments, and(eq(payments.orderId, orders.id), isLate)),
  );
}

/** Condition on `orders` and `removals`: the buyer has cancelled or not paid, and cannot book the phone again yet. */
export function delaysRebooking(db: Db) {
  return and(
    eq(orders.status, "cancelled"),
    // Who cancelled an order of a suspended seller is no one who changes their mind, and nobody could pay it.
    isNull(orders.heldSince),
    gt(removals.createdAt, new Date(Date.now() - rebookingDelayMs)),
    not(isRebookingAllowed(db)),
    or(eq(removals.actorId, orders.buyerId), wasUnpaid(db)),
  );
}

/** A buyer’s cancelled and unpaid orders of a phone that still delay booking it again. */
export function recentCancellations(db: Db, buyerId: SQLWrapper, phoneId: SQLWrapper | string) {
  return db
    .select({
      json: sql`json_object('orderId', ${orders.id}, 'at', ${removals.createdAt}, 'wasUnpaid', ${wasUnpaid(db)})`,
    })
    .from(orders)
    .innerJoin(removals, eq(removals.id, orders.removalId))
    .where(and(eq(orders.phoneId, phoneId), eq(orders.buyerId, buyerId), delaysRebooking(db)));
}

/** A column: the cancelled order, and until when its buyer has to wait; null if they can book the phone. */
export function rebookingWait(db: Db, buyerId: SQLWrapper, phoneId: SQLWrapper | string) {
  const newest = recentCancellations(db, buyerId, phoneId).orderBy(desc(removals.id)).limit(1);
  return sql<{ orderId: string; until: Date; wasUnpaid: boolean } | null>`${newest}`.mapWith(
    (text: string) => {
      const { orderId, at, wasUnpaid } = JSON.parse(text) as {
        orderId: string;
        at: number;
        wasUnpaid: number;
      };
      return { orderId, until: new Date(at + rebookingDelayMs), wasUnpaid: wasUnpaid === 1 };
    },
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

/** Condition on `orderProblems`: moderators ended the order because it was not paid, and its seller has not forgiven that. */
function isUnforgiven(db: Db) {
  const isDecided = and(
    eq(orderProblemSteps.id, orderProblems.lastStepId),
    eq(orderProblemSteps.kind, "decided"),
  );
  const isForgiven = and(
    eq(orderSteps.orderId, orderProblems.orderId),
    eq(orderSteps.kind, "rebooking allowed"),
    gte(orderSteps.createdAt, orderProblems.endedAt),
  );
  return and(
    eq(orderProblems.kind, "not paid"),
    eq(orderProblems.state, "returned"),
    isNotNull(orderProblems.endedAt),
    hasRow(db, orderProblemSteps, isDecided),
    not(hasRow(db, orderSteps, isForgiven)),
  );
}

/** Condition on `orders`: its buyer did not pay, and books from its seller again only once that lets them. */
export function isUnpaidOrder(db: Db) {
  return hasRow(db, orderProblems, and(eq(orderProblems.orderId, orders.id), isUnforgiven(db)));
}

/** Condition of any statement: a buyer did not pay a seller, who has not forgiven it. */
export function hasNotPaid(db: Db, buyerId: string | SQLWrapper, sellerId: SQLWrapper) {
  const isTheirs = and(eq(orderProblems.buyerId, buyerId), eq(orderProblems.sellerId, sellerId));
  return hasRow(db, orderProblems, and(isTheirs, isUnforgiven(db)));
}

/** Why a buyer books nothing from a seller, and makes no offers; null if nothing bars it. What reveals least comes first. A seller who owes money sells nothing more. */
export function bookingBar(db: Db, buyerId: string | SQLWrapper, sellerId: SQLWrapper) {
  return sql<BookingBar | null>`case
    when not ${isActiveAccount(db, buyerId)} then 'suspended'
    when ${hasBlocked(db, buyerId, sellerId)} then 'blocked by you'
    when ${hasNotPaid(db, buyerId, sellerId)} then 'not paid before'
    when ${hasBlocked(db, sellerId, buyerId)} then 'unavailable'
    when exists ${selectDebts(db, sellerId)} then 'unavailable' end`;
}

/**
 * Condition on `phones`: a buyer can book it, as far as that is about the two: what is told of as for sale, and what is
 * accepted. How many they may reserve is checked beside it.
 */
export function isBookableBy(db: Db, buyerId: SQLWrapper) {
  return and(
    eq(phones.status, "available"),
    isNull(phones.hiddenById),
    ne(phones.sellerId, buyerId),
    notExists(recentCancellations(db, buyerId, phones.id)),
    sql`${bookingBar(db, buyerId, phones.sellerId)} is null`,
  );
}
