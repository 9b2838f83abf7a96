import { and, eq, inArray, isNull, ne, not, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, valueFor } from "#app/db/conditions.server.ts";
import type { LedgerKind } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import {
  ledgerEntries,
  orderProblemSteps,
  orderProblems,
  orderSteps,
  orders,
  payments,
  phones,
  removals,
} from "#app/db/schema.ts";
import { hasAccount } from "../accounts/accounts.server.ts";

import { system } from "../accounts/viewer.ts";
import { notifySide } from "../audit/notify.server.ts";
import { deadlinesOf, isDisputed } from "../audit/order-windows.server.ts";
import { isDeviceBack } from "../listings/listing-removal.server.ts";
import { addStep, holdOrders, isSellerSuspended } from "../orders/order-steps.server.ts";
import { heldCents, type LedgerSums } from "../payments/payment.rules.ts";
import { markSettled, retryTasksNow, sumLedger } from "../payments/payment-tasks.server.ts";
import { addDueTask } from "../payments/payments.server.ts";
import { isOfBank } from "../payments/protected-orders.server.ts";
import { type PaymentProvider, type ProviderDispute, ProviderError } from "../payments/provider.ts";
import { pauseReviews } from "../reviews/write-review.server.ts";
import { advanceProblem, endProblemOf } from "./order-problems.server.ts";

/**
 * Looks up at the provider what a buyer’s bank disputes: all of a charge, since a bank can dispute it more than once. Until
 * it has decided about each, no money moves, and a problem that Ringback has opened holds the order. What the bank takes or
 * gives back is booked; if it has taken all, the order ends.
 */
export async function refreshDispute(
  db: Db,
  provider: PaymentProvider,
  disputeId: string,
  now = new Date(),
): Promise<void> {
  const find = () => provider.findDisputes(disputeId);
  let { chargeId, disputes } = await find();
  const isCharge = and(eq(ledgerEntries.kind, "charged"), eq(ledgerEntries.providerId, chargeId));
  const [charge] = await db.select({ orderId: ledgerEntries.orderId }).from(ledgerEntries).where(isCharge);
  if (!charge) return;
  const { orderId } = charge;
  const changes = changesOf(disputes, await findBooked(db, orderId));
  const isLoss = sumOf(changes) > 0;
  const open = disputes.find(({ state }) => state === "open");
  if (open || isLoss) {
    await beginDispute(db, orderId, (open ?? { id: disputeId }).id, now);
    // It may have been decided while this was stored.
    ({ disputes } = await find());
  }
  if (!disputes.some(({ state }) => state === "open")) await endDispute(db, orderId, disputes, now);
}

/** What a bank has taken or, if it is less than nothing, given back, and the id under which it is booked. */
interface BankChange {
  id: string;
  cents: number;
}

const sumOf = (changes: { cents: number }[]) => changes.reduce((sum, { cents }) => sum + cents, 0);

/** What of an order’s disputes is not in the ledger yet: what was lost, or was lost before and is won now. */
function changesOf(disputes: ProviderDispute[], booked: { id: string; cents: number }[]): BankChange[] {
  return disputes.flatMap(({ id, state, amountCents }) => {
    const before = booked.filter((entry) => entry.id === id || entry.id.startsWith(`${id} `));
    const cents = (state === "lost" ? amountCents : 0) - sumOf(before);
    if (state === "open" || cents === 0) return [];
    return [{ id: before.length === 0 ? id : `${id} ${before.length + 1}`, cents }];
  });
}

/** What is booked of an order’s disputes, by the ids of the entries. */
function findBooked(db: Db, orderId: string) {
  return db
    .select({ id: ledgerEntries.providerId, cents: ledgerEntries.amountCents })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.orderId, orderId), isOfBank(db)));
}

