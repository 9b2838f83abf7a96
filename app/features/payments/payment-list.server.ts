import { and, asc, eq, getTableColumns, gt, gte, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, isWithin } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { allRows, numberedPage, type PageQuery, sortingOf } from "#app/db/keyset.server.ts";
import {
  activity,
  ledgerEntries,
  orderProblems,
  orderSteps,
  orders,
  payments,
  paymentTasks,
  phones,
  users,
} from "#app/db/schema.ts";
import { dayRange } from "#app/server/forms/table-query.ts";
import { ordersOfPeopleNamed } from "../accounts/accounts.server.ts";
import { isDisputed } from "../audit/order-windows.server.ts";
import { findMoneySums, isHeldBySuspension } from "./money-facts.server.ts";
import type { PaymentFilter, PaymentQuery } from "./payment-table.rules.ts";
import { isResendable } from "./payment-tasks.server.ts";
import type { PaymentFailure } from "./payment-texts.ts";
import { failureCode, isOfBank, notGotCents } from "./protected-orders.server.ts";

/** Payments on one page: `findMoneySums` reads some twenty rows for each. */
const maxPayments = 15;

const isCancelled = eq(orders.status, "cancelled");
const isActive = eq(orders.status, "active");
const isUnpaid = isNull(payments.paidAt);
const isSettled = and(isNotNull(payments.paidAt), isNotNull(payments.settledAt));
const isUnsettled = and(isNotNull(payments.paidAt), isNull(payments.settledAt));

/** Conditions on `payments` with `orders`. */
const conditions: Record<PaymentFilter, (db: Db) => SQL | undefined> = {
  "to pay": () => and(isNull(payments.settledAt), isUnpaid, isActive),
  "not paid": () => and(isUnpaid, isCancelled),
  held: () => and(isUnsettled, isActive),
  suspended: isHeldBySuspension,
  released: () => and(isSettled, isActive, eq(notGotCents, 0)),
  "to be refunded": () => and(isUnsettled, isCancelled),
  refunded: () => and(isSettled, sql`(${isCancelled} or ${gt(notGotCents, 0)})`),
  disputed: () => isDisputed,
  failing: () => isNotNull(failureCode),
};

async function paymentsMatching(db: Db, { filters: { q, state, seller, from, to } }: PaymentQuery) {
  const indexed = await ordersOfPeopleNamed(db, { buyer: q, seller });
  const ofOrder = and(eq(payments.orderId, orders.id), state && conditions[state](db));
  // Orders from before the first payment need not be read.
  const isSincePayments = gte(orders.id, sql`(select min(${payments.orderId}) from ${payments})`);
  return and(
    isSincePayments,
    hasRow(db, payments, ofOrder),
    ...indexed,
    ...isWithin(orders.createdAt, dayRange({ from, to })),
  );
}

const sellers = alias(users, "sellers");

/** A column of `payments`: what the provider does not carry out, and when it is sent again; null if nothing. */
const failureColumn = sql<PaymentFailure | null>`(select json_object('code', ${paymentTasks.error},
  'kind', ${paymentTasks.kind}, 'nextAt', ${paymentTasks.nextAt}) from ${paymentTasks}
  where ${paymentTasks.orderId} = ${payments.orderId} and ${paymentTasks.doneAt} is null
    and ${paymentTasks.error} is not null)`.mapWith((text: string) => JSON.parse(text) as PaymentFailure);

