import {
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  not,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { LedgerKind } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import {
  ledgerEntries,
  ledgerSums,
  orderSteps,
  orders,
  payments,
  paymentTasks,
  payoutAccounts,
  phones,
} from "#app/db/schema.ts";
import { hourMs } from "#app/time.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { notifySide } from "../audit/notify.server.ts";
import { isDisputed } from "../audit/order-windows.server.ts";
import { factSelection, toFacts } from "./money-facts.server.ts";
import { feeOfMove, heldCents, isStillDue, type LedgerSums, toRefundCents } from "./payment.rules.ts";
import { hasBankDecided, hasFailedForLong, selectDebts } from "./protected-orders.server.ts";
import { notDone, type PaymentProvider, ProviderError } from "./provider.ts";

/** After so many failures in a row the provider counts as down: the next run goes on, and none waits for each answer. */
const maxFailuresInARow = 3;

/** Does something with the provider for each item, unless it is down. @returns the codes of the failures */
export async function forEachUntilProviderDown<Item>(
  items: Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<string[]> {
  const failures: string[] = [];
  let inARow = 0;
  for (const item of items) {
    try {
      await act(item);
      inARow = 0;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      failures.push(error.code);
      inARow = error.isRetryable ? inARow + 1 : 0;
      if (inARow === maxFailuresInARow) break;
    }
  }
  return failures;
}

/** Tasks of one run; the next run continues. */
const maxTasks = 50;

/**
 * After the first failure a task is sent again after a minute, then after twice as long each time, at most every six hours.
 * What is refused is sent again once the provider has forgotten the key, since it answers the same for a day. Six hours more
 * tell it from what is only late, until then.
 */
const pauses = { first: 60_000, longest: 6 * hourMs, refused: 31 * hourMs };

/** Condition on `paymentTasks`: the provider has refused it, and still answers the same to its key. */
export const isRefused = (now: Date) => gt(paymentTasks.nextAt, new Date(now.getTime() + pauses.longest));

/**
 * Condition on `paymentTasks`: staff has to look at it, since the provider has refused it, or hasn’t answered for an hour. What
 * may pass is sent again soon.
 */
export const isWorkForStaff = () =>
  and(
    isNull(paymentTasks.doneAt),
    isNotNull(paymentTasks.error),
    or(isRefused(new Date()), hasFailedForLong()),
  );

/** Condition on `paymentTasks`: it fails, and can be sent again at once. Nothing is sent while the bank has to decide. */
export function isResendable(db: Db): SQL {
  const payment = hasRow(db, payments, and(eq(payments.orderId, paymentTasks.orderId), isDisputed));
  return sql`(${isNull(paymentTasks.doneAt)} and ${isNotNull(paymentTasks.error)} and not ${payment})`;
}

/**
 * Sends the tasks whose time has come, each under its id, so that the provider carries it out once, however often it is
 * sent. What fails is sent again later; what is work for staff is said by `isWorkForStaff`.
 *
 * @returns the codes of the failures, and the orders of which something else may be due now: a task was carried out, or
 * another one takes its place
 */
export async function sendPaymentTasks(
  db: Db,
  provider: PaymentProvider,
  now = new Date(),
  condition?: SQL,
): Promise<{ failures: string[]; moved: string[] }> {
  const moved: string[] = [];
  const failures = await forEachUntilProviderDown(await selectDue(db, now, condition), async (due) => {
    const { id, orderId } = due.task;
    try {
      const movement = await send(db, provider, due, now);
      await recordDone(db, due, movement.id, now);
      moved.push(orderId);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const isDone = and(eq(paymentTasks.id, id), isNotNull(paymentTasks.doneAt));
      // Another run has carried it out.
      if (await db.$count(paymentTasks, isDone)) return;
      if (await recordFailure(db, due, error, now)) moved.push(orderId);
      // What is looked up and was not carried out is an answer, no failure.
      if (error.code !== notDone) throw error;
    }
  });
  return { failures, moved };
}

/** A statement: another task takes the place of the one that is open. The ledger goes on showing it, with why it failed. */
export function replaceTask(db: Db, now: Date, isOpen: SQL | undefined, error?: string) {
  return db.update(paymentTasks).set({ doneAt: now, nextAt: null, error }).where(isOpen);
}

/**
 * A column of `paymentTasks`: what was refused of the same order since the last refund, and has made way for another one; in
 * cents. The ids of tasks and entries are ordered by time.
 */
export const replacedRefundCents = sql<number>`(select coalesce(sum(r.amount_cents), 0) from payment_tasks r
  where r.order_id = payment_tasks.order_id and r.kind = 'refund' and r.done_at is not null and r.provider_id is null
    and r.id > coalesce((select max(l.id) from ledger_entries l
      where l.order_id = r.order_id and l.kind = 'refunded'), ''))`;

type DueTask = Awaited<ReturnType<typeof selectDue>>[number];

async function selectDue(db: Db, now: Date, condition: SQL | undefined) {
  const isDue = and(
    isNull(paymentTasks.doneAt),
    isNotNull(paymentTasks.nextAt),
    lte(paymentTasks.nextAt, now),
    condition,
  );
  // After most writes nothing is due, and the facts of money take long.
  if ((await db.select({ id: paymentTasks.id }).from(paymentTasks).where(isDue).limit(1)).length === 0)
    return [];
  const found = await db
    .select({
      task: getTableColumns(paymentTasks),
      /** What was tried before the bank took the money is another amount now. */
      wasDecidedSince: sql`${and(hasBankDecided(db), lt(paymentTasks.createdAt, payments.disputeEndedAt))}`
        .mapWith(Boolean)
        .as("was_decided_since"),
      chargeId: payments.chargeId,
      accountId: payoutAccounts.accountId,
      facts: factSelection(db),
    })
    .from(paymentTasks)
    .innerJoin(payments, eq(payments.orderId, paymentTasks.orderId))
    .innerJoin(orders, eq(orders.id, paymentTasks.orderId))
    .leftJoin(phones, eq(phones.id, orders.phoneId))
    .leftJoin(payoutAccounts, eq(payoutAccounts.userId, phones.sellerId))
    .where(and(isDue, not(isDisputed)))
    .orderBy(asc(paymentTasks.nextAt))
    .limit(maxTasks);
  return found.map((due) => ({ ...due, facts: toFacts(due.facts) }));
}

/** A statement: what waits after a failure is sent now. */
export function retryTasksNow(db: Db, orderId: string, now: Date, condition?: SQL) {
  return db
    .update(paymentTasks)
    .set({ nextAt: now })
    .where(and(eq(paymentTasks.orderId, orderId), isNull(paymentTasks.doneAt), condition));
}

/** What is no longer due as it was tried, but may have been carried out, is only looked up. */
async function send(db: Db, provider: PaymentProvider, due: DueTask, now: Date): Promise<{ id: string }> {
  const { task, chargeId, accountId, wasDecidedSince, facts } = due;
  const { id: key, orderId, kind, amountCents } = task;
  const isLookup = wasDecidedSince || (kind === "release" && !isStillDue(task, facts, now.getTime()));
  const move = { key, orderId, amountCents, isLookup };
  if (kind === "refund" && chargeId) return provider.refund({ ...move, chargeId });
  // Of a charge no more is moved than there was, also if some has come back.
  if (kind === "release" && chargeId && accountId)
    return provider.release({ ...move, chargeId: facts.released > 0 ? null : chargeId, accountId });
  const transfer = kind === "take back" ? await findReversibleRelease(db, orderId) : null;
  if (transfer) return provider.reverse({ ...move, transferId: transfer.id });
  throw new ProviderError("missing_account", false);
}

const ledgerKindOf = { release: "released", refund: "refunded", "take back": "taken back" } as const;

/**
 * Of two runs that have sent a task, one records it: also if the task was given up in between, since the money has moved.
 * What is due because of that follows from the ledger.
 */
async function recordDone(db: Db, { task, facts }: DueTask, providerId: string, now: Date) {
  const { id, orderId, kind, amountCents } = task;
  const done = { doneAt: now, providerId, error: null, nextAt: null, attempts: task.attempts + 1 };
  const isRecorded = and(
    eq(ledgerEntries.kind, ledgerKindOf[kind]),
    eq(ledgerEntries.providerId, providerId),
  );
  const entry = (kind: LedgerKind, amountCents: number) =>
    db.insert(ledgerEntries).values({ orderId, kind, amountCents, providerId, createdAt: now });
  const fee = feeOfMove(kind, amountCents, facts);
  const statements: BatchItem<"sqlite">[] = [
    db
      .insert(paymentTasks)
      .values({ ...task, ...done })
      .onConflictDoUpdate({ target: paymentTasks.id, set: done }),
    entry(ledgerKindOf[kind], amountCents),
    ...(fee === 0 ? [] : [entry("fee", fee)]),
    markSettled(db, orderId, now),
    ...(kind === "release"
      ? [
          notifySide(db, "seller", "paid out", {
            order: eq(orders.id, orderId),
            details: { releasedCents: amountCents },
            event: `paid out ${id}`,
          }),
        ]
      : []),
  ];
  await batchUnless(db, { "done before": sql`not ${hasRow(db, ledgerEntries, isRecorded)}` }, statements);
}

/** A statement: once nothing is held and nothing is expected, the payment is settled. */
export function markSettled(db: Db, orderId: string, now: Date) {
  const isOver = sql`${heldColumn} = 0 and ${toRefundColumn} <= 0 and not ${isDisputed}`;
  return db
    .update(payments)
    .set({ settledAt: sql`iif(${isOver}, ${now.getTime()}, null)` })
    .where(eq(payments.orderId, orderId));
}

/** What the seller has got, as a column of `payments`. */
export const withSellerCents = sql<number>`(select coalesce(sum(iif(${ledgerEntries.kind} = 'released', 1, -1) * ${ledgerEntries.amountCents}), 0)
  from ${ledgerEntries} where ${ledgerEntries.orderId} = ${payments.orderId}
    and ${ledgerEntries.kind} in ('released', 'taken back'))`;

/** `heldCents` as a column of `payments`. */
const heldColumn = sql`(select coalesce(sum(case ${ledgerEntries.kind}
  when 'charged' then 1 when 'taken back' then 1 else -1 end * ${ledgerEntries.amountCents}), 0)
  from ${ledgerEntries} where ${ledgerEntries.orderId} = ${payments.orderId})`;

/** `toRefundCents` as a column of `payments`; less than nothing if it was paid back before. */
const toRefundColumn = sql`(select iif(${orders.status} = 'cancelled', ${payments.amountCents}, ${payments.refundCents})
  from ${orders} where ${orders.id} = ${payments.orderId}) - (select coalesce(sum(${ledgerEntries.amountCents}), 0)
  from ${ledgerEntries} where ${ledgerEntries.orderId} = ${payments.orderId} and ${ledgerEntries.kind} = 'refunded')`;

/** @returns whether something else is due now */
async function recordFailure(
  db: Db,
  { task, facts }: DueTask,
  { code, isRetryable }: ProviderError,
  now: Date,
): Promise<boolean> {
  const { id, orderId, kind, cause } = task;
  const isOpen = and(eq(paymentTasks.id, id), isNull(paymentTasks.doneAt));
  // What is due instead follows from the ledger.
  if (code === notDone) {
    await db.batch([
      // Nobody goes on reading that staff has decided it.
      db.delete(orderSteps).where(and(eq(orderSteps.id, id), hasRow(db, paymentTasks, isOpen))),
      db.delete(paymentTasks).where(isOpen),
    ]);
    return true;
  }
  const amountCents = toRefundCents(facts);
  // The buyer does not wait for a seller who has spent the money: they are paid back first, and the seller owes it.
  if (kind === "take back" && !isRetryable && amountCents > 0) {
    const refund = {
      orderId,
      kind: "refund",
      amountCents,
      cause,
      createdAt: now,
      nextAt: now,
    } as const;
    await batchUnless(db, { "done before": hasRow(db, paymentTasks, isOpen) }, [
      replaceTask(db, now, isOpen, code),
      db.insert(paymentTasks).values(refund),
    ]);
    return true;
  }
  const pause = isRetryable ? Math.min(pauses.first * 2 ** task.attempts, pauses.longest) : pauses.refused;
  const nextAt = new Date(now.getTime() + pause);
  await db
    .update(paymentTasks)
    .set({ attempts: sql`${paymentTasks.attempts} + 1`, error: code, nextAt })
    .where(isOpen);
  return false;
}

/** Sends again at once what could not be taken back from a seller, who may have the money now. @returns the codes of the failures */
export async function retryDebts(
  db: Db,
  provider: PaymentProvider,
  seller: Pick<Viewer, "id">,
): Promise<string[]> {
  return (await sendAgain(db, provider, await selectDebts(db, seller.id))).failures;
}

/**
 * What was refused gets another key, since the provider answers the same to the first one for a day; of all else the answer
 * may only have been lost.
 *
 * @param also makes a statement of what is sent, under the condition that it can be
 */
export async function sendAgain(
  db: Db,
  provider: PaymentProvider,
  tasks: { id: string }[],
  also?: (isSent: SQL) => BatchItem<"sqlite">,
): Promise<{ failures: string[]; moved: string[] }> {
  const now = new Date();
  const sent: string[] = [];
  for (const { id } of tasks) {
    const newId = timeOrderedId();
    const task = and(eq(paymentTasks.id, id), isResendable(db));
    const [, retried] = await db.batch([
      // A decision of staff has the id of its task.
      db
        .update(orderSteps)
        .set({ id: newId })
        .where(and(eq(orderSteps.id, id), hasRow(db, paymentTasks, and(task, isRefused(now))))),
      db
        .update(paymentTasks)
        .set({ id: sql`iif(${isRefused(now)}, ${newId}, ${paymentTasks.id})`, nextAt: now })
        .where(task)
        .returning({ id: paymentTasks.id }),
      ...(also
        ? [also(hasRow(db, paymentTasks, and(inArray(paymentTasks.id, [id, newId]), isResendable(db))))]
        : []),
    ]);
    sent.push(...retried.map((task) => task.id));
  }
  if (sent.length === 0) return { failures: [], moved: [] };
  return sendPaymentTasks(db, provider, now, inArray(paymentTasks.id, sent));
}

/** What was last released to the seller of an order and can still be taken back, and how much of it. */
export async function findReversibleRelease(db: Db, orderId: string) {
  const { id, kind, providerId, amountCents } = ledgerEntries;
  const entries = await db
    .select({ kind, providerId, amountCents })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.orderId, orderId), inArray(kind, ["released", "taken back"])))
    .orderBy(asc(id));
  const released: { id: string; leftCents: number }[] = [];
  for (const { kind, providerId, amountCents } of entries) {
    if (kind === "released") released.push({ id: providerId, leftCents: amountCents });
    const last = released.findLast(({ leftCents }) => leftCents > 0);
    if (kind === "taken back" && last) last.leftCents -= amountCents;
  }
  return released.findLast(({ leftCents }) => leftCents > 0) ?? null;
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