/** Opens the problem of an order that goes on, and tells both sides at once: its seller may still have the device. */
async function beginDispute(db: Db, orderId: string, disputeId: string, now: Date) {
  const [problemId, stepId] = [timeOrderedId(), timeOrderedId()];
  const order = eq(orders.id, orderId);
  const isPayment = eq(payments.orderId, orderId);
  const isOpened = hasRow(db, orderProblems, eq(orderProblems.id, problemId));
  const notice = {
    order: and(order, isOpened),
    event: `problem ${stepId}`,
    page: "/problem",
  } as const;
  await batchUnless(db, { "begun before": hasRow(db, payments, and(isPayment, not(isDisputed))) }, [
    db
      .update(payments)
      .set({ disputeId, disputedAt: now, disputeEndedAt: null, settledAt: null })
      .where(isPayment),
    db.insert(orderProblems).select(
      db
        .select({
          id: valueFor(orderProblems.id, problemId),
          orderId: orders.id,
          buyerId: orders.buyerId,
          sellerId: phones.sellerId,
          openedBy: valueFor(orderProblems.openedBy, "system"),
          kind: valueFor(orderProblems.kind, "bank dispute"),
          state: valueFor(orderProblems.state, "open"),
          lastStepId: valueFor(orderProblems.lastStepId, stepId),
          // The bank has its own.
          deadlineAt: valueFor(orderProblems.deadlineAt, null),
          reminderAt: valueFor(orderProblems.reminderAt, null),
          createdAt: valueFor(orderProblems.createdAt, now),
          endedAt: valueFor(orderProblems.endedAt, null),
        })
        .from(orders)
        .innerJoin(phones, eq(phones.id, orders.phoneId))
        .where(and(order, eq(orders.status, "active"))),
    ),
    db.insert(orderProblemSteps).select(
      db
        .select({
          id: valueFor(orderProblemSteps.id, stepId),
          problemId: orderProblems.id,
          actorId: valueFor(orderProblemSteps.actorId, system.id),
          kind: valueFor(orderProblemSteps.kind, "opened"),
          offer: valueFor(orderProblemSteps.offer, null),
          amountCents: valueFor(orderProblemSteps.amountCents, null),
          text: valueFor(orderProblemSteps.text, ""),
          createdAt: valueFor(orderProblemSteps.createdAt, now),
        })
        .from(orderProblems)
        .where(eq(orderProblems.id, problemId)),
    ),
    holdOrders(db, and(order, isOpened), now),
    pauseReviews(
      db,
      sql`(select ${orderProblems.orderId} from ${orderProblems} where ${orderProblems.id} = ${problemId})`,
      now,
    ),
    notifySide(db, "buyer", "payment disputed", notice),
    notifySide(db, "seller", "payment disputed", notice),
  ]);
}

/** What the market has borne of an order’s disputes. */
async function sumBorne(db: Db, booked: { id: string }[]): Promise<number> {
  const ids = booked.map(({ id }) => id);
  const [found] = await db
    .select({ cents: sql<number>`-coalesce(sum(${ledgerEntries.amountCents}), 0)`.as("borne_cents") })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.kind, "fee"), inArray(ledgerEntries.providerId, ids)));
  return found?.cents ?? 0;
}

/** How often the end is tried, if something else happens to the order at the same moment. */
const maxTries = 3;

/** Books what the bank has decided, once. */
async function endDispute(db: Db, orderId: string, disputes: ProviderDispute[], now: Date) {
  const payment = eq(payments.orderId, orderId);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const isRunning = (await db.$count(payments, and(payment, isDisputed))) > 0;
    const entries = await db.$count(ledgerEntries, eq(ledgerEntries.orderId, orderId));
    const before = await findBooked(db, orderId);
    const changes = changesOf(disputes, before);
    if (!isRunning && changes.length === 0) return;
    const sums = await sumLedger(db, orderId);
    const isAsRead = and(
      hasRow(db, payments, and(payment, isRunning ? isDisputed : not(isDisputed))),
      eq(db.$count(ledgerEntries, eq(ledgerEntries.orderId, orderId)), entries),
    );
    const booked = [
      db.update(payments).set({ disputeEndedAt: now }).where(payment),
      ...(changes.length > 0
        ? bookChanges(db, orderId, { changes, sums, borneCents: await sumBorne(db, before), now })
        : []),
      markSettled(db, orderId, now),
    ];
    const takenCents = sumOf(changes);
    const takesAll = takenCents > 0 && sums.refunded + takenCents >= sums.charged;
    const decision = { takenCents, takesAll, isAsRead, booked, now };
    const end = takenCents < 0 && !isRunning ? bookGivenBack : endProblem;
    if ((await end(db, orderId, decision)) !== "changed") return;
  }
  throw new ProviderError("changed_meanwhile", true);
}

/**
 * Statements: the bank has taken the money, or given it back. What neither is held nor can be taken back from the seller,
 * the market bears, until it is given back.
 */
function bookChanges(
  db: Db,
  orderId: string,
  {
    changes,
    sums,
    borneCents,
    now: createdAt,
  }: { changes: BankChange[]; sums: LedgerSums; borneCents: number; now: Date },
): BatchItem<"sqlite">[] {
  const cents = sumOf(changes);
  const borne =
    cents > 0
      ? Math.min(0, heldCents(sums) - cents + sums.released - sums.takenBack)
      : Math.min(borneCents, -cents);
  const entry = (kind: LedgerKind, amountCents: number, providerId: string) =>
    db.insert(ledgerEntries).values({ orderId, kind, amountCents, providerId, createdAt });
  return [
    ...changes.map((change) => entry("refunded", change.cents, change.id)),
    ...(borne === 0 ? [] : [entry("fee", borne, changes[0]?.id ?? "")]),
    // What was to be moved is another amount now, but may have been moved: it is looked up.
    retryTasksNow(db, orderId, createdAt),
  ];
}

