import { and, eq, gt, isNotNull, isNull, lt, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, valueFor } from "#app/db/conditions.server.ts";
import { ledgerEntries, orders, payments, paymentTasks, phones } from "#app/db/schema.ts";
import { paymentTerms } from "#app/terms.ts";
import { hourMs } from "#app/time.ts";
import { canBePaid } from "../accounts/accounts.server.ts";
import { endedAt, isDisputed, receivedAt, windowEnd } from "../audit/order-windows.server.ts";

/** Until when a booking of now can be paid. */
export const payDeadlineOf = (bookedAt: Date) =>
  new Date(bookedAt.getTime() + paymentTerms.payMinutes * 60_000);

/** `feeCents` in SQL, for prices that only the statement knows. */
export function feeColumn(amountCents: SQL | typeof orders.priceCents, fee = paymentTerms.fee) {
  // Bound numbers are floating-point numbers in D1.
  const share = sql`cast((${amountCents} * ${fee.percent} + 50) / 100 as integer) + ${fee.fixedCents}`;
  return sql<number>`cast(max(0, min(${amountCents} - 1, max(${share}, ${fee.minimumCents}))) as integer)`;
}

/** A statement for the batch of a booking: the order is protected if the provider can pay its seller. */
export function protectOrder(db: Db, orderId: string, payBy: Date) {
  return db.insert(payments).select(
    db
      .select({
        orderId: orders.id,
        sellerId: phones.sellerId,
        amountCents: sql<number>`${orders.priceCents}`.as("amount_cents"),
        feeCents: feeColumn(orders.priceCents).as("fee_cents"),
        returnDays: sql<number>`coalesce(${phones.returnDays}, 0)`.as("return_days"),
        createdAt: orders.createdAt,
        payBy: valueFor(payments.payBy, payBy),
        checkoutId: valueFor(payments.checkoutId, null),
        chargeId: valueFor(payments.chargeId, null),
        paidAt: valueFor(payments.paidAt, null),
        approvedAt: valueFor(payments.approvedAt, null),
        refundCents: valueFor(payments.refundCents, 0),
        refundReason: valueFor(payments.refundReason, null),
        disputeId: valueFor(payments.disputeId, null),
        disputedAt: valueFor(payments.disputedAt, null),
        disputeEndedAt: valueFor(payments.disputeEndedAt, null),
        settledAt: valueFor(payments.settledAt, null),
      })
      .from(orders)
      .innerJoin(phones, eq(phones.id, orders.phoneId))
      .where(and(eq(orders.id, orderId), canBePaid(db, phones.sellerId))),
  );
}

/** Condition on `orders`: it is protected. */
export function isProtected(db: Db) {
  return hasRow(db, payments, eq(payments.orderId, orders.id));
}

/** Condition on `orders`: it is protected, and waits for its payment or was never paid. */
export function isUnpaid(db: Db) {
  return hasRow(db, payments, and(eq(payments.orderId, orders.id), isNull(payments.paidAt)));
}

/** Condition on `orders`: it was not paid in time. */
export function isPaymentOverdue(db: Db) {
  const isLate = sql`${payments.payBy} <= ${Date.now()}`;
  return hasRow(db, payments, and(eq(payments.orderId, orders.id), isNull(payments.paidAt), isLate));
}

/** Condition on `ledgerEntries`: a bank has taken it or given it back. What Ringback pays back is a task. */
export function isOfBank(db: Db): SQL {
  const isSent = and(
    eq(paymentTasks.orderId, ledgerEntries.orderId),
    eq(paymentTasks.providerId, ledgerEntries.providerId),
  );
  return sql`(${ledgerEntries.kind} = 'refunded' and not ${hasRow(db, paymentTasks, isSent)})`;
}

/** Condition on `payments`: the buyer’s bank has taken the money, or a part of it. */
export function hasBankDecided(db: Db) {
  return hasRow(db, ledgerEntries, and(eq(ledgerEntries.orderId, payments.orderId), isOfBank(db)));
}

/** Condition on `orders`: the buyer’s bank disputes its payment, or has taken the money. */
export function isChargedBack(db: Db) {
  return hasRow(db, payments, and(eq(payments.orderId, orders.id), or(isDisputed, hasBankDecided(db))));
}

/** Condition on `orders`: its seller is being paid, or was. */
export function isPaidOut(db: Db) {
  return hasRow(db, paymentTasks, and(eq(paymentTasks.orderId, orders.id), eq(paymentTasks.kind, "release")));
}

