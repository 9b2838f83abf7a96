import { and, eq, isNotNull, not, type SQL, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { orderSteps, orders, payments, paymentTasks, phones, users } from "#app/db/schema.ts";
import { formerMember, type Viewer } from "../accounts/viewer.ts";
import { addActivityOf } from "../audit/activity.server.ts";
import { hasOpenProblem, isDisputed } from "../audit/order-windows.server.ts";
import { areMoneyFactsUnchanged, selectFacts, toFacts } from "./money-facts.server.ts";
import { releaseByStaff, releaseTime } from "./payment.rules.ts";
import { isResendable, sendAgain } from "./payment-tasks.server.ts";
import { disputedPaymentText } from "./payment-texts.ts";
import { addDueTask, tellRefund } from "./payments.server.ts";
import { notGotCents } from "./protected-orders.server.ts";
import type { PaymentProvider } from "./provider.ts";

/** Why staff can't pay back a part of an order, or all of it. */
export const refundRefusals = {
  "not found": "There’s no such payment.",
  "own order": "This is your own order, so a colleague has to decide.",
  "not paid": "It hasn’t been paid.",
  ended: "The order has ended, so the buyer gets all of it back anyway.",
  disputed: disputedPaymentText(false),
  "problem open": "A problem with the order is open. Decide that instead.",
  "all refunded": "The buyer gets all of it back already.",
  changed: "Somebody has paid back a part of it meanwhile. Here’s the current state.",
} as const;
type RefundRefusal = Exclude<keyof typeof refundRefusals, "changed">;

/** The conditions of a refund on `orders`, each with its refusal. What is offered and what is accepted follows from it. */
function refundConditions(db: Db, staff: Viewer): Record<RefundRefusal, SQL | undefined> {
  const paymentThat = (condition?: SQL) =>
    hasRow(db, payments, and(eq(payments.orderId, orders.id), condition));
  return {
    "not found": paymentThat(),
    "own order": isOfOthers(db, staff),
    "not paid": paymentThat(isNotNull(payments.paidAt)),
    ended: eq(orders.status, "active"),
    disputed: sql`not ${paymentThat(isDisputed)}`,
    "problem open": not(hasOpenProblem(db)),
    "all refunded": paymentThat(sql`${notGotCents} < ${payments.amountCents}`),
  };
}

/** Condition on `orders`: staff is no side of it. */
function isOfOthers(db: Db, staff: Viewer): SQL {
  const isSold = and(eq(phones.id, orders.phoneId), eq(phones.sellerId, staff.id));
  return sql`(${orders.buyerId} <> ${staff.id} and not ${hasRow(db, phones, isSold)})`;
}

/** What staff can pay back of an order, in cents, or why they can't; null if it is not protected. */
export async function findRefundable(db: Db, staff: Viewer, orderId: string) {
  const conditions = Object.entries(refundConditions(db, staff));
  const refusal = sql<RefundRefusal | null>`case ${sql.join(
    conditions.map(([name, condition]) => sql`when not ${condition} then ${name}`),
    sql` `,
  )} end`;
  const [found] = await db
    .select({
      refusal: refusal.as("refusal"),
      refundCents: notGotCents.as("not_got_cents"),
      leftCents: sql<number>`${payments.amountCents} - ${notGotCents}`.as("left_cents"),
    })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(eq(payments.orderId, orderId));
  return found ?? null;
}

interface Refund {
  amountCents: number;
  reason: string;
  /** What was paid back, or is to be, when the form was shown. */
  shownCents: number;
}

/**
 * Pays back a part of an order that goes on, or all of it, beside what was paid back before. What the seller has got of it
 * is taken back first. The same form sent again changes nothing.
 */
export async function refundOrder(
  db: Db,
  staff: Viewer,
  orderId: string,
  { amountCents, reason, shownCents }: Refund,
): Promise<"done" | RefundRefusal | "too much" | "changed"> {
  const order = eq(orders.id, orderId);
  const total = shownCents + amountCents;
  const payment = eq(payments.orderId, orderId);
  const onOrder = (condition: SQL | undefined) => hasRow(db, orders, and(order, condition));
  const isLastReason = sql`substr(${payments.refundReason}, -length(${reason})) = ${reason}`;
  const isDone = and(payment, eq(payments.refundCents, total), isLastReason);
  // Keeps the reasons of earlier refunds, each after an empty line.
  const reasons = sql`coalesce(${payments.refundReason} || char(10, 10), '') || ${reason}`;
  const conditions = Object.fromEntries(
    Object.entries(refundConditions(db, staff)).map(([name, condition]) => [name, onOrder(condition)]),
  ) as Record<RefundRefusal, SQL>;
  const refusal = await batchUnless(
    db,
    {
      "done before": sql`not ${hasRow(db, payments, isDone)}`,
      ...conditions,
      changed: hasRow(db, payments, and(payment, eq(notGotCents, shownCents))),
      "too much": hasRow(db, payments, and(payment, sql`${payments.amountCents} >= ${total}`)),
    },
    [
      db.update(payments).set({ refundCents: total, refundReason: reasons, settledAt: null }).where(payment),
      // The ledger says who decided and why.
      addActivityOf(db, staff, "refunded order", orders, orders.productName, order, undefined, {
        amountCents,
        reason,
      }),
      ...tellRefund(db, orderId, { refundedCents: amountCents, totalCents: total }),
    ],
  );
  if (refusal) return refusal === "done before" ? "done" : refusal;
  await addDueTask(db, orderId);
  return "done";
}

/** Why staff can’t send again what fails of an order. */
export const resendRefusals = {
  "own order": refundRefusals["own order"],
  "nothing to send": "Nothing to send: it’s done, or the bank decides first.",
} as const;

/** Sends what fails of an order again at once, as staff decides. @returns the codes of the failures, or why nothing was sent */
export async function resendTasks(
  db: Db,
  provider: PaymentProvider,
  staff: Viewer,
  orderId: string,
): Promise<string[] | keyof typeof resendRefusals> {
  const order = eq(orders.id, orderId);
  if ((await db.$count(orders, and(order, not(isOfOthers(db, staff))))) > 0) return "own order";
  const failing = await db
    .select({ id: paymentTasks.id })
    .from(paymentTasks)
    .where(and(eq(paymentTasks.orderId, orderId), isResendable(db)));
  const { failures, moved } = await sendAgain(db, provider, failing, (isSent) =>
    addActivityOf(db, staff, "sent payment again", orders, orders.productName, and(order, isSent)),
  );
  return failures.length === 0 && moved.length === 0 ? "nothing to send" : failures;
}

/** What staff can have paid to the suspended seller of an order, and from when on; null if nothing. */
async function findRelease(db: Db, staff: Viewer, orderId: string, now: Date) {
  const [row] = await selectFacts(db).where(and(eq(payments.orderId, orderId), isOfOthers(db, staff)));
  const facts = row && toFacts(row);
  const due = facts && releaseByStaff(facts, Number.POSITIVE_INFINITY);
  if (!due) return null;
  const { at = 0 } = releaseTime({ ...facts, isSellerSuspended: false }) ?? {};
  return { row, due, from: at > now.getTime() ? new Date(at) : null };
}

/** The same for the order’s page, in cents, and who is paid. */
export async function findReleasable(db: Db, staff: Viewer, orderId: string, now = new Date()) {
  const found = await findRelease(db, staff, orderId, now);
  if (!found) return null;
  const [seller] = await db
    .select({ name: users.name })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.sellerId))
    .where(eq(payments.orderId, orderId));
  return { cents: found.due.amountCents, from: found.from, sellerName: seller?.name ?? formerMember };
}