interface BankDecision {
  /** Less than nothing if the bank gives back what it has taken before. */
  takenCents: number;
  /** Whether the bank has taken all of the payment, so that the order ends. */
  takesAll: boolean;
  /** What must still hold in the batch, and what is booked in it. */
  isAsRead: SQL | undefined;
  booked: BatchItem<"sqlite">[];
  now: Date;
}

/** Ends the problem, and the order if all of its money is gone. It may have ended with its order before. */
async function endProblem(
  db: Db,
  orderId: string,
  { takenCents, takesAll, isAsRead, booked, now }: BankDecision,
) {
  const isOpen = and(isOfDispute(orderId), isNull(orderProblems.endedAt));
  const [problem] = await db.select().from(orderProblems).where(isOpen);
  if (problem)
    return advanceProblem(db, problem, takesAll ? "returned" : "solved", {
      ...decidedStep,
      amountCents: takenCents > 0 ? takenCents : null,
      also: booked,
      condition: isAsRead,
      now,
    });
  const changed = and(isAsRead, not(hasRow(db, orderProblems, isOpen)));
  const refusal = await batchUnless(db, { changed }, booked);
  if (!refusal) await addDueTask(db, orderId);
  return refusal;
}

const isOfDispute = (orderId: string) =>
  and(eq(orderProblems.orderId, orderId), eq(orderProblems.openedBy, "system"));

const decidedStep = {
  actor: system,
  kind: "decided",
  text: "",
  told: "problem answer",
  details: { problemStep: "decided" },
} as const;

/**
 * The bank gives back what it had taken. An order that had ended by that goes on if its buyer still has the device; else
 * the money goes to the buyer, as after any end.
 */
async function bookGivenBack(db: Db, orderId: string, { isAsRead, booked, now }: BankDecision) {
  const ending = and(isOfDispute(orderId), eq(orderProblems.state, "returned"));
  const isOrder = and(eq(orders.id, orderId), isWithBuyer(db));
  const [found] = await db
    .select({ problem: orderProblems })
    .from(orderProblems)
    .innerJoin(orders, isOrder)
    .where(ending)
    .limit(1);
  if (found)
    return advanceProblem(db, found.problem, "solved", {
      ...decidedStep,
      // Whether it is settled depends on whether it goes on.
      also: [...continueOrder(db, orderId, now), ...booked],
      condition: and(isAsRead, hasRow(db, orders, isOrder)),
      now,
    });
  const refusal = await batchUnless(db, { changed: isAsRead }, booked);
  if (!refusal) await addDueTask(db, orderId);
  return refusal;
}

/** Condition on `orders`: it has ended after its handover, and its seller, who is still there, has not got the device back. */
function isWithBuyer(db: Db) {
  return and(
    eq(orders.status, "cancelled"),
    ne(orders.stage, "reserved"),
    sql`not ${isDeviceBack}`,
    hasAccount(db, sql`(select seller_id from ${phones} where ${phones.id} = ${orders.phoneId})`),
  );
}

/** Statements: an order that had ended is again where it was. What was said of its device since then is settled. */
function continueOrder(db: Db, orderId: string, now: Date): BatchItem<"sqlite">[] {
  const order = eq(orders.id, orderId);
  const wasReceived = hasRow(
    db,
    orderSteps,
    and(eq(orderSteps.orderId, orderId), eq(orderSteps.kind, "received")),
  );
  const { deadlineAt, reminderAt } = deadlinesOf("handed over");
  const unlessReceived = (time: Date) => sql`iif(${wasReceived}, null, ${time.getTime()})`;
  const notice = { order, event: `continued ${timeOrderedId()}`, details: { backOnFor: "bank" } } as const;
  return [
    ...endProblemOf(db, orderId, "seller", { kind: "closed", now }),
    db
      .update(removals)
      .set({ undoneAt: now })
      .where(inArray(removals.id, db.select({ id: orders.removalId }).from(orders).where(order))),
    db
      .update(orders)
      .set({
        status: "active",
        removalId: null,
        stage: sql`iif(${wasReceived}, 'received', 'handed over')`,
        deadlineAt: unlessReceived(deadlineAt),
        reminderAt: unlessReceived(reminderAt),
      })
      .where(order),
    db
      .update(phones)
      .set({
        status: sql`iif(${wasReceived}, 'sold', 'reserved')`,
        hiddenById: sql`nullif(${phones.hiddenById}, ${orderId})`,
      })
      .where(inArray(phones.id, db.select({ id: orders.phoneId }).from(orders).where(order))),
    holdOrders(db, and(order, ne(orders.stage, "received"), isSellerSuspended(db)), now),
    addStep(db, system, orderId, "reinstated"),
    notifySide(db, "buyer", "reinstated", notice),
    notifySide(db, "seller", "reinstated", notice),
  ];
}