/** Condition on `orders`: its money is going back because it has ended, or has gone back. */
export function isRefundStarted(db: Db) {
  const isAfterEnd = sql`${paymentTasks.createdAt} >= ${endedAt}`;
  return hasRow(db, paymentTasks, and(eq(paymentTasks.orderId, orders.id), isAfterEnd));
}

/** A column of `payments`: what the buyer has got back, in cents. */
const refundedCents = sql<number>`(select coalesce(sum(${ledgerEntries.amountCents}), 0) from ${ledgerEntries}
  where ${ledgerEntries.orderId} = ${payments.orderId} and ${ledgerEntries.kind} = 'refunded')`;

/** A column of `payments`: what the seller does not get, since it was agreed on or decided, or taken by a bank; in cents. */
export const notGotCents = sql<number>`iif(${payments.disputeEndedAt} is null, ${payments.refundCents},
  max(${payments.refundCents}, ${refundedCents}))`;

/** A column of `orders`: how much of it can still be paid back if it goes on, in cents; null if it is not protected. */
export const refundableCents = sql<number | null>`(select ${payments.amountCents} - ${notGotCents}
  from ${payments} where ${payments.orderId} = ${orders.id} and ${payments.paidAt} is not null)`;

/**
 * Columns of `orders`: what its buyer has paid, in cents, and the fee of its seller; null if it is not protected. And what
 * has gone back, as long as a bank disputes the payment; else null.
 */
export const paidColumns = {
  paidCents: sql<number | null>`(select ${payments.amountCents}
    from ${payments} where ${payments.orderId} = ${orders.id} and ${payments.paidAt} is not null)`.as(
    "paid_cents",
  ),
  feeCents: sql<number | null>`(select ${payments.feeCents} from ${payments}
    where ${payments.orderId} = ${orders.id} and ${payments.paidAt} is not null)`.as("fee_cents"),
  returnedInDispute: sql<number | null>`(select ${refundedCents}
    from ${payments} where ${payments.orderId} = ${orders.id} and ${isDisputed})`.as("returned_in_dispute"),
};

/** A column of `orders`: how much of its price was paid back, or is to be, though it goes on; in cents. */
export const refundColumn = sql<number>`coalesce((select ${notGotCents} from ${payments}
  where ${payments.orderId} = ${orders.id}), 0)`;

/** A column of `orders`: in how many days its buyer can change their mind; null if they cannot. */
export const returnDays = sql<number | null>`(select nullif(${payments.returnDays}, 0) from ${payments}
  where ${payments.orderId} = ${orders.id} and ${payments.paidAt} is not null)`;

/** A column of `orders`: until when, in milliseconds; null before the receipt, and if they cannot. */
export const returnUntil = (now?: Date) => windowEnd(orders.id, receivedAt, returnDays, now);

/** A column of `payments`: the provider’s short code of what it fails to carry out, nothing about a person; null if nothing. */
export const failureCode = sql<string | null>`(select ${paymentTasks.error} from ${paymentTasks}
  where ${paymentTasks.orderId} = ${payments.orderId} and ${paymentTasks.doneAt} is null)`;

/** Condition on `paymentTasks`: it fails for so long that staff has to look at it. */
export const hasFailedForLong = () =>
  and(
    isNull(paymentTasks.doneAt),
    isNotNull(paymentTasks.error),
    lt(paymentTasks.createdAt, new Date(Date.now() - hourMs)),
  );

/** What a seller owes: tasks whose money the provider could not take back. */
export function selectDebts(db: Db, sellerId: string | SQLWrapper) {
  const sold = alias(phones, "sold");
  // A column, so that the few open tasks are read first, not what the seller has listed.
  const sellerOfTask = db
    .select({ id: sold.sellerId })
    .from(orders)
    .innerJoin(sold, eq(sold.id, orders.phoneId))
    .where(eq(orders.id, paymentTasks.orderId));
  return db
    .select({ cents: paymentTasks.amountCents, id: paymentTasks.id })
    .from(paymentTasks)
    .where(
      and(
        hasFailedForLong(),
        gt(paymentTasks.nextAt, new Date(0)),
        eq(paymentTasks.kind, "take back"),
        sql`${sellerOfTask} = ${sellerId}`,
      ),
    );
}
