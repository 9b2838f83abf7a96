import { and, eq, isNull, not, or, type SQL, sql } from "drizzle-orm";
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
  orders,
  payments,
  paymentTasks,
  phones,
} from "#app/db/schema.ts";
import { system } from "../accounts/viewer.ts";
import { notifySide } from "../audit/notify.server.ts";
import { holdOrders } from "../orders/order-steps.server.ts";
import { heldCents, type LedgerSums } from "../payments/payment.rules.ts";
import { settlePayment, sumLedger } from "../payments/payment-tasks.server.ts";
import { addDueTask } from "../payments/payments.server.ts";
import { type PaymentProvider, type ProviderDispute, ProviderError } from "../payments/provider.ts";
import { pauseReviews } from "../reviews/write-review.server.ts";
import { advance } from "./order-problems.server.ts";

/**
 * Looks up at the provider what a buyer’s bank disputes. Until it decides, no money moves, and a problem that Ringback has
 * opened holds the order. What the bank takes back is booked; if it is all, the order ends.
 */
export async function refreshDispute(
  db: Db,
  provider: PaymentProvider,
  disputeId: string,
  now = new Date(),
): Promise<void> {
  const dispute = await provider.findDispute(disputeId);
  const isOf = and(
    eq(payments.chargeId, dispute.chargeId),
    or(isNull(payments.disputeId), eq(payments.disputeId, disputeId)),
  );
  const [payment] = await db.select({ orderId: payments.orderId }).from(payments).where(isOf);
  if (!payment) return;
  await beginDispute(db, payment.orderId, disputeId, now);
  if (dispute.state !== "open") await endDispute(db, payment.orderId, disputeId, dispute, now);
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
  await batchUnless(
    db,
    { "begun before": hasRow(db, payments, and(isPayment, isNull(payments.disputedAt))) },
    [
      db.update(payments).set({ disputeId, disputedAt: now, settledAt: null }).where(isPayment),
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
    ],
  );
}

/** How often the end is tried, if something else happens to the order at the same moment. */
const maxTries = 3;

/** Books what the bank has decided, once. */
async function endDispute(db: Db, orderId: string, disputeId: string, dispute: ProviderDispute, now: Date) {
  const isRunning = and(eq(payments.orderId, orderId), isNull(payments.disputeEndedAt));
  for (let tries = 0; tries < maxTries; tries += 1) {
    if ((await db.$count(payments, isRunning)) === 0) return;
    const entries = await db.$count(ledgerEntries, eq(ledgerEntries.orderId, orderId));
    const sums = await sumLedger(db, orderId);
    const lostCents = dispute.state === "lost" ? dispute.amountCents : 0;
    const takesAll = sums.refunded + lostCents >= sums.charged && lostCents > 0;
    const isAsRead = and(
      hasRow(db, payments, isRunning),
      eq(db.$count(ledgerEntries, eq(ledgerEntries.orderId, orderId)), entries),
    );
    const booked = [
      db.update(payments).set({ disputeEndedAt: now }).where(eq(payments.orderId, orderId)),
      ...(lostCents > 0 ? bookLoss(db, orderId, { disputeId, lostCents, sums, now }) : []),
      settlePayment(db, orderId, now),
    ];
    if ((await endProblem(db, orderId, { lostCents, takesAll, isAsRead, booked, now })) !== "changed") return;
  }
  throw new ProviderError("changed_meanwhile", true);
}

/** Statements: the bank has taken the money. What neither is held nor can be taken back from the seller, the market bears. */
function bookLoss(
  db: Db,
  orderId: string,
  {
    disputeId: providerId,
    lostCents,
    sums,
    now: createdAt,
  }: { disputeId: string; lostCents: number; sums: LedgerSums; now: Date },
): BatchItem<"sqlite">[] {
  const borne = Math.min(0, heldCents(sums) - lostCents + sums.released - sums.takenBack);
  const entry = (kind: LedgerKind, amountCents: number) =>
    db.insert(ledgerEntries).values({ orderId, kind, amountCents, providerId, createdAt });
  const isUnsent = and(
    eq(paymentTasks.orderId, orderId),
    isNull(paymentTasks.doneAt),
    eq(paymentTasks.attempts, 0),
  );
  return [
    entry("refunded", lostCents),
    ...(borne < 0 ? [entry("fee", borne)] : []),
    // What was to be moved is another amount now. What may have been moved is looked up when it is sent again.
    db.delete(paymentTasks).where(isUnsent),
  ];
}

interface BankDecision {
  lostCents: number;
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
  { lostCents, takesAll, isAsRead, booked, now }: BankDecision,
) {
  const isOpen = and(
    eq(orderProblems.orderId, orderId),
    eq(orderProblems.openedBy, "system"),
    isNull(orderProblems.endedAt),
  );
  const [problem] = await db.select().from(orderProblems).where(isOpen);
  if (problem)
    return advance(db, problem, takesAll ? "returned" : "solved", {
      actor: system,
      kind: "decided",
      text: "",
      amountCents: lostCents || null,
      told: "problem answer",
      details: { problemStep: "decided" },
      also: booked,
      condition: isAsRead,
      now,
    });
  const changed = and(isAsRead, not(hasRow(db, orderProblems, isOpen)));
  const refusal = await batchUnless(db, { changed }, booked);
  if (!refusal) await addDueTask(db, orderId);
  return refusal;
}
