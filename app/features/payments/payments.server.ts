import { and, desc, eq, inArray, isNotNull, isNull, ne, not, or, type SQL, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, valueFor } from "#app/db/conditions.server.ts";
import type { LedgerKind, OrderSide } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import {
  ledgerEntries,
  orderProblemSteps,
  orderProblems,
  orders,
  payments,
  paymentTasks,
  phones,
  users,
} from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { notifySide } from "../audit/notify.server.ts";
import { deadlinesOf, endedAt } from "../audit/order-windows.server.ts";
import { undoableSince } from "../audit/removals.server.ts";
import {
  areMoneyFactsUnchanged,
  factSelection,
  type RawFacts,
  selectFacts,
  toFacts,
} from "./money-facts.server.ts";
import {
  followsReturn,
  heldCents,
  holdReason,
  type MoneyDue,
  type MoneyFacts,
  moneyDue,
  moneyState,
  refundTime,
  releaseTime,
  sellerShareCents,
  toRefundCents,
  waitsForDevice,
  wasPaidTooLate,
} from "./payment.rules.ts";
import {
  findReversibleRelease,
  forEachUntilProviderDown,
  isRefused,
  replacedRefundCents,
  replaceTask,
  retryTasksNow,
  sendPaymentTasks,
} from "./payment-tasks.server.ts";
import { failureCode, isOfBank } from "./protected-orders.server.ts";
import type { PaymentProvider } from "./provider.ts";

/** The payment of a protected order as its sides see it. */
export async function findPayment(db: Db, orderId: string) {
  const [row] = await selectPayment(db, orderId);
  return row ? shownPayment(row) : null;
}

function selectPayment(db: Db, orderId: string) {
  return db
    .select({
      ...factSelection(db),
      payBy: payments.payBy,
      isOnHold: isNotNull(orders.heldSince).mapWith(Boolean).as("is_on_hold"),
      refundReason: payments.refundReason,
      suspendedUntil: users.suspendedUntil,
      isFailing: sql`${isNotNull(failureCode)}`.mapWith(Boolean).as("is_failing"),
      history: sql<
        LedgerRow[]
      >`(select json_group_array(json_object('id', ${ledgerEntries.id}, 'kind', ${ledgerEntries.kind},
        'cents', ${ledgerEntries.amountCents}, 'at', ${ledgerEntries.createdAt}, 'isOfBank', ${isOfBank(db)}))
        from ${ledgerEntries} where ${ledgerEntries.orderId} = ${payments.orderId})`
        .mapWith((text: string) =>
          (JSON.parse(text) as LedgerRow[]).sort((one, other) => (one.id < other.id ? -1 : 1)),
        )
        .as("history"),
    })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .leftJoin(phones, eq(phones.id, orders.phoneId))
    .leftJoin(users, eq(users.id, payments.sellerId))
    .where(eq(payments.orderId, orderId));
}

interface LedgerRow {
  id: string;
  kind: LedgerKind;
  cents: number;
  /** In milliseconds. */
  at: number;
  /** Whether the buyer’s bank has taken it, or given it back: 0 or 1. */
  isOfBank: number;
}