/** Pays a suspended seller what is held, as staff decides. The same form sent again changes nothing. */
export async function releaseToSuspendedSeller(
  db: Db,
  staff: Viewer,
  orderId: string,
  { amountCents, reason }: { amountCents: number; reason: string },
  now = new Date(),
): Promise<"done" | "order changed"> {
  const found = await findRelease(db, staff, orderId, now);
  if (found && (found.from || found.due.amountCents !== amountCents)) return "order changed";
  const id = timeOrderedId();
  const refusal =
    found &&
    (await batchUnless(db, { changed: areMoneyFactsUnchanged(db, found.row) }, [
      db.insert(paymentTasks).values({ id, orderId, ...found.due, createdAt: now, nextAt: now }),
      // By its id, the ledger says who decided and why.
      db
        .insert(orderSteps)
        .values({ id, orderId, kind: "payout decided", actorId: staff.id, createdAt: now, reason }),
      addActivityOf(db, staff, "paid suspended seller", orders, orders.productName, eq(orders.id, orderId)),
    ]));
  if (found && !refusal) return "done";
  const step = and(eq(orderSteps.orderId, orderId), eq(orderSteps.kind, "payout decided"));
  const isOwn = and(step, eq(orderSteps.actorId, staff.id), eq(orderSteps.reason, reason));
  return (await db.$count(orderSteps, isOwn)) > 0 ? "done" : "order changed";
}
