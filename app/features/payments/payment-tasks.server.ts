import { and, asc, eq, isNotNull, isNull, lt, lte, not, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { LedgerKind } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import {
  ledgerEntries,
  ledgerSums,
  orders,
  payments,
  paymentTasks,
  payoutAccounts,
  phones,
} from "#app/db/schema.ts";
import { hourMs } from "#app/time.ts";
import { feeOfMove, heldCents, type LedgerSums } from "./payment.rules.ts";
import { isDisputed, isDisputeLost } from "./protected-orders.server.ts";
import { notDone, type PaymentProvider, ProviderError } from "./provider.ts";

/** Tasks of one run; the next run continues. */
const maxTasks = 50;

/**
 * After the first failure a task is sent again after a minute, then after twice as long each time, at most every six hours.
 * What is refused is sent again once the provider has forgotten the key, since it answers the same until then.
 */
const pauses = { first: 60_000, longest: 6 * hourMs, refused: 25 * hourMs };

/**
 * Sends the tasks whose time has come, each under its id, so that the provider carries it out once, however often it is
 * sent. What fails is sent again later; what has failed for an hour is work for staff.
 *
 * @returns the codes of the failures
 */
export async function sendPaymentTasks(
  db: Db,
  provider: PaymentProvider,
  now = new Date(),
  limit = maxTasks,
): Promise<string[]> {
  const failures: string[] = [];
  for (const task of await selectDue(db, now, limit)) {
    try {
      const { id } = await send(provider, task);
      await recordDone(db, task, id, now);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      // What is looked up and was not carried out is an answer, no failure.
      if (error.code !== notDone) failures.push(error.code);
      await recordFailure(db, task, error, now);
    }
  }
  return failures;
}

type DueTask = Awaited<ReturnType<typeof selectDue>>[number];

function selectDue(db: Db, now: Date, limit: number) {
  return db
    .select({
      id: paymentTasks.id,
      orderId: paymentTasks.orderId,
      kind: paymentTasks.kind,
      amountCents: paymentTasks.amountCents,
      attempts: paymentTasks.attempts,
      heldCents: sql<number>`${heldColumn}`.as("held_cents"),
      /** What was tried before the bank took the money is another amount now, but may have been carried out. */
      isLookup: sql`${and(isDisputeLost(db), lt(paymentTasks.createdAt, payments.disputeEndedAt))}`
        .mapWith(Boolean)
        .as("is_lookup"),
      chargeId: payments.chargeId,
      accountId: payoutAccounts.accountId,
      /** What was released to the seller before. */
      transferId: sql<string | null>`(select ${ledgerEntries.providerId} from ${ledgerEntries}
        where ${ledgerEntries.orderId} = ${payments.orderId} and ${ledgerEntries.kind} = 'released'
        order by ${ledgerEntries.id} desc limit 1)`.as("transfer_id"),
    })
    .from(paymentTasks)
    .innerJoin(payments, eq(payments.orderId, paymentTasks.orderId))
    .innerJoin(orders, eq(orders.id, paymentTasks.orderId))
    .leftJoin(phones, eq(phones.id, orders.phoneId))
    .leftJoin(payoutAccounts, eq(payoutAccounts.userId, phones.sellerId))
    .where(
      and(
        isNull(paymentTasks.doneAt),
        isNotNull(paymentTasks.nextAt),
        lte(paymentTasks.nextAt, now),
        not(isDisputed),
      ),
    )
    .orderBy(asc(paymentTasks.nextAt))
    .limit(limit);
}

function send(provider: PaymentProvider, task: DueTask): Promise<{ id: string }> {
  const { id: key, orderId, kind, amountCents, isLookup, chargeId, accountId, transferId } = task;
  const move = { key, orderId, amountCents, isLookup };
  if (kind === "refund" && chargeId) return provider.refund({ ...move, chargeId });
  if (kind === "release" && chargeId && accountId) return provider.release({ ...move, chargeId, accountId });
  if (kind === "take back" && transferId) return provider.reverse({ ...move, transferId });
  throw new ProviderError("missing_account", false);
}

const ledgerKindOf = { release: "released", refund: "refunded", "take back": "taken back" } as const;

/** Of two runs that have sent a task, one records it. */
async function recordDone(db: Db, task: DueTask, providerId: string, now: Date) {
  const { id, orderId, kind, amountCents } = task;
  const isOpen = and(eq(paymentTasks.id, id), isNull(paymentTasks.doneAt));
  const entry = (kind: LedgerKind, amountCents: number) =>
    db.insert(ledgerEntries).values({ orderId, kind, amountCents, providerId, createdAt: now });
  const fee = feeOfMove(kind, amountCents, task.heldCents);
  const statements: BatchItem<"sqlite">[] = [
    db
      .update(paymentTasks)
      .set({ doneAt: now, providerId, error: null, nextAt: null, attempts: task.attempts + 1 })
      .where(isOpen),
    entry(ledgerKindOf[kind], amountCents),
    ...(fee === 0 ? [] : [entry("fee", fee)]),
    settlePayment(db, orderId, now),
  ];
  await batchUnless(db, { "done before": hasRow(db, paymentTasks, isOpen) }, statements);
}

/** A statement: once nothing is held and nothing is expected, the payment is settled. */
export function settlePayment(db: Db, orderId: string, now: Date) {
  const isOver = sql`${heldColumn} = 0 and ${backColumn} <= 0 and not ${isDisputed}`;
  return db
    .update(payments)
    .set({ settledAt: sql`iif(${isOver}, ${now.getTime()}, null)` })
    .where(eq(payments.orderId, orderId));
}

/** `heldCents` as a column of `payments`. */
const heldColumn = sql`(select coalesce(sum(case ${ledgerEntries.kind}
  when 'charged' then 1 when 'taken back' then 1 else -1 end * ${ledgerEntries.amountCents}), 0)
  from ${ledgerEntries} where ${ledgerEntries.orderId} = ${payments.orderId})`;

/** `backCents` as a column of `payments`; less than nothing if it was paid back before. */
const backColumn = sql`(select iif(${orders.status} = 'cancelled', ${payments.amountCents}, ${payments.refundCents})
  from ${orders} where ${orders.id} = ${payments.orderId}) - (select coalesce(sum(${ledgerEntries.amountCents}), 0)
  from ${ledgerEntries} where ${ledgerEntries.orderId} = ${payments.orderId} and ${ledgerEntries.kind} = 'refunded')`;

async function recordFailure(db: Db, task: DueTask, { code, isRetryable }: ProviderError, now: Date) {
  const isOpen = and(eq(paymentTasks.id, task.id), isNull(paymentTasks.doneAt));
  // What is due instead follows from the ledger.
  if (code === notDone) return void (await db.delete(paymentTasks).where(isOpen));
  const pause = isRetryable ? Math.min(pauses.first * 2 ** task.attempts, pauses.longest) : pauses.refused;
  const nextAt = new Date(now.getTime() + pause);
  await db
    .update(paymentTasks)
    .set({ attempts: sql`${paymentTasks.attempts} + 1`, error: code, nextAt })
    .where(isOpen);
}

/** Sums of an order’s ledger, or of the whole one, which a trigger keeps. */
export async function sumLedger(db: Db, orderId?: string): Promise<LedgerSums & { held: number }> {
  const sums: LedgerSums = { charged: 0, released: 0, refunded: 0, takenBack: 0, fee: 0 };
  const { kind, amountCents } = ledgerEntries;
  const rows = await (orderId === undefined
    ? db
        .select({ kind: ledgerSums.kind, cents: ledgerSums.cents })
        .from(ledgerSums)
        .where(eq(ledgerSums.sellerId, ""))
    : db
        .select({ kind, cents: sql<number>`sum(${amountCents})`.as("cents") })
        .from(ledgerEntries)
        .where(eq(ledgerEntries.orderId, orderId))
        .groupBy(kind));
  for (const { kind, cents } of rows) sums[kind === "taken back" ? "takenBack" : kind] = cents;
  return { ...sums, held: heldCents(sums) };
}