function shownPayment(row: Awaited<ReturnType<typeof selectPayment>>[number]) {
  const { payBy, isOnHold, refundReason, suspendedUntil, isFailing, history, ...raw } = row;
  const facts = toFacts(raw);
  const state = moneyState(facts);
  const hasEnded = facts.status === "cancelled";
  const time =
    state === "to be refunded" && hasEnded
      ? refundTime(facts)
      : state === "to be released"
        ? releaseTime(facts)?.at
        : undefined;
  return {
    state,
    sellerShareCents: hasEnded ? 0 : sellerShareCents(facts),
    toRefundCents: toRefundCents(facts),
    refundedCents: facts.refunded,
    /** What the buyer has paid and not got back. */
    leftCents: Math.max(0, facts.charged - facts.refunded),
    refundedByBankCents: history.reduce((sum, { isOfBank, cents }) => sum + (isOfBank ? cents : 0), 0),
    /** What is still to be taken back from the seller after the buyer has got it. */
    owedCents: Math.max(0, -heldCents(facts)),
    wasPaidTooLate: wasPaidTooLate(facts),
    payBy: payBy.toISOString(),
    refundReason,
    movesAt: time !== undefined && Number.isFinite(time) ? new Date(time).toISOString() : null,
    /** Whether that time has passed, so that the next run of the jobs moves it. */
    isMoving: time !== undefined && time <= Date.now(),
    waitsForDevice: hasEnded && waitsForDevice(facts),
    isPayoutReady: facts.isPayoutReady,
    holdReason: holdReason(facts),
    suspendedUntil: suspendedUntil?.toISOString() ?? null,
    isFailing,
    canBePaid: isTimeToPay({ ...facts, payBy }),
    canStillPay: canStillPay({ ...facts, payBy, isOnHold }),
    history: history
      // What the market bears is no fee to the two sides.
      .filter(({ kind, cents }) => kind !== "fee" || cents > 0)
      .map(({ kind, cents, at, isOfBank }) => ({
        kind,
        cents,
        at: new Date(at).toISOString(),
        isOfBank: isOfBank === 1,
      })),
  };
}

interface OrderToPay {
  status: MoneyFacts["status"];
  paidAt: Date | number | null;
  payBy: Date;
  isOnHold: boolean;
}

const isTimeToPay = ({ status, paidAt, payBy }: Omit<OrderToPay, "isOnHold">) =>
  paidAt === null && status === "active" && payBy.getTime() > Date.now();

/** Whether the buyer can pay now: it is offered, and accepted. */
const canStillPay = ({ isOnHold, ...order }: OrderToPay) => isTimeToPay(order) && !isOnHold;

/** Orders of one run; the next run continues. */
const maxOrders = 500;

/**
 * Stores what is to be done with the money of protected orders now, under the facts that it follows from: of two runs at
 * once, one stores it. The tasks are then sent by `moveMoney`.
 */
export async function addDueTasks(db: Db, now = new Date()): Promise<void> {
  // Each needs a step that brings its time; what only waits for one is left out.
  const mayBeDue = sql`(${orders.status} = 'cancelled' or ${orders.stage} = 'received' or ${payments.refundCents} > 0
    or ${payments.disputeEndedAt} is not null)`;
  let after = "";
  for (;;) {
    const found = await selectFacts(db)
      .where(
        and(
          isNull(payments.settledAt),
          isNotNull(payments.paidAt),
          mayBeDue,
          sql`${payments.orderId} > ${after}`,
        ),
      )
      .orderBy(payments.orderId)
      .limit(maxOrders);
    for (const row of found) {
      await addTaskOf(db, row, now);
      await replaceRefused(db, row, now);
    }
    if (found.length < maxOrders) return;
    after = found.at(-1)?.orderId ?? "";
  }
}

/**
 * The same for one order, after a step that may decide about its money. What goes back to the buyer does not wait for what
 * has failed: that is sent at once, or looked up if it is no longer due.
 */
export async function addDueTask(db: Db, orderId: string, now = new Date()): Promise<void> {
  for (const row of await selectFacts(db).where(eq(payments.orderId, orderId))) {
    await addTaskOf(db, row, now);
    if (toRefundCents(toFacts(row)) === 0) continue;
    await replaceRefused(db, row, now);
    await retryTasksNow(db, orderId, now, or(ne(paymentTasks.kind, "refund"), not(isRefused(now))));
  }
}

/**
 * A refund that the provider has refused makes way for what the buyer gets back since: that is sent by itself, and what was
 * refused is due again after it, under another key.
 */