async function rowsOf(db: Db, query: PaymentQuery) {
  return {
    table: orders,
    where: await paymentsMatching(db, query),
    ...sortingOf(query.sort, orders.priceCents),
    read: ({ where, orderBy, limit, sortValue }: PageQuery) =>
      db
        .select({
          id: orders.id,
          sortValue,
          productName: orders.productName,
          buyerId: orders.buyerId,
          buyerName: orders.buyerName,
          buyerEmail: orders.email,
          sellerId: sellers.id,
          sellerName: sellers.name,
          sellerEmail: sellers.email,
          suspendedUntil: sellers.suspendedUntil,
          amountCents: payments.amountCents,
          feeCents: payments.feeCents,
          createdAt: orders.createdAt,
          paidAt: payments.paidAt,
          settledAt: payments.settledAt,
          failure: failureColumn.as("failure"),
        })
        .from(orders)
        .innerJoin(payments, eq(payments.orderId, orders.id))
        .leftJoin(phones, eq(phones.id, orders.phoneId))
        .leftJoin(sellers, eq(sellers.id, phones.sellerId))
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
  };
}

/** A protected order in the table of staff; amounts in cents. */
export type ListedPayment = Awaited<ReturnType<typeof listPayments>>["rows"][number];

/** A page of the protected orders, the newest first. */
export async function listPayments(db: Db, cursor: Cursor, query: PaymentQuery = { filters: {} }) {
  const page = await numberedPage(db, cursor, { ...(await rowsOf(db, query)), size: maxPayments });
  return { ...page, rows: await withMoney(db, page.rows) };
}

/** Of one read, as `findMoneySums` reads some twenty rows for each order. */
const exportSize = 500;

/** All protected orders that match a table's query, in batches. */
export async function* exportPayments(db: Db, query: PaymentQuery) {
  for await (const rows of allRows(await rowsOf(db, query), exportSize)) yield await withMoney(db, rows);
}

const noMoney = { state: "to pay", holdReason: null, refundedCents: 0, withSellerCents: 0 } as const;

async function withMoney<Row extends { id: string }>(db: Db, rows: Row[]) {
  const money = await findMoneySums(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...row,
    ...(money.get(row.id) ?? noMoney),
  }));
}

export type OrderLedger = Awaited<ReturnType<typeof findLedger>>;

/** What has happened to the money of an order, what staff has decided to pay back, and what is to be sent or was, for staff. */
export async function findLedger(db: Db, orderId: string) {
  const problem = db
    .select({ id: sql`max(${orderProblems.id})` })
    .from(orderProblems)
    .where(and(eq(orderProblems.orderId, orderId), eq(orderProblems.kind, "bank dispute")));
  const [entries, tasks, decisions, [dispute]] = await db.batch([
    db
      .select({ ...getTableColumns(ledgerEntries), isOfBank: isOfBank(db).mapWith(Boolean).as("is_of_bank") })
      .from(ledgerEntries)
      .where(eq(ledgerEntries.orderId, orderId))
      .orderBy(asc(ledgerEntries.id)),
    db
      .select({
        ...getTableColumns(paymentTasks),
        isResendable: isResendable(db).mapWith(Boolean).as("is_resendable"),
        decidedBy: users.name,
        reason: orderSteps.reason,
      })
      .from(paymentTasks)
      .leftJoin(orderSteps, eq(orderSteps.id, paymentTasks.id))
      .leftJoin(users, eq(users.id, orderSteps.actorId))
      .where(eq(paymentTasks.orderId, orderId))
      .orderBy(asc(paymentTasks.id)),
    db
      .select({
        id: activity.id,
        by: users.name,
        at: activity.createdAt,
        /** Null of what was decided before they were stored. */
        details: activity.details,
      })
      .from(activity)
      .leftJoin(users, eq(users.id, activity.actorId))
      .where(and(eq(activity.targetId, orderId), eq(activity.action, "refunded order")))
      .orderBy(asc(activity.id)),
    db
      .select({
        isOpen: sql`${isDisputed}`.mapWith(Boolean).as("is_open"),
        /** Null if the order had ended before. */
        problemId: sql<string | null>`(${problem})`.as("problem_id"),
      })
      .from(payments)
      .where(and(eq(payments.orderId, orderId), isNotNull(payments.disputedAt))),
  ]);
  return { entries, tasks, decisions, dispute: dispute ?? null };
}
