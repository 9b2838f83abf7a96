import { and, eq, exists, isNotNull, isNull, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { LedgerKind } from "#app/db/enums.ts";
import { ledgerEntries, orderProblems, orders, payments, paymentTasks, phones } from "#app/db/schema.ts";
import { canBePaid, isSuspended } from "../accounts/accounts.server.ts";
import { endedAt, hasOpenProblem, isDisputed, receivedAt } from "../audit/order-windows.server.ts";
import { isDeviceBack } from "../listings/listing-removal.server.ts";
import {
  type HoldReason,
  holdReason,
  type MoneyFacts,
  type MoneyState,
  moneyState,
  refundTime,
  releaseTime,
  wasPaidTooLate,
} from "./payment.rules.ts";

const sum = (kind: LedgerKind) => sql<number>`(select coalesce(sum(${ledgerEntries.amountCents}), 0)
  from ${ledgerEntries} where ${ledgerEntries.orderId} = ${payments.orderId} and ${ledgerEntries.kind} = ${kind})`;

const lastProblem = (condition: SQL) => sql<number | null>`(select max(p.ended_at) from ${orderProblems} p
  where p.order_id = ${orders.id} and ${condition})`;

/** Columns of `payments` with `orders` and `phones`: what `moneyDue` has to know. Without decoders, to compare them. */
function factColumns(db: Db): { [Name in keyof MoneyFacts]: SQL<MoneyFacts[Name]> } {
  const task = and(eq(paymentTasks.orderId, payments.orderId), isNull(paymentTasks.doneAt));
  return {
    amountCents: sql`${payments.amountCents}`,
    feeCents: sql`${payments.feeCents}`,
    charged: sum("charged"),
    released: sum("released"),
    refunded: sum("refunded"),
    takenBack: sum("taken back"),
    fee: sum("fee"),
    refundCents: sql`${payments.refundCents}`,
    isRefundByStaff: sql`${isNotNull(payments.refundReason)}`,
    status: sql`${orders.status}`,
    stage: sql`${orders.stage}`,
    paidAt: sql`${payments.paidAt}`,
    approvedAt: sql`${payments.approvedAt}`,
    receivedAt: sql`${receivedAt}`,
    endedAt: sql`${endedAt}`,
    endingProblem: sql`(select p.kind from ${orderProblems} p where p.order_id = ${orders.id}
      and p.state = 'returned' order by p.id desc limit 1)`,
    hasOpenProblem: sql`${hasOpenProblem(db)}`,
    // A bank settles nothing between the two sides.
    problemSettledAt: lastProblem(sql`p.state <> 'returned' and p.kind <> 'bank dispute'`),
    isDeviceBack: sql`${isDeviceBack}`,
    returnSettledAt: lastProblem(sql`p.kind = 'not returned' and p.state = 'solved'`),
    returnRefusedAt: lastProblem(sql`p.kind = 'not returned' and p.state = 'refused'`),
    isSellerSuspended: sql`${isSuspended(db, payments.sellerId)}`,
    isPayoutReady: sql`${canBePaid(db, phones.sellerId)}`,
    isDisputed: sql`${isDisputed}`,
    hasTask: sql`${hasRow(db, paymentTasks, task)}`,
  };
}

export type RawFacts = {
  [Name in keyof MoneyFacts]: MoneyFacts[Name] extends boolean ? 0 | 1 : MoneyFacts[Name];
};

const booleans = [
  "isRefundByStaff",
  "hasOpenProblem",
  "isDeviceBack",
  "isSellerSuspended",
  "isPayoutReady",
  "isDisputed",
  "hasTask",
] as const satisfies (keyof MoneyFacts)[];

export function toFacts(raw: RawFacts): MoneyFacts {
  const read = Object.fromEntries(booleans.map((name) => [name, raw[name] === 1]));
  return { ...raw, ...(read as Record<(typeof booleans)[number], boolean>) };
}

export function factSelection(db: Db) {
  const columns = Object.entries(factColumns(db)).map(([name, column]) => [name, column.as(`fact_${name}`)]);
  return Object.fromEntries(columns) as { [Name in keyof RawFacts]: SQL.Aliased<RawFacts[Name]> };
}

export function selectFacts(db: Db) {
  return db
    .select({ orderId: payments.orderId, ...factSelection(db) })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .leftJoin(phones, eq(phones.id, orders.phoneId));
}

/** Condition of any statement: the facts of an order's money are as they were read. */
export function areMoneyFactsUnchanged(db: Db, { orderId, ...raw }: { orderId: string } & RawFacts): SQL {
  const columns = factColumns(db);
  const asRead = (Object.keys(columns) as (keyof MoneyFacts)[]).map(
    (name) => sql`${columns[name]} is ${raw[name]}`,
  );
  const same = db
    .select({ one: sql`1` })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .leftJoin(phones, eq(phones.id, orders.phoneId))
    .where(and(eq(payments.orderId, orderId), ...asRead));
  return sql`exists ${same}`;
}

/** The facts of an order's money; null if it is not protected. */
export async function findMoneyFacts(db: Db, orderId: string): Promise<MoneyFacts | null> {
  const [found] = await selectFacts(db).where(eq(payments.orderId, orderId));
  return found ? toFacts(found) : null;
}

async function findAllFacts(db: Db, orderIds: string[]) {
  if (orderIds.length === 0) return [];
  // One parameter, of which the facts have many.
  const chosen = sql`${payments.orderId} in (select value from json_each(${JSON.stringify(orderIds)}))`;
  const found = await selectFacts(db).where(chosen);
  return found.map(({ orderId, ...raw }) => ({ orderId, facts: toFacts(raw) }));
}

interface MoneyTimes {
  /** When the seller is paid, or the buyer paid back; null as long as that is open. */
  movesAt: Date | null;
  isUndoable: boolean;
}

/** When the money of orders moves, as far as that is known, and what it waits for. */
export async function findMoneyTimes(db: Db, orderIds: string[]): Promise<Map<string, MoneyTimes>> {
  const found = await findAllFacts(db, orderIds);
  return new Map(
    found.map(({ orderId, facts }) => {
      const hasEnded = facts.status === "cancelled";
      const time = hasEnded ? refundTime(facts) : (releaseTime(facts)?.at ?? Number.POSITIVE_INFINITY);
      return [
        orderId,
        {
          movesAt: Number.isFinite(time) ? new Date(time) : null,
          isUndoable: hasEnded && facts.endingProblem === null && !wasPaidTooLate(facts),
        },
      ];
    }),
  );
}

interface MoneySums {
  state: MoneyState;
  holdReason: HoldReason | null;
  /** What the buyer has got back, and what the seller has. */
  refundedCents: number;
  withSellerCents: number;
}

/** Where the money of orders is. */
export async function findMoneySums(db: Db, orderIds: string[]): Promise<Map<string, MoneySums>> {
  const found = await findAllFacts(db, orderIds);
  return new Map(
    found.map(({ orderId, facts }) => {
      const { refunded: refundedCents } = facts;
      const withSellerCents = facts.released - facts.takenBack;
      return [
        orderId,
        { state: moneyState(facts), holdReason: holdReason(facts), refundedCents, withSellerCents },
      ];
    }),
  );
}

/** Condition on `payments` with `orders`: nothing is released to the seller now, as `isHeldBack` of the rules says. */
export function isHeldBack(db: Db): SQL {
  return sql`(${isDisputed} or ${hasOpenProblem(db)} or ${isSuspended(db, payments.sellerId)})`;
}

/** Condition on `payments` with `orders`: its money is on hold since its seller is suspended, as `holdReason` of the rules says. */
export function isHeldBySuspension(db: Db): SQL | undefined {
  return and(
    isNull(payments.settledAt),
    isNotNull(payments.paidAt),
    eq(orders.status, "active"),
    isSuspended(db, payments.sellerId),
    not(isDisputed),
    sql`${payments.refundCents} <= ${sum("refunded")}`,
  );
}

/** The same, and nothing but the suspension keeps its seller from being paid, as `releaseByStaff` of the rules says. */
export function isReleasableByStaff(db: Db): SQL | undefined {
  const task = and(eq(paymentTasks.orderId, payments.orderId), isNull(paymentTasks.doneAt));
  return and(
    eq(orders.stage, "received"),
    canBePaid(db, payments.sellerId),
    not(hasOpenProblem(db)),
    not(hasRow(db, paymentTasks, task)),
    isHeldBySuspension(db),
  );
}

const isHeld = and(isNull(payments.settledAt), isNotNull(payments.paidAt));

/** Condition: money is held that is a seller’s once an order of theirs is done. */
export function hasHeldSales(db: Db, sellerId: SQLWrapper) {
  const isActive = and(eq(orders.id, payments.orderId), eq(orders.status, "active"));
  return hasRow(db, payments, and(eq(payments.sellerId, sellerId), isHeld, hasRow(db, orders, isActive)));
}

/** Condition: money of an account's orders is held, of which the account is a side. */
export function hasHeldMoney(db: Db, accountId: string | SQLWrapper) {
  const ofBuyer = db
    .select({ one: sql`1` })
    .from(orders)
    .innerJoin(payments, eq(payments.orderId, orders.id))
    .where(and(eq(orders.buyerId, accountId), isHeld));
  // Each through an index of its own.
  return sql`(${hasRow(db, payments, and(eq(payments.sellerId, accountId), isHeld))} or ${exists(ofBuyer)})`;
}