async function replaceRefused(db: Db, row: { orderId: string } & RawFacts, now: Date): Promise<void> {
  const facts = toFacts(row);
  if (!facts.hasTask) return;
  const due = moneyDue({ ...facts, hasTask: false }, now.getTime());
  const isOpen = and(eq(paymentTasks.orderId, row.orderId), isNull(paymentTasks.doneAt));
  const [refused] = await db
    .select({
      id: paymentTasks.id,
      amountCents: paymentTasks.amountCents,
      replacedCents: replacedRefundCents.as("replaced_cents"),
    })
    .from(paymentTasks)
    .where(and(isOpen, eq(paymentTasks.kind, "refund"), isRefused(now)));
  const since = toRefundCents(facts) - (refused ? refused.amountCents + refused.replacedCents : 0);
  if (!refused || !due || due.kind === "release" || since <= 0) return;
  const amountCents = Math.min(since, heldCents(facts));
  const next = amountCents > 0 ? { ...due, kind: "refund" as const, amountCents } : due;
  await storeTask(db, row, next, {
    toldCents: since,
    now,
    replaced: and(eq(paymentTasks.id, refused.id), isOpen, isRefused(now)),
  });
}

/**
 * Sends the tasks whose time has come, and at once what each makes due: what is taken back from the seller, or cannot be,
 * goes to the buyer, and the rest to the seller.
 *
 * @returns the codes of the failures
 */
export async function moveMoney(db: Db, provider: PaymentProvider, now = new Date()): Promise<string[]> {
  const failures: string[] = [];
  let condition: SQL | undefined;
  for (;;) {
    const sent = await sendPaymentTasks(db, provider, now, condition);
    failures.push(...sent.failures);
    const { moved } = sent;
    if (moved.length === 0) return failures;
    for (const orderId of moved) await addDueTask(db, orderId, now);
    condition = inArray(paymentTasks.orderId, moved);
  }
}

async function addTaskOf(db: Db, row: { orderId: string } & RawFacts, now: Date) {
  const { orderId } = row;
  const facts = toFacts(row);
  const due = moneyDue(facts, now.getTime());
  if (!due) return;
  // Of several transfers one is reversed at a time.
  const reversible = due.kind === "take back" ? await findReversibleRelease(db, orderId) : null;
  if (reversible) due.amountCents = Math.min(due.amountCents, reversible.leftCents);
  await storeTask(db, row, due, { toldCents: toRefundCents(facts), now });
}

/**
 * Stores a task under the facts that it follows from, and tells both sides what goes back to the buyer, once.
 *
 * @param toldCents what goes back of which they were not told yet
 * @param replaced condition on the open task that this one replaces
 */
async function storeTask(
  db: Db,
  row: { orderId: string } & RawFacts,
  due: MoneyDue,
  { toldCents, now, replaced }: { toldCents: number; now: Date; replaced?: SQL | undefined },
) {
  const { orderId } = row;
  const facts = toFacts(row);
  const isTold = toldCents <= 0 || (await saysDecision(db, orderId, facts));
  const expected = {
    changed: areMoneyFactsUnchanged(db, row),
    "tried again": replaced && hasRow(db, paymentTasks, replaced),
  };
  await batchUnless(db, expected, [
    ...(replaced ? [replaceTask(db, now, replaced)] : []),
    db.insert(paymentTasks).values({ orderId, ...due, createdAt: now, nextAt: now }),
    ...(isTold
      ? []
      : tellRefund(db, orderId, {
          refundedCents: toldCents,
          totalCents: facts.refunded + toRefundCents(facts),
          // Who has the device back has just read it.
          sides: facts.status === "cancelled" && facts.isDeviceBack ? ["buyer"] : undefined,
        })),
  ]);
}

/**
 * Statements: the sides of an order are told what goes back to the buyer.
 *
 * @param totalCents what the buyer has got back then: nobody is told of it twice
 */
export function tellRefund(
  db: Db,
  orderId: string,
  {
    refundedCents,
    totalCents,
    sides = ["buyer", "seller"],
    condition,
  }: { refundedCents: number; totalCents: number; sides?: OrderSide[] | undefined; condition?: SQL },
) {
  return sides.map((side) =>
    notifySide(db, side, "refunded", {
      order: and(eq(orders.id, orderId), condition),
      details: { refundedCents },
      event: `refunded ${orderId} ${totalCents}`,
    }),
  );
}

/** Whether moderators have decided that money goes back now, of which their decision tells. */
async function saysDecision(db: Db, orderId: string, facts: MoneyFacts): Promise<boolean> {
  const hasEnded = facts.status === "cancelled";
  if (hasEnded && facts.endingProblem === null) return false;
  // That decision did not know when.
  if (hasEnded && followsReturn(facts) && facts.returnRefusedAt === null) return false;
  const [last] = await db
    .select({ kind: orderProblemSteps.kind })
    .from(orderProblems)
    .innerJoin(orderProblemSteps, eq(orderProblemSteps.id, orderProblems.lastStepId))
    .where(
      and(
        eq(orderProblems.orderId, orderId),
        ne(orderProblems.kind, "bank dispute"),
        isNotNull(orderProblems.endedAt),
      ),
    )
    .orderBy(desc(orderProblems.endedAt))
    .limit(1);
  return last?.kind === "decided";
}

/**
 * Records that the buyer has paid, once: only now the seller learns of the booking, and has their time for the handover.
 * What is paid after the order has ended goes back at once.
 */
export async function recordPaid(
  db: Db,
  {
    orderId,
    chargeId,
    amountCents,
    now = new Date(),
  }: { orderId: string; chargeId: string; amountCents: number; now?: Date },
): Promise<"done" | "done before"> {
  const order = eq(orders.id, orderId);
  const isOpen = and(order, eq(orders.status, "active"), eq(orders.stage, "reserved"));
  const isExpected = and(eq(payments.orderId, orderId), isNull(payments.paidAt));
  const refusal = await batchUnless(db, { "done before": hasRow(db, payments, isExpected) }, [
    db
      .insert(ledgerEntries)
      .values({ orderId, kind: "charged", amountCents, providerId: chargeId, createdAt: now }),
    db.update(payments).set({ paidAt: now, chargeId, settledAt: null }).where(eq(payments.orderId, orderId)),
    db
      .update(orders)
      .set({
        ...deadlinesOf("reserved"),
        heldSince: sql`iif(${orders.heldSince} is null, null, ${now.getTime()})`,
      })
      .where(isOpen),
    notifySide(db, "seller", "booked", { order: isOpen, event: `booked ${orderId}` }),
    // The seller was not told of the payment.
    ...tellRefund(db, orderId, {
      refundedCents: amountCents,
      totalCents: amountCents,
      sides: ["buyer"],
      condition: eq(orders.status, "cancelled"),
    }),
    db
      .insert(paymentTasks)
      .select(
        db
          .select({
            id: valueFor(paymentTasks.id, timeOrderedId()),
            orderId: orders.id,
            kind: valueFor(paymentTasks.kind, "refund"),
            amountCents: valueFor(paymentTasks.amountCents, amountCents),
            cause: valueFor(paymentTasks.cause, "paid too late"),
            createdAt: valueFor(paymentTasks.createdAt, now),
            doneAt: valueFor(paymentTasks.doneAt, null),
            providerId: valueFor(paymentTasks.providerId, null),
            attempts: valueFor(paymentTasks.attempts, 0),
            error: valueFor(paymentTasks.error, null),
            nextAt: valueFor(paymentTasks.nextAt, now),
          })
          .from(orders)
          .where(and(order, eq(orders.status, "cancelled"))),
      )
      .onConflictDoNothing(),
  ]);
  return refusal ?? "done";
}

/** What became of a buyer's wish to pay. */
type PayOutcome = { url: string } | "paid" | "not found" | "too late";

/**
 * The provider's page where a buyer pays an order: the same as long as it is open.
 *
 * @throws ProviderError
 */
export async function openPayment(
  db: Db,
  provider: PaymentProvider,
  buyer: Viewer,
  orderId: string,
  returnUrl: string,
): Promise<PayOutcome> {
  const payment = await findPaymentToMake(db, buyer, orderId);
  if (!payment) return "not found";
  if (payment.paidAt) return "paid";
  if (!canStillPay(payment)) return "too late";
  if (payment.checkoutId) {
    const found = await refreshPayment(db, provider, payment.checkoutId);
    if (found.state === "paid") return "paid";
    if (found.url) return { url: found.url };
  }
  const { amountCents, productName, payBy } = payment;
  const { checkoutId, url } = await provider.startPayment({
    // Another key once a page has expired: the same key stands for the same facts.
    key: `${orderId} ${payment.checkoutId ?? "first"}`,
    orderId,
    amountCents,
    productName,
    payBy,
    returnUrl,
  });
  const [stored] = await db
    .update(payments)
    .set({ checkoutId })
    .where(and(eq(payments.orderId, orderId), sql`${payments.checkoutId} is ${payment.checkoutId}`))
    .returning({ orderId: payments.orderId });
  // Another request was faster: only its page is known, so only that may be paid.
  return stored ? { url } : openPayment(db, provider, buyer, orderId, returnUrl);
}

async function findPaymentToMake(db: Db, buyer: Viewer, orderId: string) {
  const [found] = await db
    .select({
      checkoutId: payments.checkoutId,
      paidAt: payments.paidAt,
      payBy: payments.payBy,
      amountCents: payments.amountCents,
      productName: orders.productName,
      status: orders.status,
      isOnHold: isNotNull(orders.heldSince).mapWith(Boolean).as("is_on_hold"),
    })
    .from(payments)
    .innerJoin(orders, and(eq(orders.id, payments.orderId), eq(orders.buyerId, buyer.id)))
    .where(eq(payments.orderId, orderId));
  return found ?? null;
}

/** Looks up at the provider what became of a payment, and records it if it is paid. */
export async function refreshPayment(db: Db, provider: PaymentProvider, checkoutId: string) {
  const found = await provider.findPayment(checkoutId);
  if (found.state === "paid" && found.chargeId) {
    const { orderId, chargeId, amountCents } = found;
    await recordPaid(db, { orderId, chargeId, amountCents });
  }
  return found;
}

/**
 * Looks up a payment of which the buyer says that it is done. @returns whether it is, and the order goes on
 *
 * @throws ProviderError
 */
export async function confirmPayment(
  db: Db,
  provider: PaymentProvider,
  buyer: Viewer,
  orderId: string,
): Promise<boolean> {
  const payment = await findPaymentToMake(db, buyer, orderId);
  if (!payment) return false;
  const isPaid =
    payment.paidAt !== null ||
    (payment.checkoutId !== null &&
      (await refreshPayment(db, provider, payment.checkoutId)).state === "paid");
  return isPaid && payment.status === "active" && !payment.isOnHold;
}

/** Payments of one run that are looked up; the next run continues. */
const maxLookups = 50;

/**
 * Looks up what was not paid in time, in case the provider's event was lost, and closes the pages of ended orders. What is
 * then neither paid nor can be is settled.
 *
 * @returns the codes of the failures
 */
export async function endUnpaidPayments(
  db: Db,
  provider: PaymentProvider,
  now = new Date(),
): Promise<string[]> {
  const isEnded = sql`coalesce(${endedAt} <= ${undoableSince(now).getTime()}, 0)`;
  const isLate = sql`(${payments.payBy} <= ${now.getTime()} and ${orders.status} = 'active')`;
  const found = await db
    .select({
      orderId: payments.orderId,
      checkoutId: payments.checkoutId,
      isEnded: isEnded.mapWith(Boolean).as("is_ended"),
    })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(and(isNull(payments.settledAt), isNull(payments.paidAt), or(isEnded, isLate)))
    .limit(maxLookups);
  return forEachUntilProviderDown(found, async ({ orderId, checkoutId, isEnded }) => {
    if (checkoutId) {
      if (isEnded) await provider.endPayment(checkoutId);
      const { state } = await refreshPayment(db, provider, checkoutId);
      if (state !== "expired") return;
    }
    if (isEnded)
      await db
        .update(payments)
        .set({ settledAt: now })
        .where(and(eq(payments.orderId, orderId), isNull(payments.paidAt)));
  });
}
