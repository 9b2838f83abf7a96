import assert from "node:assert/strict";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { ProblemOffer } from "#app/db/enums.ts";
import {
  activity,
  ledgerEntries,
  notifications,
  orderProblems,
  orderSteps,
  orders,
  payments,
  paymentTasks,
  payoutAccounts,
  phones,
  providerEvents,
  users,
} from "#app/db/schema.ts";
import { findSelected } from "#app/features/administration/bulk.server.ts";
import { removeUser as removeByStaff } from "#app/features/administration/user-actions.server.ts";
import { listWork, takeCase } from "#app/features/administration/work.server.ts";
import { feeCents } from "#app/features/listings/fee.rules.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { endSuspensions } from "#app/features/moderation/decisions/decision-effects.server.ts";
import {
  findMailedReasons,
  findOwnDecision,
} from "#app/features/moderation/decisions/own-decisions.server.ts";
import { listDecided } from "#app/features/moderation/moderation-queue.server.ts";
import { sendDueBatch } from "#app/features/notifications/due-emails.server.ts";
import { listNotifications } from "#app/features/notifications/notifications.server.ts";
import { refreshDispute } from "#app/features/order-problems/bank-disputes.server.ts";
import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import {
  findOrderProblem,
  findProblemCase,
} from "#app/features/order-problems/order-problem-details.server.ts";
import { moneySplitText, problemOfferChoices } from "#app/features/order-problems/order-problem-texts.ts";
import {
  answerProblem,
  decideProblem,
  endOverdueAnswers,
} from "#app/features/order-problems/order-problems.server.ts";
import { findDecidable } from "#app/features/order-problems/pending-decisions.server.ts";
import { findProblemFacts, problemEmailFacts } from "#app/features/order-problems/problem-email.server.ts";
import { findBookingTerms } from "#app/features/orders/booking.server.ts";
import { bookingRefusalText } from "#app/features/orders/booking-refusal.ts";
import { endOverdueOrders } from "#app/features/orders/order-deadlines.server.ts";
import { findOrder, handleOrderIntent } from "#app/features/orders/order-details.server.ts";
import { findMailedOrders, orderEmailFacts } from "#app/features/orders/order-email.server.ts";
import { addStep } from "#app/features/orders/order-steps.server.ts";
import { nextStepText, type OrderIntent, stepLabel } from "#app/features/orders/order-texts.ts";
import { listOrders } from "#app/features/orders/orders.server.ts";
import { selectOrders } from "#app/features/orders/own-orders.server.ts";
import { isBookableBy } from "#app/features/orders/rebooking.server.ts";
import { findSlips, listToHandOver } from "#app/features/orders/to-hand-over.server.ts";
import { findMoneyFacts, isHeldBack } from "#app/features/payments/money-facts.server.ts";
import {
  isHeldBack as heldBackByRule,
  holdReason,
  moneyState,
  releaseByStaff,
} from "#app/features/payments/payment.rules.ts";
import { exportPayments, findLedger, listPayments } from "#app/features/payments/payment-list.server.ts";
import type { PaymentFilter } from "#app/features/payments/payment-table.rules.ts";
import { retryDebts, sendPaymentTasks, sumLedger } from "#app/features/payments/payment-tasks.server.ts";
import {
  disputedPaymentText,
  listedStateText,
  protectedPaymentText,
  stateWithReason,
  unpaidStatusText,
} from "#app/features/payments/payment-texts.ts";
import {
  addDueTasks,
  confirmPayment,
  endUnpaidPayments,
  findPayment,
  moveMoney,
  openPayment,
  recordPaid,
} from "#app/features/payments/payments.server.ts";
import { listPayouts, sumPayouts } from "#app/features/payments/payout-entries.server.ts";
import { entryLabel } from "#app/features/payments/payout-table.rules.ts";
import { findSellerDebt } from "#app/features/payments/payouts.server.ts";
import { feeColumn } from "#app/features/payments/protected-orders.server.ts";
import { type PaymentProvider, ProviderError } from "#app/features/payments/provider.ts";
import { processEvent, processEvents } from "#app/features/payments/provider-events.server.ts";
import {
  listDifferences,
  reconcile,
  settleDifference,
} from "#app/features/payments/reconciliation.server.ts";
import {
  findRefundable,
  findReleasable,
  refundOrder,
  releaseToSuspendedSeller,
  resendTasks,
} from "#app/features/payments/refunds.server.ts";
import { closingObstacles } from "#app/features/profile/account-closing.server.ts";
import { purgeRemovals } from "#app/features/profile/purging.server.ts";
import { buyersOfOrders } from "#app/features/reviews/buyer-record.server.ts";
import { sellerRecordColumn } from "#app/features/reviews/seller-record.server.ts";
import { notifySavers } from "#app/features/saved-listings/saved-listing-news.server.ts";
import { saveListing } from "#app/features/saved-listings/saved-listings.server.ts";
import { exportPayouts, sumUpListings } from "#app/features/statistics/seller-numbers.server.ts";
import type { DueEmail } from "#app/server/mail/due-email.ts";
import { dayMs, hourMs } from "#app/time.ts";
import { bookWithoutLimits, noLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { type Account, addAccount, addPhone, removeUser } from "../../harness/fixtures.ts";
import { memoryProvider } from "../../harness/memory-provider.ts";

type Memory = ReturnType<typeof memoryProvider>;
/** Where buyers come back to. */
const back = "https://market.example/back";
const price = 34_950;
const inDays = (days: number) => new Date(Date.now() + days * dayMs);
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** A seller who can be paid. */
async function addSeller(db: Db) {
  const seller = await addAccount(db, { userType: "Seller" });
  await db
    .insert(payoutAccounts)
    .values({ userId: seller.id, accountId: `account_${seller.id}`, state: "ready", updatedAt: new Date() });
  return seller;
}

async function booked(db: Db, memory = memoryProvider()) {
  const [seller, buyer] = [await addSeller(db), await addAccount(db)];
  const { id: phoneId } = await addPhone(db, { sellerId: seller.id });
  const { orderId } = await bookWithoutLimits(
    db,
    buyer,
    phoneId,
    { address: "1 Quay Street", phone: "1" },
    { hasProvider: true },
  );
  assert.ok(orderId);
  return { memory, seller, buyer, phoneId, orderId, accountId: `account_${seller.id}` };
}

type Booked = Awaited<ReturnType<typeof booked>>;

/** The buyer pays on the provider's page, and comes back. */
async function paid(db: Db, order?: Booked) {
  const made = order ?? (await booked(db));
  const { memory, buyer, orderId } = made;
  const opened = await openPayment(db, memory.provider, buyer, orderId, back);
  assert.ok(typeof opened === "object", String(opened));
  memory.pay(memory.checkoutOf(opened.url));
  assert.equal(await confirmPayment(db, memory.provider, buyer, orderId), true);
  return made;
}

const take = async (db: Db, viewer: Account, orderId: string, intent: OrderIntent) =>
  (await handleOrderIntent(db, viewer, orderId, intent)).refusal;

async function received(db: Db, order?: Booked) {
  const made = await paid(db, order);
  assert.equal(await take(db, made.seller, made.orderId, "hand over"), null);
  assert.equal(await take(db, made.buyer, made.orderId, "receive"), null);
  return made;
}

async function runJob(db: Db, { memory }: Pick<Booked, "memory">, now = new Date()) {
  await endUnpaidPayments(db, memory.provider, now);
  await addDueTasks(db, now);
  return moveMoney(db, memory.provider, now);
}

/** Until then the seller reads neither address nor phone nor email. */
export const sellersReadWhereAnOrderGoesOnceItIsPaid = async (db: Db) => {
  const order = await booked(db);
  const { seller, buyer, orderId } = order;
  const read = async (side: "buyer" | "seller") => {
    const viewer = side === "seller" ? seller : buyer;
    const found = await findOrder(db, viewer, orderId);
    const [row] = await selectOrders(db, { side, userId: viewer.id, stage: undefined }, null, 10);
    const { buyerAddress, email, phone, isToPay } = row ?? {};
    const [shown] = (await listToHandOver(db, seller, null)).rows;
    return [found?.delivery?.address ?? null, buyerAddress, email, phone, isToPay, shown?.recipient];
  };
  assert.deepEqual(await read("seller"), [null, "", "", "", true, buyer.name]);
  const address = "1 Quay Street";
  assert.deepEqual(await read("buyer"), [address, address, buyer.email, "1", true, buyer.name]);
  await paid(db, order);
  const recipient = `${buyer.name}\n${address}\n1`;
  assert.deepEqual(await read("seller"), [address, address, buyer.email, "1", false, recipient]);
};

/** What the ledger says is what the provider has, and nothing is lost. */
async function assertBalanced(db: Db, memory: Memory, message?: string) {
  const sums = await sumLedger(db);
  for (const [kind, cents] of Object.entries(sums)) {
    const isKind = eq(ledgerEntries.kind, kind === "takenBack" ? "taken back" : (kind as "fee"));
    const [entry] = await db
      .select({ cents: sql<number>`coalesce(sum(${ledgerEntries.amountCents}), 0)`.as("cents") })
      .from(ledgerEntries)
      .where(isKind);
    if (kind !== "held") assert.equal(entry?.cents, cents, `${message}: ${kind}`);
  }
  assert.equal(sums.charged, sums.held + sums.released - sums.takenBack + sums.refunded + sums.fee, message);
  assert.equal(memory.balances.platform, sums.held + sums.fee, message);
  assert.equal(memory.balances.buyers, sums.charged - sums.refunded, message);
  assert.ok(sums.held >= 0, message);
}

/** What a user was told of refunds, in cents. */
const toldRefunds = async (db: Db, { id }: Account) =>
  (
    await db
      .select({ details: notifications.details })
      .from(notifications)
      .where(and(eq(notifications.userId, id), eq(notifications.kind, "refunded")))
      .orderBy(asc(notifications.id))
  ).map(({ details }) => details && "refundedCents" in details && details.refundedCents);

const told = async (db: Db, { id }: Account) =>
  (await db.select({ kind: notifications.kind }).from(notifications).where(eq(notifications.userId, id))).map(
    ({ kind }) => kind,
  );

export const aProtectedOrderIsPaidHandedOverReceivedAndReleased = async (db: Db) => {
  const order = await booked(db);
  const { memory, seller, buyer, orderId, accountId } = order;
  assert.deepEqual(await told(db, seller), []);
  for (const [viewer, intent] of [
    [seller, "hand over"],
    [buyer, "extend"],
  ] as const) {
    assert.equal(await take(db, viewer, orderId, intent), "not paid yet", intent);
    assert.ok(!(await findOrder(db, viewer, orderId))?.intents.includes(intent), intent);
  }
  const text = "Where is it?";
  assert.equal(await openProblem(db, buyer, orderId, { kind: "not arrived", text }), "not paid yet");

  await paid(db, order);
  assert.deepEqual(await told(db, seller), ["booked"]);
  const found = await findOrder(db, seller, orderId);
  assert.ok(Date.parse(found?.deadline ?? "") > inDays(4).getTime());
  assert.equal(await openProblem(db, seller, orderId, { kind: "not paid", text }), "protected");
  assert.equal(await take(db, seller, orderId, "hand over"), null);
  await runJob(db, order, inDays(30));
  assert.equal(memory.count("transfer"), 0);

  assert.equal(await take(db, buyer, orderId, "receive"), null);
  await runJob(db, order, inDays(1.9));
  assert.equal(memory.paidBySeller(accountId), 0);
  await runJob(db, order, inDays(2.1));
  assert.equal(memory.paidBySeller(accountId), price);
  assert.equal(await take(db, buyer, orderId, "undo receipt"), "already paid out");
  await runJob(db, order, inDays(60));
  assert.equal(memory.count("transfer"), 1);
  // The seller is told once.
  assert.deepEqual(await told(db, seller), ["booked", "received", "paid out"]);
  assert.ok(!(await told(db, buyer)).includes("paid out"));
  assert.ok((await db.select().from(payments))[0]?.settledAt);
  await assertBalanced(db, memory);
};

export const anUnpaidOrderIsListedLastForTheSellerAndHasNoSlip = async (db: Db) => {
  const order = await booked(db);
  const { seller, buyer, orderId } = order;
  const { id: phoneId } = await addPhone(db, { sellerId: seller.id });
  const due =
    (await bookWithoutLimits(db, buyer, phoneId, { address: "2 Quay Street", phone: "" })).orderId ?? "";
  const listed = async () => {
    const { rows } = await listToHandOver(db, seller, null);
    const { slips, leftOut } = await findSlips(db, seller, [orderId, due]);
    return [
      rows.map(({ id, isUnpaid }) => [id, isUnpaid]),
      slips.map(({ id }) => id),
      leftOut.map((text) => text.replace(/^.*: /, "")),
    ];
  };
  const first = [
    [due, false],
    [orderId, true],
  ];
  assert.deepEqual(await listed(), [first, [due], ["It hasn’t been paid yet."]]);
  assert.equal(await take(db, seller, orderId, "hand over"), "not paid yet");
  await paid(db, order);
  await db
    .update(orders)
    .set({ deadlineAt: inDays(1) })
    .where(eq(orders.id, orderId));
  assert.deepEqual(await listed(), [
    [
      [orderId, false],
      [due, false],
    ],
    [orderId, due],
    [],
  ]);
};

export const theSellerOwesNoMoneyOfAProtectedOrder = async (db: Db) => {
  const { buyer, orderId } = await paid(db);
  assert.equal(await take(db, buyer, orderId, "cancel"), null);
  assert.equal((await findOrder(db, buyer, orderId))?.isRefundDue, false);
};

export const aBuyerHasTheSellerPaidAtOnceAndCanUndoThat = async (db: Db) => {
  const order = await paid(db);
  const { memory, seller, buyer, orderId, accountId } = order;
  assert.equal(await take(db, buyer, orderId, "approve"), "not handed over");
  assert.equal(await take(db, seller, orderId, "hand over"), null);
  assert.ok((await findOrder(db, buyer, orderId))?.intents.includes("approve"));
  assert.ok(!(await findOrder(db, seller, orderId))?.intents.includes("approve"));
  assert.equal(await take(db, buyer, orderId, "approve"), null);
  // A repeated one changes nothing.
  assert.equal(await take(db, buyer, orderId, "approve"), null);
  assert.equal((await findOrder(db, buyer, orderId))?.stage, "received");
  assert.equal(await take(db, buyer, orderId, "undo approval"), null);
  await runJob(db, order, inMinutes(11));
  assert.equal(memory.paidBySeller(accountId), 0);
  assert.equal(await take(db, buyer, orderId, "approve"), null);
  assert.equal(await take(db, buyer, orderId, "undo receipt"), null);
  assert.equal((await findMoneyFacts(db, orderId))?.approvedAt, null);
  assert.equal(await take(db, buyer, orderId, "receive"), null);
  assert.equal(await take(db, buyer, orderId, "approve"), null);
  await runJob(db, order, inMinutes(9));
  assert.equal(memory.paidBySeller(accountId), 0);
  await runJob(db, order, inMinutes(11));
  assert.equal(memory.paidBySeller(accountId), price);
  assert.equal(await take(db, buyer, orderId, "undo approval"), "too late to undo");
  await assertBalanced(db, memory);
};

export const anUnprotectedOrderIsAsBefore = async (db: Db) => {
  const [seller, buyer] = [await addAccount(db, { userType: "Seller" }), await addAccount(db)];
  const details = { address: "", phone: "" };
  const orderIds: string[] = [];
  // A market without a provider; a seller who cannot be paid.
  for (const hasProvider of [false, true]) {
    const phone = await addPhone(db, { sellerId: (hasProvider ? seller : await addSeller(db)).id });
    const { orderId } = await bookWithoutLimits(db, buyer, phone.id, details, { hasProvider });
    assert.ok(orderId);
    orderIds.push(orderId);
  }
  assert.equal(await db.$count(payments), 0);
  assert.equal(await db.$count(notifications, eq(notifications.kind, "booked")), 2);
  for (const id of orderIds) {
    const found = await findOrder(db, buyer, id);
    assert.ok(Date.parse(found?.deadline ?? "") > inDays(4).getTime());
    assert.deepEqual(found?.intents, ["extend", "cancel"]);
    assert.equal(await take(db, buyer, id, "approve"), "not protected");
  }
};

/** The statements of a batch. */
function countingBatches(db: Db, counts: number[]): Db {
  return new Proxy(db, {
    get(target, name) {
      if (name !== "batch") return Reflect.get(target, name);
      return (statements: Parameters<Db["batch"]>[0]) => {
        counts.push(statements.length);
        return target.batch(statements);
      };
    },
  });
}

export const aBookingWithoutProviderHasTheStatementsThatItHad = async (db: Db) => {
  const counts: number[] = [];
  for (const hasProvider of [undefined, true]) {
    const phone = await addPhone(db, { sellerId: (await addSeller(db)).id });
    const options = { hasProvider };
    const details = { address: "", phone: "" };
    await bookWithoutLimits(countingBatches(db, counts), await addAccount(db), phone.id, details, options);
  }
  assert.deepEqual(counts, [7, 8]);
};

export const whatIsNotPaidInTimeIsCancelledAndListedAgain = async (db: Db) => {
  const order = await booked(db);
  const { memory, seller, buyer, orderId, phoneId } = order;
  const opened = await openPayment(db, memory.provider, buyer, orderId, back);
  assert.ok(typeof opened === "object");
  await endOverdueOrders(db);
  assert.equal((await findOrder(db, buyer, orderId))?.status, "active");
  const past = inMinutes(-1);
  await db.update(payments).set({ payBy: past });
  // Until the jobs run, nobody is told to pay by a time that is over.
  const label = { timeLabel: String, recentLabel: String };
  const texts = async (viewer: Account, role: "buyer" | "seller") => {
    const { payment, isBySystem = false } = (await findOrder(db, viewer, orderId)) ?? {};
    assert.ok(payment);
    return [unpaidStatusText(role, payment, isBySystem), protectedPaymentText(role, payment, label)];
  };
  assert.deepEqual(await texts(buyer, "buyer"), [
    "Reserved.",
    "The time to pay is over, so we’ll cancel this order soon. You don’t owe anything.",
  ]);
  assert.match((await texts(seller, "seller")).join(" "), /^Reserved\. Don’t hand it over: the buyer hasn’t/);
  // What holds the order does not give the buyer more time.
  await db.update(orders).set({ deadlineAt: past, heldSince: past });
  await endOverdueOrders(db);
  const [{ status = "" } = {}] = await db
    .select({ status: phones.status })
    .from(phones)
    .where(eq(phones.id, phoneId));
  assert.equal((await findOrder(db, buyer, orderId))?.status, "cancelled");
  assert.equal(status, "available");
  assert.match((await texts(seller, "seller"))[0] ?? "", /It doesn’t count in your record\.$/);
  // The seller has not learned of it, and it is no mark for them, but one for the buyer.
  assert.deepEqual(await told(db, seller), []);
  assert.deepEqual(await told(db, buyer), ["order placed", "cancelled"]);
  assert.equal((await findOrder(db, seller, orderId))?.isMissed, false);
  await db.update(orders).set({ heldSince: null });
  // Nor does it become one when the buyer pays on the page that is still open: that goes back.
  assert.equal(await openPayment(db, memory.provider, buyer, orderId, back), "too late");
  memory.pay(memory.checkoutOf(opened.url));
  assert.equal(await confirmPayment(db, memory.provider, buyer, orderId), false);
  assert.equal((await findOrder(db, seller, orderId))?.isMissed, false);
  assert.equal((await findPayment(db, orderId))?.wasPaidTooLate, true);
  const phone = await addPhone(db, { sellerId: seller.id });
  const next = await bookWithoutLimits(db, buyer, phone.id, { address: "", phone: "" });
  const records = await buyersOfOrders(db, seller, [next.orderId ?? ""]);
  assert.equal(records[next.orderId ?? ""]?.notPaid, 1);
  // As after a cancellation, they wait or are let by the seller.
  const refusalOf = async () => (await findBookingTerms(db, buyer, phoneId, noLimits)).refusal;
  const refusal = await refusalOf();
  assert.ok(refusal?.reason === "cancelled recently" && refusal.wasUnpaid);
  assert.match(
    bookingRefusalText(refusal),
    /^You didn’t pay for this device in time, less than 24 hours ago\./,
  );
  assert.deepEqual(await bookWithoutLimits(db, buyer, phoneId, { address: "", phone: "" }), { refusal });
  assert.ok((await findOrder(db, seller, orderId))?.intents.includes("allow rebooking"));
  assert.equal(await take(db, seller, orderId, "allow rebooking"), null);
  assert.equal(await refusalOf(), null);
  await runJob(db, order, inMinutes(11));
  assert.equal(memory.balances.buyers, 0);
  assert.ok((await db.select().from(payments))[0]?.settledAt);
};

export const whoHasNotPaidIsNotInvitedToBookItYet = async (db: Db) => {
  const { buyer, seller, orderId, phoneId } = await booked(db);
  const other = await addAccount(db);
  for (const saver of [buyer, other]) await saveListing(db, saver, phoneId);
  await db.update(payments).set({ payBy: inMinutes(-1) });
  await db.update(orders).set({ deadlineAt: inMinutes(-1) });
  await endOverdueOrders(db);
  await notifySavers(db, isBookableBy);
  assert.deepEqual(await told(db, other), ["saved listing back"]);
  assert.deepEqual(await told(db, buyer), ["order placed", "cancelled"]);
  const cut = async (sellingCents: number) => {
    await db.update(phones).set({ sellingCents }).where(eq(phones.id, phoneId));
    await notifySavers(db, isBookableBy);
  };
  await cut(30_000);
  assert.deepEqual(await told(db, buyer), ["order placed", "cancelled"]);
  assert.equal(await take(db, seller, orderId, "allow rebooking"), null);
  await cut(29_000);
  assert.deepEqual((await told(db, buyer)).slice(2), ["rebooking allowed", "price drop"]);
};

export const whatIsPaidTooLateGoesBackAtOnce = async (db: Db) => {
  const order = await booked(db);
  const { memory, seller, buyer, orderId } = order;
  const opened = await openPayment(db, memory.provider, buyer, orderId, back);
  assert.ok(typeof opened === "object");
  const { removalId = "" } = await handleOrderIntent(db, buyer, orderId, "cancel");
  memory.pay(memory.checkoutOf(opened.url));
  assert.equal(await confirmPayment(db, memory.provider, buyer, orderId), false);
  assert.deepEqual(await told(db, seller), []);
  // It is too late to go on.
  assert.equal((await undoWithoutLimits(db, buyer, removalId)).result, "impossible");
  await runJob(db, order);
  assert.equal(memory.balances.buyers, 0);
  assert.deepEqual([await toldRefunds(db, buyer), await toldRefunds(db, seller)], [[price], []]);
  assert.deepEqual(
    (await db.select().from(paymentTasks)).map(({ cause }) => cause),
    ["paid too late"],
  );
  await assertBalanced(db, memory);
};

export const aPaymentWhoseEventWasLostIsFound = async (db: Db) => {
  const order = await booked(db);
  const { memory, buyer, orderId } = order;
  const opened = await openPayment(db, memory.provider, buyer, orderId, back);
  assert.ok(typeof opened === "object");
  memory.pay(memory.checkoutOf(opened.url));
  await runJob(db, order, inMinutes(61));
  await db.update(payments).set({ payBy: inMinutes(-1) });
  await endOverdueOrders(db);
  assert.equal((await findOrder(db, buyer, orderId))?.status, "active");
  assert.deepEqual(await openPayment(db, memory.provider, buyer, orderId, back), "paid");
};

export const aPageToPayIsTheSameUntilItHasExpired = async (db: Db) => {
  const { memory, buyer, orderId } = await booked(db);
  const open = () => openPayment(db, memory.provider, buyer, orderId, back);
  const first = await open();
  assert.deepEqual(await Promise.all([open(), open()]), [first, first]);
  assert.ok(typeof first === "object");
  await memory.provider.endPayment(memory.checkoutOf(first.url));
  const next = await open();
  assert.ok(typeof next === "object" && next.url !== first.url);
  assert.equal(await openPayment(db, memory.provider, await addAccount(db), orderId, back), "not found");
};

/** As before and after the time from which on a page is open for longer. */
export const ofTwoPagesOpenedAtOnceOneIsShown = async (db: Db) => {
  const { memory, buyer, orderId } = await booked(db);
  const open = (provider: PaymentProvider) => openPayment(db, provider, buyer, orderId, back);
  const first = deferred();
  const late = open({
    ...memory.provider,
    async startPayment(facts) {
      const started = await memory.provider.startPayment({ ...facts, key: `${facts.key} late` });
      await first.promise;
      return started;
    },
  });
  const shown = await open(memory.provider);
  first.resolve();
  assert.deepEqual(await late, shown);
};

export const aPaymentIsRecordedOnce = async (db: Db) => {
  const { seller, orderId } = await booked(db);
  const payment = { orderId, chargeId: "charge", amountCents: price };
  const outcomes = await Promise.all([1, 2, 3].map(() => recordPaid(db, payment)));
  assert.deepEqual(outcomes.sort(), ["done", "done before", "done before"]);
  assert.equal((await sumLedger(db, orderId)).charged, price);
  assert.deepEqual(await told(db, seller), ["booked"]);
};

export const aCancelledOrderIsRefundedOnceItCannotBeUndone = async (db: Db) => {
  const order = await paid(db);
  const { memory, seller, buyer, orderId } = order;
  const first = await handleOrderIntent(db, buyer, orderId, "cancel");
  await runJob(db, order, inMinutes(9));
  assert.equal(memory.count("refund"), 0);
  assert.equal((await undoWithoutLimits(db, buyer, first.removalId ?? "")).result, "undone");
  await runJob(db, order, inMinutes(11));
  assert.equal(memory.count("refund"), 0);
  assert.deepEqual(await toldRefunds(db, buyer), []);
  await handleOrderIntent(db, buyer, orderId, "cancel");
  await Promise.all([runJob(db, order, inMinutes(11)), runJob(db, order, inMinutes(11))]);
  await runJob(db, order, inMinutes(30));
  assert.equal(memory.count("refund"), 1);
  assert.equal(memory.balances.buyers, 0);
  for (const side of [buyer, seller]) assert.deepEqual(await toldRefunds(db, side), [price]);
  await assertBalanced(db, memory);
};

export const twoRunsAtOncePayOnce = async (db: Db) => {
  const order = await received(db);
  await Promise.all([1, 2, 3].map(() => runJob(db, order, inDays(3))));
  await runJob(db, order, inDays(3));
  assert.equal(order.memory.count("transfer"), 1);
  assert.equal(await db.$count(ledgerEntries, eq(ledgerEntries.kind, "released")), 1);
  assert.equal(await db.$count(paymentTasks), 1);
  await assertBalanced(db, order.memory);
};

export const aLostAnswerIsSentAgain = async (db: Db) => {
  const order = await received(db);
  const { memory, accountId, orderId } = order;
  const { faults } = memory;
  faults.after = 1;
  assert.deepEqual(await runJob(db, order, inDays(3)), ["api_connection_error"]);
  assert.equal(memory.paidBySeller(accountId), price);
  assert.equal((await sumLedger(db, orderId)).released, 0);
  faults.before = 1;
  // Later, after twice as long.
  assert.deepEqual(await runJob(db, order, inDays(3)), []);
  assert.deepEqual(await runJob(db, order, inDays(3.1)), ["api_connection_error"]);
  assert.deepEqual(await runJob(db, order, inDays(3.2)), []);
  assert.equal(memory.paidBySeller(accountId), price);
  const [task] = await db.select().from(paymentTasks);
  assert.deepEqual([task?.attempts, task?.error, task?.nextAt], [3, null, null]);
  await assertBalanced(db, memory);
};

export const whatIsRefusedIsWorkForStaffAndSentAgainAfterADay = async (db: Db) => {
  const order = await received(db);
  Object.assign(order.memory.faults, { before: 1, code: "account_invalid", isRetryable: false });
  assert.deepEqual(await runJob(db, order, inDays(3)), ["account_invalid"]);
  const admin = await addAccount(db, { userType: "Admin" });
  const waiting = async () => (await listWork(db, admin, { only: "payments" })).rows.map(({ path }) => path);
  assert.deepEqual(await waiting(), [`/manage/orders/${order.orderId}`]);
  assert.deepEqual(await runJob(db, order, inDays(4)), []);
  assert.equal(order.memory.paidBySeller(order.accountId), 0);
  assert.deepEqual(await runJob(db, order, inDays(4.3)), []);
  assert.equal(order.memory.paidBySeller(order.accountId), price);
  assert.deepEqual(await waiting(), []);
};

export const whatMayPassIsWorkForStaffOnlyAfterAnHour = async (db: Db) => {
  const order = await received(db);
  await db.update(orderSteps).set({ createdAt: inDays(-3) });
  order.memory.faults.before = 1;
  await runJob(db, order);
  const admin = await addAccount(db, { userType: "Admin" });
  const waiting = async () => (await listWork(db, admin, { only: "payments" })).rows.map(({ path }) => path);
  assert.deepEqual(await waiting(), []);
  await db.update(paymentTasks).set({ createdAt: inDays(-1) });
  assert.deepEqual(await waiting(), [`/manage/orders/${order.orderId}`]);
};

export const staffSendsAgainAtOnceWhatWasRefused = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const memory = memoryProvider();
  for (const isRetryable of [false, true]) {
    const order = await received(db, await booked(db, memory));
    const { orderId } = order;
    const before = memory.balances.buyers;
    const details = { amountCents: 5_000, reason: "It is late.", shownCents: 0 };
    Object.assign(memory.faults, { before: 2, code: "charge_disputed", isRetryable });
    assert.equal(await refundOrder(db, admin, orderId, details), "done");
    await moveMoney(db, memory.provider);
    const send = (staff = admin) => resendTasks(db, memory.provider, staff, orderId);
    const isOffered = async () =>
      (await findLedger(db, orderId)).tasks.some(({ isResendable }) => isResendable);
    const pressed = () =>
      db.$count(activity, and(eq(activity.action, "sent payment again"), eq(activity.targetId, orderId)));
    for (const side of [order.buyer, order.seller]) assert.equal(await send(side), "own order");
    const disputed = { disputedAt: new Date(), disputeEndedAt: null };
    const payment = eq(payments.orderId, orderId);
    await db.update(payments).set(disputed).where(payment);
    assert.deepEqual([await isOffered(), await send()], [false, "nothing to send"]);
    await db.update(payments).set({ disputedAt: null }).where(payment);
    assert.deepEqual([await isOffered(), await pressed()], [true, 0]);
    assert.deepEqual(await send(), ["charge_disputed"]);
    assert.equal(await pressed(), 1);
    // Of two at once, the second may find it sent under another key.
    const sent = await Promise.all([send(), send()]);
    assert.ok(sent.some((outcome) => outcome.length === 0));
    assert.equal(before - memory.balances.buyers, 5_000);
    const count = await pressed();
    assert.deepEqual([await isOffered(), await send()], [false, "nothing to send"]);
    assert.equal(await pressed(), count);
    await runJob(db, order, inDays(30));
    await assertBalanced(db, memory);
  }
};

export const aProblemHoldsTheMoneyUntilItIsSettled = async (db: Db) => {
  const order = await received(db);
  const { memory, buyer, orderId, accountId } = order;
  assert.equal(await openProblem(db, buyer, orderId, { kind: "defect", text: "It is cracked." }), "done");
  await runJob(db, order, inDays(30));
  assert.equal(memory.paidBySeller(accountId), 0);
  assert.equal(await take(db, buyer, orderId, "approve"), "problem open");
  assert.equal(await answerProblem(db, buyer, orderId, { answer: "close", text: "" }), "done");
  await runJob(db, order, inMinutes(11));
  assert.equal(memory.paidBySeller(accountId), price);
  await assertBalanced(db, memory);
};

async function decideToEnd(db: Db, { buyer, orderId }: Booked, kind: "defect" | "not arrived") {
  assert.equal(await openProblem(db, buyer, orderId, { kind, text: "See the photos." }), "done");
  assert.equal(await answerProblem(db, buyer, orderId, { answer: "ask", text: "" }), "done");
  const [problem] = await db
    .select()
    .from(orderProblems)
    .where(and(eq(orderProblems.orderId, orderId), sql`${orderProblems.endedAt} is null`));
  const moderator = await addAccount(db, { userType: "Admin" });
  const decision = { decision: "returned", reason: "It is broken." } as const;
  assert.equal(await decideProblem(db, moderator, problem?.id ?? "", decision), "done");
}

export const aDecidedReturnIsRefundedOnceTheSellerHasTheDevice = async (db: Db) => {
  const order = await received(db);
  const { memory, seller, buyer, orderId } = order;
  await decideToEnd(db, order, "defect");
  await runJob(db, order, inDays(13));
  assert.equal(memory.count("refund"), 0);
  const missing = { kind: "not returned", text: "Nothing came." } as const;
  assert.equal(await openProblem(db, buyer, orderId, { kind: "not refunded", text: "When?" }), "protected");
  assert.equal(await openProblem(db, seller, orderId, missing), "done");
  await runJob(db, order, inDays(20));
  assert.equal(memory.count("refund"), 0);
  assert.equal(await answerProblem(db, seller, orderId, { answer: "close", text: "" }), "done");
  await addStep(db, seller, orderId, "listed again");
  await runJob(db, order);
  assert.equal(memory.balances.buyers, 0);
  await assertBalanced(db, memory);
};

export const whatNeverArrivedIsRefundedAtOnce = async (db: Db) => {
  const order = await paid(db);
  assert.equal(await take(db, order.seller, order.orderId, "hand over"), null);
  await decideToEnd(db, order, "not arrived");
  await sendPaymentTasks(db, order.memory.provider);
  assert.equal(order.memory.balances.buyers, 0);
  await assertBalanced(db, order.memory);
};

export const aReturnAfterTheReleaseIsTakenBackFromTheSeller = async (db: Db) => {
  const order = await booked(db);
  await db.update(payments).set({ feeCents: 500 });
  await received(db, order);
  const { memory, seller, orderId, accountId } = order;
  await runJob(db, order, inDays(3));
  assert.equal(memory.paidBySeller(accountId), price - 500);
  await decideToEnd(db, order, "defect");
  await addStep(db, seller, orderId, "listed again");
  await runJob(db, order);
  assert.equal(memory.paidBySeller(accountId), 0);
  await runJob(db, order);
  assert.equal(memory.balances.buyers, 0);
  const { fee, held } = await sumLedger(db, orderId);
  assert.deepEqual([fee, held, memory.balances.platform], [0, 0, 0]);
  await assertBalanced(db, memory);
};

const refundPart = (db: Db, orderId: string, cents: number) =>
  db
    .update(payments)
    .set({ refundCents: cents, refundReason: "As a gesture.", settledAt: null })
    .where(eq(payments.orderId, orderId));

export const aPartGoesBackAndTheSellerGetsTheRest = async (db: Db) => {
  const order = await booked(db);
  await db.update(payments).set({ feeCents: 500 });
  const { memory, seller, buyer, orderId, accountId } = order;
  await paid(db, order);
  await refundPart(db, orderId, 5_000);
  await runJob(db, order);
  assert.equal(memory.balances.buyers, price - 5_000);
  assert.equal((await findOrder(db, buyer, orderId))?.payment?.state, "held");
  // It is no reason to refuse what has nothing to do with it.
  const { removalId } = await handleOrderIntent(db, buyer, orderId, "cancel");
  assert.equal((await undoWithoutLimits(db, buyer, removalId ?? "")).result, "undone");
  assert.equal(await take(db, seller, orderId, "hand over"), null);
  assert.equal(await take(db, buyer, orderId, "receive"), null);
  assert.equal(await take(db, buyer, orderId, "undo receipt"), null);
  assert.equal(await take(db, buyer, orderId, "receive"), null);
  await runJob(db, order, inDays(3));
  assert.equal(memory.paidBySeller(accountId), price - 5_500);
  assert.deepEqual(
    (await db.select().from(paymentTasks)).map(({ kind, cause }) => [kind, cause]),
    [
      ["refund", "staff"],
      ["release", "received"],
    ],
  );
  const { state, sellerShareCents, refundedCents } = (await findOrder(db, seller, orderId))?.payment ?? {};
  assert.deepEqual([state, sellerShareCents, refundedCents], ["partly refunded", price - 5_500, 5_000]);
  await assertBalanced(db, memory);

  // What the seller has by now is taken back first, and at last all goes back.
  await refundPart(db, orderId, 8_000);
  for (let turn = 0; turn < 3; turn += 1) await runJob(db, order, inDays(3));
  assert.equal(memory.paidBySeller(accountId), price - 8_500);
  assert.equal(memory.balances.buyers, price - 8_000);
  assert.ok((await db.select().from(payments))[0]?.settledAt);
  await decideToEnd(db, order, "defect");
  await addStep(db, seller, orderId, "listed again");
  for (let turn = 0; turn < 3; turn += 1) await runJob(db, order);
  assert.deepEqual([memory.paidBySeller(accountId), memory.balances.buyers], [0, 0]);
  const { fee, held } = await sumLedger(db, orderId);
  assert.deepEqual([fee, held, memory.balances.platform], [0, 0, 0]);
  await assertBalanced(db, memory);
};

export const aPartRefundOfAProblemIsPaidBack = async (db: Db) => {
  const order = await received(db);
  const { memory, seller, buyer, orderId, accountId } = order;
  const text = "For the scratches.";
  const offer = (amount?: number) =>
    answerProblem(db, seller, orderId, { answer: "offer", offer: "part refund", amount, text });
  assert.equal(await openProblem(db, buyer, orderId, { kind: "defect", text: "It is cracked." }), "done");
  assert.equal(await offer(), "no amount");
  assert.equal(await offer(price + 1), "amount too high");
  assert.deepEqual([await offer(5_000), await offer(5_000)], ["done", "done"]);
  await runJob(db, order, inDays(1));
  assert.equal(memory.count("refund"), 0);
  const accept = () => answerProblem(db, buyer, orderId, { answer: "accept", text: "" });
  assert.ok((await Promise.all([accept(), accept()])).includes("done"));
  const [step] = (await findOrderProblem(db, buyer, orderId))?.problems[0]?.steps.slice(1) ?? [];
  assert.deepEqual([step?.kind, step?.amountCents], ["offered", 5_000]);
  await runJob(db, order, inMinutes(1));
  assert.equal(memory.balances.buyers, price - 5_000);
  // The seller is paid the rest soon, whatever the buyer presses.
  assert.ok(!(await findOrder(db, buyer, orderId))?.intents.includes("approve"));
  assert.equal(await take(db, buyer, orderId, "approve"), "already paid out");
  await runJob(db, order, inMinutes(11));
  assert.equal(memory.paidBySeller(accountId), price - 5_000);
  for (const side of [buyer, seller]) assert.deepEqual(await toldRefunds(db, side), [5_000]);
  await assertBalanced(db, memory);

  // Moderators decide the next one, and what is left is less.
  const moderator = await addAccount(db, { userType: "Admin" });
  assert.equal(await openProblem(db, buyer, orderId, { kind: "defect", text: "And the speaker." }), "done");
  assert.equal(await answerProblem(db, buyer, orderId, { answer: "ask", text: "" }), "done");
  const id = (await findOrderProblem(db, buyer, orderId))?.problems[0]?.id ?? "";
  const decideBack = (amount: number) =>
    decideProblem(db, moderator, id, { decision: "solved", amount, reason: "It is quiet." });
  // Who decides is asked with the sums.
  const splitOf = async (decision: "solved" | "returned" | "refused", amount?: number) => {
    const given = { decision, reason: "It is quiet.", ...(amount !== undefined && { amount }) };
    return (await findDecidable(db, moderator, id, given))?.split?.toBuyerCents;
  };
  assert.deepEqual(
    [await splitOf("solved", 2_000), await splitOf("returned"), await splitOf("refused")],
    [7_000, price, 5_000],
  );
  assert.equal(await decideBack(price - 4_999), "amount too high");
  assert.deepEqual([await decideBack(2_000), await decideBack(2_000)], ["done", "done"]);
  // Pages and emails say what each side gets in all.
  const split = (await findOrderProblem(db, buyer, orderId))?.problems[0]?.split;
  assert.deepEqual([split?.paidCents, split?.toBuyerCents], [price, 7_000]);
  const [facts] = await findProblemFacts(db, [{ orderId, event: "" }]);
  const money = (reader: { id: string }) =>
    facts && Object.fromEntries(problemEmailFacts(facts, reader.id)).Money;
  assert.match(
    money(buyer) ?? "",
    /^You get back \$70 of \$[\d,.]+\. The seller gets \$[\d,.]+( less the fee)?\.$/,
  );
  assert.match(money(seller) ?? "", /^The buyer gets back \$70 of \$[\d,.]+\. You get \$/);
  for (const _ of [1, 2]) await runJob(db, order, inMinutes(11));
  // The decision says it.
  for (const side of [buyer, seller]) assert.deepEqual(await toldRefunds(db, side), [5_000]);
  assert.deepEqual([memory.balances.buyers, memory.paidBySeller(accountId)], [price - 7_000, price - 7_000]);
  await assertBalanced(db, memory);
};

/** A problem holds what the seller gets, not what staff has decided to pay back. */
export const whatStaffPaysBackGoesAtOnceWhateverProblemIsOpen = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const memory = memoryProvider();
  for (const isReleased of [false, true]) {
    const order = await received(db, await booked(db, memory));
    const { buyer, seller, orderId, accountId } = order;
    if (isReleased) await runJob(db, order, inDays(3));
    const details = { amountCents: 3_000, shownCents: 0, reason: "It came late." };
    assert.equal(await refundOrder(db, admin, orderId, details), "done");
    const before = memory.balances.buyers;
    assert.equal(await openProblem(db, buyer, orderId, { kind: "defect", text: "It broke." }), "done");
    assert.equal((await findPayment(db, orderId))?.state, "to be refunded");
    await runJob(db, order, inDays(isReleased ? 3 : 0));
    assert.equal(before - memory.balances.buyers, 3_000);
    const shown = await findPayment(db, orderId);
    assert.deepEqual(
      [shown?.state, memory.paidBySeller(accountId)],
      isReleased ? ["partly refunded", price - 3_000] : ["on hold", 0],
    );
    // Who has the money is never said to wait for it.
    for (const viewer of [buyer, seller]) {
      const payment = (await findOrder(db, viewer, orderId))?.payment;
      assert.ok(payment);
      const label = { timeLabel: String, recentLabel: String };
      const text = protectedPaymentText(viewer === buyer ? "buyer" : "seller", payment, label);
      assert.equal(/holds the rest/.test(text), !isReleased, text);
    }
    await assertBalanced(db, memory);
  }
};

export const theRestIsReleasedWithThePartThatGoesBack = async (db: Db) => {
  const order = await received(db);
  const { memory, buyer, seller, orderId, accountId } = order;
  assert.equal(await openProblem(db, buyer, orderId, { kind: "defect", text: "It is cracked." }), "done");
  const offer = { answer: "offer", offer: "part refund", amount: 5_000, text: "For it." } as const;
  assert.equal(await answerProblem(db, seller, orderId, offer), "done");
  await db.update(orderSteps).set({ createdAt: inMinutes(-11) });
  assert.equal(await answerProblem(db, buyer, orderId, { answer: "accept", text: "" }), "done");
  await moveMoney(db, memory.provider);
  assert.deepEqual([memory.balances.buyers, memory.paidBySeller(accountId)], [price - 5_000, price - 5_000]);
  // After the release, what is taken back goes to the buyer at once.
  const admin = await addAccount(db, { userType: "Admin" });
  const more = { amountCents: 1_000, shownCents: 5_000, reason: "The cable." };
  assert.equal(await refundOrder(db, admin, orderId, more), "done");
  await moveMoney(db, memory.provider);
  assert.deepEqual([memory.balances.buyers, memory.paidBySeller(accountId)], [price - 6_000, price - 6_000]);
  await assertBalanced(db, memory);
};

export const aSellerWhoHasTheDeviceBackSaysSoAndTheBuyerIsPaidBack = async (db: Db) => {
  const order = await received(db);
  const { memory, seller, buyer, orderId, phoneId } = order;
  assert.equal(await take(db, seller, orderId, "given back"), "nothing to give back");
  await decideToEnd(db, order, "defect");
  const textFor = async (viewer: Account) => {
    const payment = (await findOrder(db, viewer, orderId))?.payment;
    assert.ok(payment);
    const label = { timeLabel: String, recentLabel: String };
    return protectedPaymentText(viewer === buyer ? "buyer" : "seller", payment, label);
  };
  assert.match(
    await textFor(buyer),
    /^You get \$349\.50 back once the seller has the device, at the latest by/,
  );
  assert.match(
    await textFor(seller),
    /^The buyer gets \$349\.50 back once you have the device, at the latest/,
  );
  assert.equal(await openProblem(db, seller, orderId, { kind: "not returned", text: "Nothing." }), "done");
  assert.ok((await findOrder(db, seller, orderId))?.intents.includes("given back"));
  assert.ok(!(await findOrder(db, buyer, orderId))?.intents.includes("given back"));
  assert.equal(await take(db, buyer, orderId, "given back"), "not yours");
  const before = (await told(db, buyer)).length;
  assert.deepEqual(await Promise.all([1, 2].map(() => take(db, seller, orderId, "given back"))), [
    null,
    null,
  ]);
  assert.match(await textFor(buyer), /^We’re paying you back \$349\.50\.$/);
  // Said already, also as long as the money has not moved.
  assert.ok(!(await findOrder(db, seller, orderId))?.intents.includes("given back"));
  assert.equal(await take(db, buyer, orderId, "given back"), "not yours");
  // Of the one event there is one notification, and of the money rather than of the problem.
  assert.deepEqual((await told(db, buyer)).slice(before), ["refunded"]);
  assert.ok(!(await told(db, seller)).includes("refunded"));
  await Promise.all([moveMoney(db, memory.provider), moveMoney(db, memory.provider)]);
  assert.deepEqual([memory.balances.buyers, memory.count("refund")], [0, 1]);
  const shown = await findOrder(db, seller, orderId);
  assert.deepEqual([shown?.intents.includes("given back"), shown?.isReturnDue], [false, false]);
  // The problem about it is solved, and another one can't be reported; the device can be listed again.
  const found = await findOrderProblem(db, seller, orderId);
  assert.deepEqual([found?.problems[0]?.state, found?.choices], ["solved", []]);
  assert.equal(found?.returnedPhoneId, phoneId);
  assert.equal(await take(db, seller, orderId, "given back"), null);
  await assertBalanced(db, memory);
};

export const aReturnAfterAWonDisputeIsToldOnce = async (db: Db) => {
  const order = await received(db);
  const { seller, buyer, orderId } = order;
  await dispute(db, order, "open");
  await dispute(db, order, "won");
  await decideToEnd(db, order, "defect");
  assert.equal(await openProblem(db, seller, orderId, { kind: "not returned", text: "Nothing." }), "done");
  const before = (await told(db, buyer)).length;
  assert.equal(await take(db, seller, orderId, "given back"), null);
  assert.deepEqual((await told(db, buyer)).slice(before), ["refunded"]);
};

export const aDecisionThatNoDeviceGoesBackSaysWhatTheBuyerGets = async (db: Db) => {
  const order = await received(db);
  const { memory, seller, buyer, orderId } = order;
  await decideToEnd(db, order, "defect");
  assert.equal(await openProblem(db, seller, orderId, { kind: "not returned", text: "Nothing." }), "done");
  assert.equal(await answerProblem(db, buyer, orderId, { answer: "ask", text: "" }), "done");
  const [problem] = await db.select().from(orderProblems).where(eq(orderProblems.kind, "not returned"));
  const moderator = await addAccount(db, { userType: "Admin" });
  const decision = { decision: "refused", reason: "The parcel was lost." } as const;
  const before = (await told(db, buyer)).length;
  assert.equal(await decideProblem(db, moderator, problem?.id ?? "", decision), "done");
  await runJob(db, order);
  assert.equal(memory.balances.buyers, 0);
  assert.deepEqual((await told(db, buyer)).slice(before), ["problem decided"]);
  const [notice] = await db
    .select({ event: notifications.event })
    .from(notifications)
    .where(and(eq(notifications.userId, buyer.id), eq(notifications.kind, "problem decided")))
    .orderBy(sql`${notifications.id} desc`);
  const [facts] = await findProblemFacts(db, [{ orderId, event: notice?.event ?? "" }]);
  assert.ok(facts);
  const money = (viewer: Account) => new Map(problemEmailFacts(facts, viewer.id)).get("Money");
  assert.equal(money(buyer), "You get back all $349.50.");
  assert.equal(money(seller), "The buyer gets back all $349.50.");
};

/** All that is left, of an order that goes on: the seller offers it, or moderators decide it. */
export const allOfItGoesBackAndTheBuyerKeepsTheDevice = async (db: Db) => {
  const memory = memoryProvider();
  const moderator = await addAccount(db, { userType: "Admin" });
  for (const by of ["seller", "moderators"] as const) {
    const order = await received(db, await booked(db, memory));
    const { seller, buyer, orderId, accountId } = order;
    // The rest of it, which the seller has by now.
    await refundPart(db, orderId, 5_000);
    await runJob(db, order, inDays(3));
    await runJob(db, order, inDays(3));
    const left = price - 5_000;
    assert.equal(memory.paidBySeller(accountId), left);
    assert.equal(await openProblem(db, buyer, orderId, { kind: "defect", text: "It is cracked." }), "done");
    const text = "Keep it.";
    if (by === "moderators") {
      assert.equal(await answerProblem(db, buyer, orderId, { answer: "ask", text: "" }), "done");
      const id = (await findOrderProblem(db, buyer, orderId))?.problems[0]?.id ?? "";
      const decision = { decision: "solved", amount: left, reason: text } as const;
      assert.equal(await decideProblem(db, moderator, id, decision), "done");
    } else {
      const offer = (offer: "refund" | "part refund", amount?: number) =>
        answerProblem(db, seller, orderId, { answer: "offer", offer, amount, text });
      assert.equal(await offer("part refund", left + 1), "amount too high");
      assert.equal(await offer("part refund", left), "not a part");
      assert.deepEqual([await offer("refund"), await offer("refund")], ["done", "done"]);
      const steps = (await findOrderProblem(db, buyer, orderId))?.problems[0]?.steps ?? [];
      assert.deepEqual(
        steps.map(({ kind, offer, amountCents }) => [kind, offer, amountCents]),
        [
          ["opened", null, null],
          ["offered", "refund", left],
        ],
      );
      const notice = and(eq(notifications.userId, buyer.id), eq(notifications.kind, "problem offer"));
      const offered = await db.select({ details: notifications.details }).from(notifications).where(notice);
      assert.deepEqual(
        offered.map(({ details }) => details && "problemOffer" in details && details.problemOffer),
        ["refund"],
      );
      const accept = () => answerProblem(db, buyer, orderId, { answer: "accept", text: "" });
      assert.ok((await Promise.all([accept(), accept()])).includes("done"));
    }
    for (const _ of [1, 2]) await runJob(db, order, inDays(4));
    assert.equal(memory.paidBySeller(accountId), 0);
    const found = await findOrder(db, buyer, orderId);
    assert.deepEqual([found?.status, found?.payment?.state], ["active", "refunded"]);
    const { split, settlement } = (await findOrderProblem(db, buyer, orderId))?.problems[0] ?? {};
    assert.deepEqual([split?.toBuyerCents, settlement?.amountCents], [price, left]);
    const [facts] = await findProblemFacts(db, [{ orderId, event: "" }]);
    assert.ok(facts);
    assert.equal(new Map(problemEmailFacts(facts, buyer.id)).get("Money"), "You get back all $349.50.");
  }
  assert.equal(memory.balances.buyers, 0);
  assert.equal(await db.$count(payments, isNull(payments.settledAt)), 0);
  await assertBalanced(db, memory);
};

/** Moderators decide a problem of the seller, or the bank takes a part, while all that is left is offered. */
export const aFullRefundPaysBackWhatIsLeftOnceItIsAccepted = async (db: Db) => {
  const memory = memoryProvider();
  const moderator = await addAccount(db, { userType: "Admin" });
  for (const by of ["moderators", "bank"] as const) {
    const order = await received(db, await booked(db, memory));
    const { seller, buyer, orderId } = order;
    const text = "Keep it.";
    assert.equal(await openProblem(db, seller, orderId, { kind: "other terms", text }), "done");
    assert.equal(await openProblem(db, buyer, orderId, { kind: "defect", text }), "done");
    const { problems = [] } = (await findOrderProblem(db, buyer, orderId)) ?? {};
    const idOf = (role: string) => problems.find(({ openedBy }) => openedBy === role)?.id ?? "";
    const answer = (viewer: Account, answer: "offer" | "accept" | "ask", more = {}) =>
      answerProblem(db, viewer, orderId, { answer, text, problemId: idOf("buyer"), ...more });
    assert.equal(await answer(seller, "offer", { offer: "refund" }), "done");
    if (by === "bank") await dispute(db, order, "lost", { amountCents: 5_000 });
    else {
      const problemId = idOf("seller");
      assert.equal(await answer(seller, "ask", { problemId }), "done");
      const decision = { decision: "solved", amount: 5_000, reason: text } as const;
      assert.equal(await decideProblem(db, moderator, problemId, decision), "done");
    }
    assert.equal(await answer(buyer, "accept"), "done", by);
    for (const _ of [1, 2]) await runJob(db, order, inDays(4));
    assert.equal((await findOrder(db, buyer, orderId))?.payment?.state, "refunded", by);
    await assertBalanced(db, memory, by);
  }
  assert.equal(memory.balances.buyers, 0);
};

export const aHandoverIsNotUndoneOnceMoneyHasGoneBackForIt = async (db: Db) => {
  const memory = memoryProvider();
  const handedOver = async () => {
    const order = await paid(db, await booked(db, memory));
    assert.equal(await take(db, order.seller, order.orderId, "hand over"), null);
    return order;
  };
  const undo = async ({ seller, orderId }: Booked) => [
    (await findOrder(db, seller, orderId))?.intents.includes("undo handover"),
    await take(db, seller, orderId, "undo handover"),
  ];
  const agreed = await handedOver();
  const { seller, buyer, orderId } = agreed;
  assert.equal(await openProblem(db, buyer, orderId, { kind: "defect", text: "It is cracked." }), "done");
  const offer = { answer: "offer", offer: "refund", text: "Keep it." } as const;
  assert.equal(await answerProblem(db, seller, orderId, offer), "done");
  assert.equal(await answerProblem(db, buyer, orderId, { answer: "accept", text: "" }), "done");
  assert.deepEqual(await undo(agreed), [false, "problem since"]);

  const repaid = await handedOver();
  const staff = await addAccount(db, { userType: "Admin" });
  const refund = { amountCents: price, reason: "Sorry.", shownCents: 0 };
  assert.equal(await refundOrder(db, staff, repaid.orderId, refund), "done");
  assert.deepEqual(await undo(repaid), [false, "order changed"]);
  assert.deepEqual(await undo(await handedOver()), [true, null]);
};

export const anUnprotectedPartRefundHasNoAmount = async (db: Db) => {
  const [seller, buyer] = [await addAccount(db, { userType: "Seller" }), await addAccount(db)];
  const { id: phoneId } = await addPhone(db, { sellerId: seller.id });
  const { orderId } = await bookWithoutLimits(db, buyer, phoneId, { address: "", phone: "" });
  assert.ok(orderId);
  assert.equal(await take(db, seller, orderId, "hand over"), null);
  assert.equal(await openProblem(db, buyer, orderId, { kind: "defect", text: "It is cracked." }), "done");
  const offer = { answer: "offer", offer: "part refund", text: "$40 back, in cash." } as const;
  assert.equal(await answerProblem(db, seller, orderId, { ...offer, amount: 4_000 }), "not held");
  assert.equal(await answerProblem(db, seller, orderId, offer), "done");
};

const mind = { kind: "changed mind", text: "It is too big." } as const;

export const aBuyerChangesTheirMindInTime = async (db: Db) => {
  const order = await booked(db);
  const { memory, seller, buyer, orderId, accountId } = order;
  await db.update(users).set({ returnDays: 14 }).where(eq(users.id, seller.id));
  // What the shop promises later does not count.
  await received(db, order);
  assert.equal(await openProblem(db, buyer, orderId, mind), "no returns");
  assert.equal((await findOrder(db, buyer, orderId))?.returnUntil, null);

  const { id: phoneId } = await addPhone(db, { sellerId: seller.id });
  const next = await bookWithoutLimits(db, buyer, phoneId, { address: "", phone: "" }, { hasProvider: true });
  const returnable = { ...order, orderId: next.orderId ?? "" };
  await paid(db, returnable);
  assert.equal(await openProblem(db, buyer, returnable.orderId, mind), "not yet");
  assert.equal(await take(db, seller, returnable.orderId, "hand over"), null);
  assert.equal(await take(db, buyer, returnable.orderId, "receive"), null);
  const until = Date.parse((await findOrder(db, buyer, returnable.orderId))?.returnUntil ?? "");
  assert.ok(Math.abs(until - inDays(14).getTime()) < 60_000);
  assert.equal(await openProblem(db, seller, returnable.orderId, mind), "not now");
  assert.equal(await openProblem(db, buyer, returnable.orderId, mind, inDays(14.1)), "no returns");
  const { choices = [] } = (await findOrderProblem(db, buyer, returnable.orderId)) ?? {};
  assert.ok(choices.some(({ label }) => label === "I’ve changed my mind (14-day returns)"));

  // The seller is paid meanwhile, and gives it back.
  await runJob(db, order, inDays(3));
  assert.equal(memory.paidBySeller(accountId), 2 * price);
  assert.equal(await openProblem(db, buyer, returnable.orderId, mind), "done");
  const answer = (viewer: Account, answer: "accept" | "offer") =>
    answerProblem(db, viewer, returnable.orderId, {
      answer,
      ...(answer === "offer" && { offer: "part refund", amount: 1_000 }),
      text: "",
    });
  assert.equal(await answer(buyer, "accept"), "not now");
  assert.equal(await answer(seller, "offer"), "not now");
  assert.deepEqual([await answer(seller, "accept"), await answer(seller, "accept")], ["done", "done"]);
  const [problem] = (await findOrderProblem(db, buyer, returnable.orderId))?.problems ?? [];
  assert.deepEqual([problem?.state, problem?.settlement?.offer], ["returned", "return"]);
  for (const _ of [1, 2]) await runJob(db, order, inDays(13));
  assert.equal(memory.count("refund"), 0);
  await addStep(db, seller, returnable.orderId, "listed again");
  for (const _ of [1, 2]) await runJob(db, order, inDays(1));
  assert.deepEqual([memory.paidBySeller(accountId), memory.balances.buyers], [price, price]);
  await assertBalanced(db, memory);
  // It is no fault of the seller.
  const [{ record } = {}] = await db
    .select({ record: sellerRecordColumn() })
    .from(users)
    .where(eq(users.id, seller.id));
  assert.deepEqual([record?.orders.withProblem, record?.orders.returned], [0, 0]);
};

/** A database in which something else happens between what a use case reads and what it stores. */
function withinUse(db: Db, happen: () => Promise<void>): Db {
  let count = 0;
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== "batch") return typeof value === "function" ? value.bind(target) : value;
      return async (statements: Parameters<Db["batch"]>[0]) => {
        count += 1;
        if (count === 2) await happen();
        return target.batch(statements);
      };
    },
  });
}

/** Whoever has all of the money back has nothing to get for the device. */
export const nothingThatIsRefundedIsOfferedAgain = async (db: Db) => {
  const order = await booked(db);
  await db.update(payments).set({ returnDays: 14 });
  await received(db, order);
  const { memory, seller, buyer, orderId } = order;
  const admin = await addAccount(db, { userType: "Admin" });
  const offers = async () => {
    const kinds = (await findOrderProblem(db, buyer, orderId))?.choices.map(({ value }) => value);
    return [(await findOrder(db, buyer, orderId))?.returnUntil != null, kinds?.includes("changed mind")];
  };
  const refund = (amountCents: number, shownCents: number) =>
    refundOrder(db, admin, orderId, { amountCents, shownCents, reason: "As a gesture." });
  assert.equal(await refund(5_000, 0), "done");
  assert.deepEqual(await offers(), [true, true]);
  // Of the two at the same moment, the first counts.
  assert.equal(await openProblem(db, buyer, orderId, mind), "done");
  assert.equal(await refund(price - 5_000, 5_000), "problem open");
  assert.equal(await answerProblem(db, buyer, orderId, { answer: "close", text: "" }), "done");
  const refunding = withinUse(db, async () => assert.equal(await refund(price - 5_000, 5_000), "done"));
  assert.equal(await openProblem(refunding, buyer, orderId, mind), "no returns");
  assert.deepEqual(await offers(), [false, false]);
  assert.equal(await openProblem(db, buyer, orderId, mind), "no returns");
  await runJob(db, order);
  assert.deepEqual(await offers(), [false, false]);

  // The warranty is left: a return, a repair, but no money.
  assert.equal(await openProblem(db, buyer, orderId, { kind: "defect", text: "It is cracked." }), "done");
  const [problem] = (await findOrderProblem(db, seller, orderId))?.problems ?? [];
  assert.ok(problem);
  const choices = problemOfferChoices(problem, "seller", 0, false);
  assert.deepEqual(
    choices.map(({ value }) => value),
    ["return", "repair", "something else"],
  );
  assert.match(choices[0]?.description ?? "", /The buyer has already been paid back\.$/);
  const offer = (offer: ProblemOffer, amount?: number) =>
    answerProblem(db, seller, orderId, { answer: "offer", offer, amount, text: "So be it." });
  assert.deepEqual([await offer("refund"), await offer("part refund", 1)], ["no offer", "no offer"]);
  assert.equal(await offer("return"), "done");
  assert.equal(await answerProblem(db, buyer, orderId, { answer: "accept", text: "" }), "done");
  // There is no refund that waits for the device.
  assert.ok(!(await findOrder(db, seller, orderId))?.intents.includes("given back"));
  assert.equal(await take(db, seller, orderId, "given back"), "nothing to give back");
  await runJob(db, order, inDays(20));
  assert.deepEqual([memory.count("refund"), memory.balances.buyers], [2, 0]);
  await assertBalanced(db, memory);
};

export const aReturnThatNobodyAnswersIsAccepted = async (db: Db) => {
  const order = await booked(db);
  await db.update(payments).set({ returnDays: 30 });
  await received(db, order);
  const { memory, buyer, seller, orderId } = order;
  assert.equal(await openProblem(db, buyer, orderId, mind), "done");
  await endOverdueAnswers(db, undefined, inDays(2.9));
  const stateNow = async () => (await findOrderProblem(db, seller, orderId))?.problems[0]?.state;
  assert.equal(await stateNow(), "open");
  await endOverdueAnswers(db, undefined, inDays(3.1));
  assert.equal(await stateNow(), "returned");
  assert.equal((await findOrder(db, buyer, orderId))?.status, "cancelled");
  await runJob(db, order, inDays(15));
  assert.equal(memory.balances.buyers, 0);
  await assertBalanced(db, memory);
};

export const aSellerWhoOwesMoneySellsNothingUntilItIsBack = async (db: Db) => {
  const order = await received(db);
  const { memory, seller, buyer, orderId } = order;
  await runJob(db, order, inDays(3));
  await decideToEnd(db, order, "defect");
  await addStep(db, seller, orderId, "listed again");
  const refuse = (times = 1) => Object.assign(memory.faults, { spent: times });
  refuse(2);
  // Of the buyer’s money, and then of the debt: the buyer does not wait for it.
  assert.deepEqual(await runJob(db, order), ["balance_insufficient", "balance_insufficient"]);
  assert.equal(memory.balances.buyers, 0);
  assert.equal((await findPayment(db, orderId))?.state, "refunded");
  const [mine, other] = [await addPhone(db, { sellerId: seller.id }), await addPhone(db)];
  const refusalOf = async (phoneId: string) =>
    (await findBookingTerms(db, buyer, phoneId, noLimits)).refusal?.reason ?? null;
  // It may pass.
  assert.deepEqual([await refusalOf(mine.id), await findSellerDebt(db, seller)], [null, 0]);
  const open = and(eq(paymentTasks.kind, "take back"), isNull(paymentTasks.doneAt));
  await db
    .update(paymentTasks)
    .set({ createdAt: inDays(-1) })
    .where(open);
  assert.deepEqual([await refusalOf(mine.id), await findSellerDebt(db, seller)], ["unavailable", price]);
  const details = { address: "", phone: "" };
  assert.equal((await bookWithoutLimits(db, buyer, mine.id, details)).refusal?.reason, "unavailable");
  assert.equal(await refusalOf(other.id), null);
  // The seller tries it: too early, and once the money is there. The provider does not answer as before.
  const [before] = await db.select().from(paymentTasks).where(open);
  refuse();
  assert.deepEqual(await retryDebts(db, memory.provider, seller), ["balance_insufficient"]);
  const [after] = await db.select().from(paymentTasks).where(open);
  assert.notEqual(after?.id, before?.id);
  assert.deepEqual([await refusalOf(mine.id), await findSellerDebt(db, seller)], ["unavailable", price]);
  assert.deepEqual(await retryDebts(db, memory.provider, buyer), []);
  assert.equal(await findSellerDebt(db, seller), price);
  // The answer is lost, and both tabs ask again: it is taken once.
  Object.assign(memory.faults, { after: 1, code: "api_connection_error", isRetryable: true });
  assert.deepEqual(await retryDebts(db, memory.provider, seller), ["api_connection_error"]);
  const again = [1, 2].map(() => retryDebts(db, memory.provider, seller));
  assert.deepEqual(await Promise.all(again), [[], []]);
  assert.deepEqual([await refusalOf(mine.id), await findSellerDebt(db, seller)], [null, 0]);
  assert.equal(await db.$count(payments, isNull(payments.settledAt)), 0);
  await assertBalanced(db, memory);
};

export const whatAnotherRunHasTakenBackMeanwhileIsNoFailure = async (db: Db) => {
  const first = await received(db);
  const { memory } = first;
  const second = await received(db, await booked(db, memory));
  await runJob(db, first, inDays(3));
  for (const order of [first, second]) {
    await decideToEnd(db, order, "defect");
    await addStep(db, order.seller, order.orderId, "listed again");
  }
  await addDueTasks(db, new Date());
  let otherRun: ReturnType<typeof sendPaymentTasks> | undefined;
  const slowProvider = {
    ...memory.provider,
    async reverse(move: Parameters<typeof memory.provider.reverse>[0]) {
      otherRun ??= sendPaymentTasks(db, memory.provider);
      await otherRun;
      return memory.provider.reverse(move);
    },
  };
  const runs = [await sendPaymentTasks(db, slowProvider), await otherRun];
  assert.deepEqual(
    runs.map((run) => run?.failures),
    [[], []],
  );
  assert.equal(memory.count("reversal"), 2);
  await runJob(db, first);
  assert.equal(memory.balances.buyers, 0);
  await assertBalanced(db, memory);
};

/** What a seller has spent goes back to the buyer in part, too. */
export const aPartThatCannotBeTakenBackIsPaidBackFirst = async (db: Db) => {
  const order = await booked(db);
  const { memory, orderId, accountId } = order;
  await db.update(payments).set({ feeCents: 500 }).where(eq(payments.orderId, orderId));
  await received(db, order);
  await runJob(db, order, inDays(3));
  await refundPart(db, orderId, 5_000);
  memory.faults.spent = 2;
  await runJob(db, order, inDays(3));
  assert.equal(memory.balances.buyers, price - 5_000);
  const payment = await findPayment(db, orderId);
  assert.deepEqual([payment?.state, payment?.owedCents], ["partly refunded", 5_000]);
  assert.equal((await sumUpListings(db, order.seller)).soldCents, price - 5_000);
  await runJob(db, order, inDays(5));
  assert.equal(memory.paidBySeller(accountId), price - 5_500);
  assert.equal(await db.$count(payments, isNull(payments.settledAt)), 0);
  await assertBalanced(db, memory);
};

const chargeOf = async (db: Db, orderId: string) =>
  (await db.select().from(payments).where(eq(payments.orderId, orderId)))[0]?.chargeId ?? "";

export const aBanksDisputeHoldsTheMoneyUntilItIsDecided = async (db: Db) => {
  const memory = memoryProvider();
  const dispute = async ({ orderId }: Booked, id: string, state: "open" | "won" | "lost") => {
    memory.dispute(id, { chargeId: await chargeOf(db, orderId), amountCents: price, state });
    // Twice, as events may come.
    for (const _ of [1, 2]) await refreshDispute(db, memory.provider, id);
  };
  const won = await received(db, await booked(db, memory));
  await dispute(won, "dispute_1", "open");
  await runJob(db, won, inDays(5));
  assert.equal(memory.count("transfer"), 0);
  assert.equal((await findOrder(db, won.buyer, won.orderId))?.payment?.state, "disputed");
  await dispute(won, "dispute_1", "won");
  await runJob(db, won, inDays(5));
  assert.equal(memory.paidBySeller(won.accountId), price);

  const lost = await booked(db, memory);
  await db.update(payments).set({ feeCents: 500 }).where(eq(payments.orderId, lost.orderId));
  await received(db, lost);
  await runJob(db, lost, inDays(3));
  assert.equal(memory.paidBySeller(lost.accountId), price - 500);
  await dispute(lost, "dispute_2", "open");
  // Closed before it was known to be open: what was not sent is dropped.
  const early = await received(db, await booked(db, memory));
  await addDueTasks(db, inDays(3));
  await dispute(early, "dispute_3", "lost");
  await dispute(lost, "dispute_2", "lost");
  for (const _ of [1, 2]) await runJob(db, lost, inDays(5));
  assert.deepEqual([memory.paidBySeller(lost.accountId), memory.paidBySeller(early.accountId)], [0, 0]);
  assert.equal(await db.$count(payments, isNull(payments.settledAt)), 0);
  // Moderators have not decided it.
  const moderator = await addAccount(db, { moderatorSince: new Date() });
  assert.deepEqual((await listDecided(db, moderator, null)).rows, []);
  for (const { orderId } of [lost, early]) {
    const { held, fee } = await sumLedger(db, orderId);
    assert.deepEqual([held, fee], [0, 0]);
  }
  await refreshDispute(db, memory.provider, "dispute_3");
  await assertBalanced(db, memory);
};

/** A dispute of an order’s whole payment, as often as its events come. */
async function dispute(
  db: Db,
  { memory, orderId }: Booked,
  state: "open" | "won" | "lost",
  { amountCents = price, id = orderId, now = new Date() } = {},
) {
  memory.dispute(id, { chargeId: await chargeOf(db, orderId), amountCents, state });
  for (const _ of [1, 2]) await refreshDispute(db, memory.provider, id, now);
}

export const nobodyHandsOverWhatABankDisputes = async (db: Db) => {
  const order = await paid(db);
  const { seller, buyer, orderId } = order;
  const before = await findOrder(db, seller, orderId);
  await dispute(db, order, "open");
  assert.deepEqual(await told(db, seller), ["booked", "payment disputed"]);
  assert.deepEqual(await told(db, buyer), ["order placed", "payment disputed"]);
  assert.equal(await take(db, seller, orderId, "hand over"), "disputed");
  for (const viewer of [seller, buyer]) {
    assert.deepEqual((await findOrder(db, viewer, orderId))?.intents, []);
    assert.equal(await take(db, viewer, orderId, "cancel"), "problem open");
    const [problem] = (await findOrderProblem(db, viewer, orderId))?.problems ?? [];
    assert.deepEqual([problem?.kind, problem?.answers], ["bank dispute", ["write"]]);
    const text = "That was not me.";
    assert.equal(await answerProblem(db, viewer, orderId, { answer: "close", text }), "not now");
    assert.equal(await answerProblem(db, viewer, orderId, { answer: "write", text }), "done");
  }
  const [{ id: problemId = "" } = {}] = await db.select().from(orderProblems);
  const admin = await addAccount(db, { userType: "Admin" });
  assert.equal((await findProblemCase(db, admin, problemId))?.steps.length, 3);
  const decision = { decision: "refused", reason: "No." } as const;
  assert.equal(await decideProblem(db, admin, problemId, decision), "not now");
  // Its deadline stands still, and a problem of the buyer does not end with it.
  await endOverdueAnswers(db, undefined, inDays(90));
  await db.update(orders).set({ deadlineAt: inDays(-1) });
  await endOverdueOrders(db);
  assert.equal(await openProblem(db, buyer, orderId, { kind: "not arrived", text: "Where?" }), "done");
  await dispute(db, order, "won");
  assert.equal((await findOrder(db, buyer, orderId))?.isOnHold, true);
  assert.equal(await take(db, seller, orderId, "hand over"), null);
  assert.equal(await answerProblem(db, buyer, orderId, { answer: "close", text: "" }), "done");
  const after = await findOrder(db, seller, orderId);
  assert.deepEqual([before?.isOnHold, after?.isOnHold, after?.status], [false, false, "active"]);
};

export const whatABankTakesBackEndsTheOrder = async (db: Db) => {
  const memory = memoryProvider();
  const listingOf = async ({ phoneId }: Booked) =>
    (await db.select().from(phones).where(eq(phones.id, phoneId)))[0];
  // The seller still has the device.
  const reserved = await paid(db, await booked(db, memory));
  for (const [viewer, kind] of [
    [reserved.buyer, "not arrived"],
    [reserved.seller, "other terms"],
  ] as const)
    assert.equal(await openProblem(db, viewer, reserved.orderId, { kind, text: "Help." }), "done");
  await dispute(db, reserved, "open");
  await dispute(db, reserved, "lost");
  const open = await db.$count(orderProblems, isNull(orderProblems.endedAt));
  const listed = await listingOf(reserved);
  const ended = await findOrder(db, reserved.seller, reserved.orderId);
  assert.deepEqual(
    [open, ended?.status, listed?.status, listed?.hiddenById],
    [0, "cancelled", "available", null],
  );
  assert.equal((await told(db, reserved.seller)).at(-1), "problem answer");
  assert.equal(ended?.isMissed, false);
  const [problem] = (await findOrderProblem(db, reserved.seller, reserved.orderId))?.problems ?? [];
  assert.deepEqual([problem?.kind, problem?.state], ["bank dispute", "returned"]);

  // The buyer has it: the seller lists it again once it is back.
  const gone = await received(db, await booked(db, memory));
  await runJob(db, gone, inDays(3));
  await dispute(db, gone, "lost");
  assert.equal((await listingOf(gone))?.hiddenById, gone.orderId);
  const missing = { kind: "not returned", text: "Nothing came." } as const;
  assert.equal(await openProblem(db, gone.seller, gone.orderId, missing), "done");
  await runJob(db, gone, inDays(3));
  assert.equal(memory.paidBySeller(gone.accountId), 0);

  // A part of it: the order goes on.
  const part = await received(db, await booked(db, memory));
  await dispute(db, part, "lost", { amountCents: 5_000 });
  assert.equal((await findOrder(db, part.buyer, part.orderId))?.status, "active");
  await runJob(db, part, inDays(3));
  assert.equal(memory.paidBySeller(part.accountId), price - 5_000);

  // It was decided otherwise before: the dispute ends with the order, and its outcome is still booked.
  const decided = await received(db, await booked(db, memory));
  await dispute(db, decided, "open");
  await decideToEnd(db, decided, "defect");
  await dispute(db, decided, "lost");
  assert.equal(await db.$count(payments, isNull(payments.settledAt)), 0);
  await assertBalanced(db, memory);
};

/** Where the order of a payment stands, and whether a bank’s dispute holds it. */
async function standing(db: Db, { buyer, orderId }: Booked) {
  const order = await findOrder(db, buyer, orderId);
  return [order?.status, order?.stage, order?.payment?.state, order?.isOnHold];
}

export const aSecondDisputeCountsAsTheFirst = async (db: Db) => {
  const memory = memoryProvider();
  const second = ({ orderId }: Booked) => `${orderId}_second`;
  // After one that was won.
  const again = await received(db, await booked(db, memory));
  await dispute(db, again, "open");
  await dispute(db, again, "won");
  await dispute(db, again, "open", { id: second(again) });
  assert.deepEqual(await standing(db, again), ["active", "received", "disputed", true]);
  const told = await db.$count(notifications, eq(notifications.kind, "payment disputed"));
  assert.equal(told, 4);
  await runJob(db, again, inDays(5));
  // An event of the first that comes late.
  await refreshDispute(db, memory.provider, again.orderId);
  assert.equal(memory.paidBySeller(again.accountId), 0);
  await dispute(db, again, "lost", { id: second(again) });
  assert.deepEqual(await standing(db, again), ["cancelled", "handed over", "refunded", false]);

  // During it: it holds the order until both have ended.
  const both = await received(db, await booked(db, memory));
  await dispute(db, both, "open", { amountCents: 5_000 });
  await dispute(db, both, "open", { amountCents: 7_000, id: second(both) });
  await dispute(db, both, "lost", { amountCents: 5_000 });
  assert.deepEqual(await standing(db, both), ["active", "received", "disputed", true]);
  await runJob(db, both, inDays(5));
  await dispute(db, both, "lost", { amountCents: 7_000, id: second(both) });
  assert.equal((await standing(db, both)).at(-1), false);
  await runJob(db, both, inDays(5));
  assert.equal(memory.paidBySeller(both.accountId), price - 12_000);

  // After a part was lost, and the seller got the rest: of the rest, which ends the order.
  const rest = await received(db, await booked(db, memory));
  await dispute(db, rest, "lost", { amountCents: 5_000 });
  await runJob(db, rest, inDays(5));
  await dispute(db, rest, "open", { amountCents: price - 5_000, id: second(rest) });
  assert.deepEqual(await standing(db, rest), ["active", "received", "disputed", true]);
  await dispute(db, rest, "lost", { amountCents: price - 5_000, id: second(rest) });
  assert.equal((await standing(db, rest))[0], "cancelled");
  await runJob(db, rest, inDays(5));
  assert.equal(memory.paidBySeller(rest.accountId), 0);

  // Before the handover, and of an order that has been cancelled.
  const reserved = await paid(db, await booked(db, memory));
  await dispute(db, reserved, "won");
  await dispute(db, reserved, "open", { id: second(reserved) });
  assert.equal(await take(db, reserved.seller, reserved.orderId, "hand over"), "disputed");
  await dispute(db, reserved, "won", { id: second(reserved) });
  assert.equal(await take(db, reserved.buyer, reserved.orderId, "cancel"), null);
  await dispute(db, reserved, "open", { id: `${reserved.orderId}_third` });
  await runJob(db, reserved, inDays(1));
  assert.equal(memory.count("refund"), 0);
  await dispute(db, reserved, "lost", { id: `${reserved.orderId}_third` });
  assert.equal(await db.$count(payments, isNull(payments.settledAt)), 0);
  await assertBalanced(db, memory);
};

export const aDisputeThatIsDecidedWhileItIsStoredDoesNotStayOpen = async (db: Db) => {
  const order = await received(db);
  const { memory, orderId } = order;
  const facts = { chargeId: await chargeOf(db, orderId), amountCents: price };
  memory.dispute(orderId, { ...facts, state: "open" });
  const late: PaymentProvider = {
    ...memory.provider,
    async findDisputes(id) {
      const found = await memory.provider.findDisputes(id);
      memory.dispute(orderId, { ...facts, state: "won" });
      return found;
    },
  };
  await refreshDispute(db, late, orderId);
  assert.deepEqual(await standing(db, order), ["active", "received", "to be released", false]);
};

export const whatABankGivesBackIsTheSellersIfTheOrderGoesOn = async (db: Db) => {
  const memory = memoryProvider();
  for (const isReleased of [false, true]) {
    const order = await booked(db, memory);
    await db.update(payments).set({ feeCents: 500 }).where(eq(payments.orderId, order.orderId));
    await received(db, order);
    if (isReleased) await runJob(db, order, inDays(3));
    await dispute(db, order, "lost", { amountCents: 5_000 });
    for (const _ of [1, 2]) await runJob(db, order, inDays(3));
    assert.equal(memory.paidBySeller(order.accountId), price - 5_500);
    await dispute(db, order, "won", { amountCents: 5_000 });
    await runJob(db, order, inDays(3));
    assert.equal(memory.paidBySeller(order.accountId), price - 500);
    assert.equal((await standing(db, order))[2], "released");
    // It was moved in two parts, which both are taken back.
    await dispute(db, order, "lost", { id: `${order.orderId}_second` });
    for (const _ of [1, 2, 3]) await runJob(db, order, inDays(3));
    assert.equal(memory.paidBySeller(order.accountId), 0);
    const { held, fee, refunded } = await sumLedger(db, order.orderId);
    assert.deepEqual([held, fee, refunded], [0, 0, price]);
  }
  assert.equal(await db.$count(payments, isNull(payments.settledAt)), 0);
  await assertBalanced(db, memory);
};

export const anOrderGoesOnIfABankGivesBackAllAndTheBuyerHasTheDevice = async (db: Db) => {
  const memory = memoryProvider();
  const phoneOf = async ({ phoneId }: Booked) =>
    (await db.select().from(phones).where(eq(phones.id, phoneId)))[0];
  const gone = await received(db, await booked(db, memory));
  await runJob(db, gone, inDays(3));
  await dispute(db, gone, "lost");
  await runJob(db, gone, inDays(3));
  const missing = { kind: "not returned", text: "Nothing came." } as const;
  assert.equal(await openProblem(db, gone.seller, gone.orderId, missing), "done");
  await dispute(db, gone, "won");
  assert.deepEqual(await standing(db, gone), ["active", "received", "to be released", false]);
  const { status, hiddenById } = (await phoneOf(gone)) ?? {};
  assert.deepEqual([status, hiddenById], ["sold", null]);
  assert.equal(await db.$count(orderProblems, isNull(orderProblems.endedAt)), 0);
  for (const side of [gone.buyer, gone.seller]) assert.ok((await told(db, side)).includes("reinstated"));
  await runJob(db, gone, inDays(3));
  assert.equal(memory.paidBySeller(gone.accountId), price);
  // It takes it again, and gives it back again.
  await dispute(db, gone, "lost");
  assert.equal((await standing(db, gone))[0], "cancelled");
  await dispute(db, gone, "won");
  await runJob(db, gone, inDays(3));
  assert.deepEqual(await standing(db, gone), ["active", "received", "released", false]);

  // On its way: the buyer has time to receive it.
  const sent = await paid(db, await booked(db, memory));
  assert.equal(await take(db, sent.seller, sent.orderId, "hand over"), null);
  await dispute(db, sent, "lost");
  await dispute(db, sent, "won");
  assert.deepEqual(await standing(db, sent), ["active", "handed over", "held", false]);
  assert.equal((await phoneOf(sent))?.status, "reserved");
  await endOverdueOrders(db);
  assert.equal(await take(db, sent.buyer, sent.orderId, "approve"), null);
  await runJob(db, sent, inDays(1));
  assert.equal(memory.paidBySeller(sent.accountId), price);

  // Both read what has happened.
  for (const side of [sent.buyer, sent.seller]) {
    const texts = (await listNotifications(db, side, null)).rows.map(({ text }) => text);
    assert.ok(
      texts.some((text) => /^Back on: your order .+\(the bank gave us the money back\)\.$/.test(text)),
    );
  }
  const step = (await findOrder(db, sent.buyer, sent.orderId))?.steps.find(
    ({ kind }) => kind === "reinstated",
  );
  assert.equal(
    step && stepLabel(step.kind, false, step.by === "system"),
    "Back on: the bank gave the money back",
  );

  // The seller has the device, so that the buyer is paid back.
  const kept = await paid(db, await booked(db, memory));
  const back = await received(db, await booked(db, memory));
  for (const order of [kept, back]) await dispute(db, order, "lost");
  await addStep(db, back.seller, back.orderId, "listed again");
  for (const order of [kept, back]) {
    await dispute(db, order, "won");
    assert.equal((await standing(db, order))[0], "cancelled");
    await runJob(db, order);
    assert.deepEqual([(await standing(db, order))[2], memory.paidBySeller(order.accountId)], ["refunded", 0]);
  }
  assert.equal(await db.$count(payments, isNull(payments.settledAt)), 0);
  await assertBalanced(db, memory);
};

export const aDisputeOfAllAfterAPartRefundSettles = async (db: Db) => {
  const memory = memoryProvider();
  for (const isReleased of [false, true]) {
    const order = await received(db, await booked(db, memory));
    const { orderId, accountId } = order;
    await refundPart(db, orderId, 5_000);
    await runJob(db, order);
    if (isReleased) await runJob(db, order, inDays(3));
    await dispute(db, order, "lost");
    for (const _ of [1, 2]) await runJob(db, order, inDays(4));
    // The market bears what nobody else has.
    const { held, fee } = await sumLedger(db, orderId);
    assert.deepEqual([held, fee, memory.paidBySeller(accountId)], [0, -5_000, 0]);
  }
  assert.equal(await db.$count(payments, isNull(payments.settledAt)), 0);
  await assertBalanced(db, memory);
};

export const aRefundThatWasTriedBeforeALossIsOnlyLookedUp = async (db: Db) => {
  const memory = memoryProvider();
  const killed = {
    ...memory.provider,
    async refund(move: Parameters<typeof memory.provider.refund>[0]) {
      await memory.provider.refund(move);
      throw new Error("killed");
    },
  };
  // Carried out without an answer, not carried out, and carried out before the Worker ended.
  for (const fault of ["after", "before", "killed"] as const) {
    const order = await received(db, await booked(db, memory));
    const { orderId } = order;
    await refundPart(db, orderId, 5_000);
    if (fault === "killed") {
      await addDueTasks(db);
      await assert.rejects(sendPaymentTasks(db, killed), /killed/);
    } else {
      memory.faults[fault] = 1;
      await runJob(db, order);
      memory.faults[fault] = 0;
    }
    await dispute(db, order, "lost", { amountCents: price - 5_000, now: inMinutes(1) });
    for (const minutes of [10, 20, 30]) await runJob(db, order, inMinutes(minutes));
    const { refunded } = await sumLedger(db, orderId);
    assert.equal(refunded, fault === "before" ? price - 5_000 : price, fault);
    assert.equal(await db.$count(paymentTasks, isNull(paymentTasks.doneAt)), 0, fault);
  }
  await assertBalanced(db, memory);
};

export const whatIsDecidedDuringADisputeWaitsForItsEnd = async (db: Db) => {
  const order = await received(db);
  const { memory, seller, orderId, accountId } = order;
  const staff = await addAccount(db, { userType: "Admin" });
  const chargeId = await chargeOf(db, orderId);
  const dispute = async (state: "open" | "won") => {
    memory.dispute("dispute_1", { chargeId, amountCents: price, state });
    await refreshDispute(db, memory.provider, "dispute_1");
  };
  await addDueTasks(db, inDays(3));
  await dispute("open");
  const refund = { amountCents: 1_000, reason: "Sorry.", shownCents: 0 };
  assert.equal(await refundOrder(db, staff, orderId, refund), "disputed");
  assert.equal((await findRefundable(db, staff, orderId))?.refusal, "disputed");
  // What was to be sent waits, too.
  await runJob(db, order, inDays(4));
  assert.equal(memory.paidBySeller(accountId), 0);
  await decideToEnd(db, order, "defect");
  await addStep(db, seller, orderId, "listed again");
  await runJob(db, order, inDays(30));
  assert.deepEqual([memory.count("refund"), memory.balances.buyers], [0, price]);
  await dispute("won");
  for (const _ of [1, 2, 3]) await runJob(db, order, inDays(30));
  assert.deepEqual([memory.balances.buyers, memory.paidBySeller(accountId)], [0, 0]);
  await assertBalanced(db, memory);
};

/** So that no deadline passes in vain, it stays possible; everybody reads that the bank comes first. */
export const whatIsAgreedOnDuringADisputeIsSaidToFollowIt = async (db: Db) => {
  const order = await received(db);
  const { memory, seller, buyer, orderId } = order;
  await dispute(db, order, "open");
  const text = "It is cracked.";
  assert.equal(await openProblem(db, buyer, orderId, { kind: "defect", text }), "done");
  const found = await findOrderProblem(db, seller, orderId);
  assert.equal(found?.isDisputed, true);
  assert.equal(await answerProblem(db, seller, orderId, { answer: "offer", offer: "refund", text }), "done");
  assert.equal(await answerProblem(db, buyer, orderId, { answer: "accept", text: "" }), "done");
  const splits = async () =>
    Promise.all(
      [buyer, seller].map(async (side) => {
        const problem = (await findOrderProblem(db, side, orderId))?.problems.find(({ split }) => split);
        return problem?.split && moneySplitText(problem.split, side === buyer ? "buyer" : "seller");
      }),
    );
  assert.deepEqual(await splits(), [
    "You get back all $349.50 once your bank has decided.",
    "The buyer gets back all $349.50 once the buyer’s bank has decided.",
  ]);
  const payment = await findPayment(db, orderId);
  assert.ok(payment);
  const label = { timeLabel: String, recentLabel: String };
  assert.match(
    protectedPaymentText("buyer", payment, label),
    /^Your bank .+ After that, you get \$349\.50 back\.$/,
  );
  await runJob(db, order, inDays(1));
  assert.equal(memory.count("refund"), 0);
  await dispute(db, order, "won");
  await runJob(db, order, inDays(1));
  assert.equal(memory.balances.buyers, 0);
  assert.equal((await splits())[0], "You get back all $349.50.");
  await assertBalanced(db, memory);
};

export const anEmailAboutADecisionOfABankSaysWhereTheMoneyIs = async (db: Db) => {
  const order = await received(db);
  const { seller, buyer, orderId } = order;
  const money = async () => {
    const [facts] = await findProblemFacts(db, [{ orderId, event: "" }]);
    assert.ok(facts);
    return [buyer, seller].map(({ id }) => new Map(problemEmailFacts(facts, id)).get("Money"));
  };
  await dispute(db, order, "open");
  assert.deepEqual(await money(), [undefined, undefined]);
  await dispute(db, order, "won");
  const [buyers = "", sellers = ""] = await money();
  assert.match(buyers, /^Paid\. Ringback holds the money, and pays the seller soon after /);
  assert.match(sellers, /^Ringback holds the money, and pays you \$349\.50 soon after /);
  await dispute(db, order, "lost", { id: `${orderId}_second` });
  assert.deepEqual(await money(), [
    "Your bank has paid you back $349.50.",
    "The buyer has got $349.50 back.",
  ]);
};

/** Both kinds of suspensions, in the email and on the page of the decision. */
export const aSuspendedSellerReadsWhatBecomesOfTheirMoney = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const memory = memoryProvider();
  for (const [days, text] of [
    ["7", /^We hold what’s due to you until .+, and pay it out after that\.$/],
    ["permanent", /^We hold what’s due to you, and decide about it order by order\.$/],
  ] as const)
    for (const isHeld of [true, false]) {
      const seller = isHeld ? (await received(db, await booked(db, memory))).seller : await addSeller(db);
      const decision = { decision: "suspend", reason: "Fraud.", days } as const;
      const { id } = await decide(db, admin, "seller", seller.id, decision, null);
      assert.ok(id);
      assert.equal((await findOwnDecision(db, seller, id))?.holdsMoney, isHeld);
      const notice = { id: "1", kind: "decision", event: `decision ${id}` } as const;
      const [[, facts = []] = []] = await findMailedReasons(db, [notice]);
      const money = new Map(facts).get("Money");
      if (isHeld) assert.match(money ?? "", text);
      else assert.equal(money, undefined);
    }
};

export const aSuspendedSellerIsPaidNothing = async (db: Db) => {
  const order = await received(db);
  const admin = await addAccount(db, { userType: "Admin" });
  const decision = { decision: "suspend", reason: "Fraud.", days: "7" } as const;
  assert.ok((await decide(db, admin, "seller", order.seller.id, decision, null)).id);
  await runJob(db, order, inDays(5));
  assert.equal(order.memory.count("transfer"), 0);
  // It is released by itself when the suspension ends.
  assert.deepEqual((await listWork(db, admin, { only: "payments" })).rows, []);
};

export const aReleaseThatFailedIsNotSentAgainToASellerWhoIsHeldBackSince = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const suspend = (order: Booked) => {
    const decision = { decision: "suspend", reason: "Fraud.", days: "7" } as const;
    return decide(db, admin, "seller", order.seller.id, decision, null);
  };
  const report = ({ buyer, orderId }: Booked) =>
    openProblem(db, buyer, orderId, { kind: "defect", text: "It is broken." });
  const memory = memoryProvider();
  for (const holdBack of [suspend, report]) {
    for (const [fault, cents] of [
      ["before", 0],
      // Only the answer was lost.
      ["after", price],
    ] as const) {
      const order = await received(db, await booked(db, memory));
      memory.faults[fault] = 1;
      await runJob(db, order, inDays(3));
      memory.faults[fault] = 0;
      await holdBack(order);
      for (const days of [4, 5]) await runJob(db, order, inDays(days));
      assert.equal(memory.paidBySeller(order.accountId), cents, `${holdBack.name}, ${fault}`);
      await assertBalanced(db, memory);
    }
  }
};

export const staffDecideAboutTheMoneyOfASellerWhoIsSuspendedForGood = async (db: Db) => {
  const order = await received(db);
  const admin = await addAccount(db, { userType: "Admin" });
  const work = async () => (await listWork(db, admin, { only: "payments" })).rows.map(({ path }) => path);
  const decision = { decision: "suspend", reason: "Fraud.", days: "permanent" } as const;
  assert.deepEqual(await work(), []);
  assert.ok((await decide(db, admin, "seller", order.seller.id, decision, null)).id);
  // At once, not only after a run of the jobs, and as long as the suspension lasts.
  assert.deepEqual(await work(), [`/manage/orders/${order.orderId}`]);
  const ofSeller = eq(users.id, order.seller.id);
  const [{ suspensionId = null } = {}] = await db.select().from(users).where(ofSeller);
  for (const [suspension, count] of [
    [null, 0],
    [suspensionId, 1],
  ] as const) {
    await db.update(users).set({ suspensionId: suspension }).where(ofSeller);
    assert.equal((await work()).length, count);
  }
  await runJob(db, order, inDays(5));
  assert.equal(order.memory.count("transfer"), 0);
  assert.deepEqual(await work(), [`/manage/orders/${order.orderId}`]);
  // The buyer is not offered to pay who is paid nothing.
  const { buyer, seller, orderId } = order;
  const isOffered = async () => (await findOrder(db, buyer, orderId))?.intents.includes("approve");
  assert.deepEqual(
    [await isOffered(), await take(db, buyer, orderId, "approve")],
    [false, "seller suspended"],
  );
  const refund = { amountCents: price, reason: "The seller is suspended.", shownCents: 0 };
  assert.equal(await refundOrder(db, admin, order.orderId, refund), "done");
  await runJob(db, order, inDays(5));
  assert.deepEqual(await work(), []);
  assert.equal(order.memory.balances.buyers, 0);
  await db.update(users).set({ suspensionId: null }).where(eq(users.id, seller.id));
  assert.deepEqual([await isOffered(), await take(db, buyer, orderId, "approve")], [false, "all paid back"]);
  const payouts = async (state: "paid" | "paid back") =>
    (await listPayouts(db, seller, null, { filters: { state } })).rows.map(({ cents }) => cents);
  assert.deepEqual([await payouts("paid"), await payouts("paid back")], [[], [0]]);
  await assertBalanced(db, order.memory);
};

export const staffHaveASuspendedSellerPaidWhoIsNotPaidByItself = async (db: Db) => {
  const [admin, colleague] = [
    await addAccount(db, { userType: "Admin" }),
    await addAccount(db, { userType: "Admin" }),
  ];
  const order = await received(db);
  const { memory, seller, buyer, orderId, accountId } = order;
  const reason = "It was a mix-up, and the device is fine.";
  const release = (now: Date, by = admin, amountCents = price) =>
    releaseToSuspendedSeller(db, by, orderId, { reason, amountCents }, now);
  const releasable = async (now: Date, by = admin) => {
    const found = await findReleasable(db, by, orderId, now);
    return found && [found.cents, found.from !== null];
  };
  // Who is not suspended is paid by itself.
  assert.deepEqual([await releasable(inDays(3)), await release(inDays(3))], [null, "order changed"]);
  const decision = { decision: "suspend", reason: "Fraud.", days: "permanent" } as const;
  assert.ok((await decide(db, admin, "seller", seller.id, decision, null)).id);
  // The buyer has their two days all the same.
  assert.deepEqual([await releasable(inDays(1)), await release(inDays(1))], [[price, true], "order changed"]);
  assert.equal(await openProblem(db, buyer, orderId, { kind: "defect", text: "It is cracked." }), "done");
  assert.deepEqual([await releasable(inDays(3)), await release(inDays(3))], [null, "order changed"]);
  assert.equal(await answerProblem(db, buyer, orderId, { answer: "close", text: "" }), "done");
  await db.update(orders).set({ buyerId: colleague.id });
  assert.deepEqual(
    [await releasable(inDays(3), colleague), await release(inDays(3), colleague)],
    [null, "order changed"],
  );
  await db.update(orders).set({ buyerId: buyer.id });
  assert.equal(await release(inDays(3), admin, price - 1), "order changed");
  assert.deepEqual(await releasable(inDays(3)), [price, false]);
  assert.deepEqual(await Promise.all([1, 2].map(() => release(inDays(3)))), ["done", "done"]);
  assert.equal(await release(inDays(3), colleague), "order changed");
  assert.deepEqual((await listWork(db, admin, { only: "payments" })).rows, []);
  memory.faults.before = 1;
  await runJob(db, order, inDays(3));
  await runJob(db, order, inDays(4));
  assert.equal(memory.paidBySeller(accountId), price);
  assert.equal(memory.count("transfer"), 1);
  assert.equal(await release(inDays(4)), "done");
  const [task] = (await findLedger(db, orderId)).tasks;
  assert.deepEqual([task?.cause, task?.decidedBy, task?.reason], ["staff", admin.name, reason]);
  // Both sides read why.
  for (const side of [seller, buyer])
    assert.ok((await findOrder(db, side, orderId))?.steps.some((step) => step.reason === reason));
  assert.equal(await db.$count(activity, eq(activity.action, "paid suspended seller")), 1);
  await assertBalanced(db, memory);
};

export const aPaymentByStaffThatWasGivenUpIsDecidedAnew = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const order = await received(db);
  const { memory, seller, buyer, orderId, accountId } = order;
  const suspend = { decision: "suspend", reason: "Fraud.", days: "permanent" } as const;
  assert.ok((await decide(db, admin, "seller", seller.id, suspend, null)).id);
  const decision = { reason: "The device is fine.", amountCents: price };
  const release = (days: number) => releaseToSuspendedSeller(db, admin, orderId, decision, inDays(days));
  const isRead = async () =>
    Promise.all(
      [seller, buyer].map(async (side) =>
        (await findOrder(db, side, orderId))?.steps.some(({ kind }) => kind === "payout decided"),
      ),
    );
  assert.equal(await release(3), "done");
  assert.deepEqual(await isRead(), [true, true]);
  memory.faults.before = 1;
  await runJob(db, order, inDays(3));
  assert.equal(await openProblem(db, buyer, orderId, { kind: "defect", text: "It is cracked." }), "done");
  await runJob(db, order, inDays(3.1));
  assert.deepEqual(await isRead(), [false, false]);
  assert.equal(await release(3.1), "order changed");
  assert.equal(await answerProblem(db, buyer, orderId, { answer: "close", text: "" }), "done");
  assert.deepEqual([await release(3.2), await release(3.2)], ["done", "done"]);
  await runJob(db, order, inDays(3.2));
  assert.deepEqual([memory.paidBySeller(accountId), await isRead()], [price, [true, true]]);
  await assertBalanced(db, memory);
};

export const moneyOfASellerWhoIsSuspendedForSomeDaysIsListedAndGoesOutAfterwards = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const order = await received(db);
  const decision = { decision: "suspend", reason: "Spam.", days: "7" } as const;
  assert.ok((await decide(db, admin, "seller", order.seller.id, decision, null)).id);
  const listed = async () =>
    (await listPayments(db, null, { filters: { state: "suspended" } })).rows.map((row) => [
      row.holdReason === "suspension",
      row.suspendedUntil && Math.round((row.suspendedUntil.getTime() - Date.now()) / dayMs),
    ]);
  assert.deepEqual(await listed(), [[true, 7]]);
  await endSuspensions(db, inDays(6.9));
  await runJob(db, order, inDays(6.9));
  assert.equal(order.memory.count("transfer"), 0);
  await endSuspensions(db, inDays(7.1));
  await runJob(db, order, inDays(7.1));
  assert.equal(order.memory.paidBySeller(order.accountId), price);
  assert.deepEqual(await listed(), []);
};

/** The lists say in SQL what the rules say of one order. */
export const listsHoldMoneyBackWhereTheRulesDo = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const counts: Record<string, number> = {};
  const memory = memoryProvider();
  for (const refundedCents of [0, 5000, price]) {
    const order = await received(db, await booked(db, memory));
    const { seller, buyer, orderId } = order;
    if (refundedCents > 0) {
      const refund = { amountCents: refundedCents, reason: "Late.", shownCents: 0 };
      assert.equal(await refundOrder(db, admin, orderId, refund), "done");
      await runJob(db, order, inMinutes(1));
    }
    const decision = { decision: "suspend", reason: "Spam.", days: "7" } as const;
    assert.ok((await decide(db, admin, "seller", seller.id, decision, null)).id);
    const [{ suspensionId = null } = {}] = await db.select().from(users).where(eq(users.id, seller.id));
    await db.update(users).set({ suspensionId: null }).where(eq(users.id, seller.id));
    if (refundedCents < price)
      assert.equal(await openProblem(db, buyer, orderId, { kind: "defect", text: "It broke." }), "done");
    const reasons = {
      suspended: ["not", "for days", "for good", "for good, without payouts"],
      problem: [false, true],
      disputed: [false, true],
    };
    for (const stage of ["reserved", "handed over", "received"] as const)
      for (const status of ["active", "cancelled"] as const)
        for (const suspended of reasons.suspended)
          for (const problem of reasons.problem)
            for (const disputed of reasons.disputed) {
              await db.update(orders).set({ stage, status }).where(eq(orders.id, orderId));
              await db
                .update(users)
                .set({
                  suspensionId: suspended === "not" ? null : suspensionId,
                  suspendedUntil: suspended === "for days" ? inDays(7) : null,
                })
                .where(eq(users.id, seller.id));
              await db
                .update(payoutAccounts)
                .set({ state: suspended === "for good, without payouts" ? "waiting" : "ready" })
                .where(eq(payoutAccounts.userId, seller.id));
              await db.update(orderProblems).set({ endedAt: problem ? null : new Date() });
              await db
                .update(payments)
                .set({ disputedAt: disputed ? new Date() : null })
                .where(eq(payments.orderId, orderId));
              const facts = await findMoneyFacts(db, orderId);
              assert.ok(facts);
              const [row] = await db
                .select({ isHeldBack: sql`${isHeldBack(db)}`.mapWith(Boolean).as("held_back") })
                .from(payments)
                .innerJoin(orders, eq(orders.id, payments.orderId))
                .where(eq(orders.id, orderId));
              const [entry] = (await listPayouts(db, seller, null)).rows;
              const rowOf = async (state?: PaymentFilter) =>
                (await listPayments(db, null, { filters: { state } })).rows.find(({ id }) => id === orderId);
              const isListed = async (state: PaymentFilter) => (await rowOf(state)) !== undefined;
              const isWork = (await listWork(db, admin, { only: "payments" })).rows.length > 0;
              const mayBeReleased = releaseByStaff(facts, Number.POSITIVE_INFINITY) !== null;
              const state = moneyState(facts);
              const isSuspension = holdReason(facts) === "suspension";
              const found = [
                row?.isHeldBack,
                entry?.state === "on its way",
                await isListed("suspended"),
                (await rowOf())?.holdReason === "suspension",
                isWork,
                await isListed("disputed"),
              ];
              const listed = await rowOf();
              const shown = await findPayment(db, orderId);
              assert.ok(listed && shown);
              // Whoever reads it, the reason is the same.
              const inTable = stateWithReason({ ...listed, suspendedUntil: null }, () => "");
              assert.equal(inTable === "On hold: the seller is suspended for good", isSuspension);
              assert.equal(inTable === "On hold: a problem is open", holdReason(facts) === "problem");
              for (const role of ["buyer", "seller", "administrator"] as const) {
                const text = protectedPaymentText(role, shown, { timeLabel: String, recentLabel: String });
                assert.equal(text.includes("account is suspended"), isSuspension, text);
                assert.equal(
                  text.includes(disputedPaymentText(role === "buyer")),
                  state === "disputed",
                  text,
                );
              }
              assert.deepEqual(
                found,
                [
                  heldBackByRule(facts),
                  state === "to be released",
                  isSuspension,
                  isSuspension,
                  mayBeReleased && suspended === "for good",
                  state === "disputed",
                ],
                [refundedCents, stage, status, suspended, problem, disputed].join(", "),
              );
              for (const [index, is] of found.entries()) counts[index] = (counts[index] ?? 0) + Number(is);
            }
    await db.update(users).set({ suspensionId: null }).where(eq(users.id, seller.id));
  }
  // Each was seen.
  assert.ok(
    Object.values(counts).every((count) => count > 0),
    JSON.stringify(counts),
  );
};

/** Of two runs, one waits for the provider while the other finds that the task is no longer due. */
export const whatHasMovedIsRecordedAlsoIfItWasGivenUp = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const memory = memoryProvider();
  const refund = { amountCents: price, reason: "It was fraud.", shownCents: 0 };
  const order = await received(db, await booked(db, memory));
  const { seller, orderId, accountId } = order;
  const isReceipt = and(eq(orderSteps.orderId, orderId), eq(orderSteps.kind, "received"));
  await db
    .update(orderSteps)
    .set({ createdAt: inDays(-3) })
    .where(isReceipt);
  const [asked, answer] = [deferred(), deferred()];
  const waiting: PaymentProvider = {
    ...memory.provider,
    async release(move) {
      asked.resolve();
      await answer.promise;
      return memory.provider.release(move);
    },
  };
  await addDueTasks(db);
  const run = moveMoney(db, waiting);
  await asked.promise;
  assert.equal(await refundOrder(db, admin, orderId, refund), "done");
  // Another run doesn't find the release at the provider, so the buyer is paid back.
  await runJob(db, order);
  assert.equal((await sumLedger(db, orderId)).refunded, price);
  answer.resolve();
  assert.deepEqual(await run, []);
  await runJob(db, order, inMinutes(1));
  const { released, takenBack, refunded } = await sumLedger(db, orderId);
  assert.deepEqual([released, takenBack, refunded], [price, price, price]);
  assert.equal(memory.paidBySeller(accountId), 0);
  assert.ok((await told(db, seller)).includes("paid out"));
  // What Ringback has paid back is not taken for what a bank has taken.
  assert.equal((await findPayment(db, orderId))?.refundedByBankCents, 0);
  await assertBalanced(db, memory);
};

/** What cannot be paid to the seller anymore keeps no buyer waiting, and is not sent afterwards. */
export const aRefundDoesNotWaitForAReleaseThatTheProviderRefused = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const memory = memoryProvider();
  for (const [fault, cents] of [
    ["before", 5000],
    ["before", price],
    // Only the answer was lost.
    ["after", 5000],
    ["after", price],
  ] as const) {
    const order = await received(db, await booked(db, memory));
    const { orderId, accountId } = order;
    const isRetryable = fault === "after";
    Object.assign(memory.faults, { [fault]: 1, code: "account_invalid", isRetryable });
    await runJob(db, order, inDays(3));
    const refund = { amountCents: cents, reason: "The charger is missing.", shownCents: 0 };
    assert.equal(await refundOrder(db, admin, orderId, refund), "done");
    // As after each write.
    await moveMoney(db, memory.provider, inDays(3));
    const message = `${fault}, ${cents}`;
    assert.equal((await sumLedger(db, orderId)).refunded, cents, message);
    for (const days of [3.1, 5]) await runJob(db, order, inDays(days));
    assert.equal(memory.paidBySeller(accountId), price - cents, message);
    await assertBalanced(db, memory, message);
  }
};

export const aRefundThatWasRefusedHoldsNoOtherUp = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const memory = memoryProvider();
  for (const [isReleased, isRetryable, hoursBetween] of [
    [false, false, 0],
    [true, false, 0],
    [false, true, 0],
    [true, true, 0],
    [false, false, 20],
    [true, false, 20],
  ] as const) {
    const order = await received(db, await booked(db, memory));
    const { buyer, orderId } = order;
    if (isReleased) {
      await db
        .update(orderSteps)
        .set({ createdAt: inDays(-3) })
        .where(eq(orderSteps.orderId, orderId));
      await runJob(db, order);
    }
    const before = memory.balances.buyers;
    const refund = async (amountCents: number, shownCents: number, failures: number) => {
      const details = { amountCents, reason: `For ${amountCents}.`, shownCents };
      assert.equal(await refundOrder(db, admin, orderId, details), "done");
      // What was released is taken back first.
      if (isReleased) await sendPaymentTasks(db, memory.provider);
      await addDueTasks(db);
      Object.assign(memory.faults, { before: failures, code: "charge_disputed", isRetryable });
      await moveMoney(db, memory.provider);
      return before - memory.balances.buyers;
    };
    const message = `${isReleased}, ${isRetryable}, ${hoursBetween}`;
    assert.equal(await refund(5_000, 0, 1), 0, message);
    await db
      .update(paymentTasks)
      .set({ nextAt: sql`${paymentTasks.nextAt} - ${hoursBetween * hourMs}` })
      .where(and(eq(paymentTasks.orderId, orderId), isNull(paymentTasks.doneAt)));
    // The second goes by itself, and the first is tried again after it.
    assert.equal(await refund(1_000, 5_000, 0), 6_000, message);
    const amounts = (await db.select().from(ledgerEntries).where(eq(ledgerEntries.orderId, orderId)))
      .filter(({ kind }) => kind === "refunded")
      .map(({ amountCents }) => amountCents);
    assert.deepEqual(amounts, isRetryable ? [5_000, 1_000] : [1_000, 5_000], message);
    // What was refused stays in the ledger, with why, beside both decisions.
    const ledger = await findLedger(db, orderId);
    assert.deepEqual(
      ledger.tasks
        .filter(({ doneAt, providerId }) => doneAt && !providerId)
        .map(({ kind, amountCents, error }) => [kind, amountCents, error]),
      isRetryable ? [] : [["refund", 5_000, "charge_disputed"]],
      message,
    );
    assert.deepEqual(
      ledger.decisions.map(({ by, details }) => [by, details?.amountCents, details?.reason]),
      [5_000, 1_000].map((cents) => [admin.name, cents, `For ${cents}.`]),
      message,
    );
    await runJob(db, order, inDays(30));
    assert.equal(before - memory.balances.buyers, 6_000, message);
    assert.deepEqual(await toldRefunds(db, buyer), [5_000, 1_000], message);
    await assertBalanced(db, memory, message);
  }
};

/** The step after the decision was lost, so that the job finds it. */
export const theJobSendsARefundBesideOneThatWasRefused = async (db: Db) => {
  const order = await received(db);
  const { memory, orderId } = order;
  Object.assign(memory.faults, { before: 1, code: "charge_disputed", isRetryable: false });
  await refundPart(db, orderId, 5_000);
  await runJob(db, order, inMinutes(1));
  await refundPart(db, orderId, 6_000);
  // It is refused, too: once, not with each run, and not in turns.
  Object.assign(memory.faults, { before: 4 });
  for (const minutes of [2, 3, 4, 5]) await runJob(db, order, inMinutes(minutes));
  assert.deepEqual([memory.faults.before, memory.balances.buyers], [3, price]);
  memory.faults.before = 0;
  // Another one is not held up either.
  await refundPart(db, orderId, 6_500);
  await runJob(db, order, inMinutes(6));
  assert.equal(memory.balances.buyers, price - 6_500);
  await runJob(db, order, inDays(30));
  assert.equal(memory.balances.buyers, price - 6_500);
  await assertBalanced(db, memory);
};

export const allOfAnEndedOrderGoesBackAfterARefundThatWasRefused = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const order = await paid(db);
  const { memory, buyer, orderId } = order;
  const details = { amountCents: 5_000, reason: "It is late.", shownCents: 0 };
  Object.assign(memory.faults, { before: 1, code: "charge_disputed", isRetryable: false });
  assert.equal(await refundOrder(db, admin, orderId, details), "done");
  await moveMoney(db, memory.provider);
  assert.equal(await take(db, buyer, orderId, "cancel"), null);
  await runJob(db, order, inMinutes(9));
  assert.equal(memory.balances.buyers, price);
  // It is refused, too: once, not with each run.
  Object.assign(memory.faults, { before: 3 });
  for (const minutes of [11, 12, 13]) await runJob(db, order, inMinutes(minutes));
  assert.equal(memory.faults.before, 2);
  assert.deepEqual(await toldRefunds(db, buyer), [5_000, price - 5_000]);
  memory.faults.before = 0;
  await runJob(db, order, inDays(2));
  assert.equal(memory.balances.buyers, 0);
  await assertBalanced(db, memory);
};

export const aRefundComesBesideWhatABankHasTaken = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const order = await received(db);
  const { memory, orderId } = order;
  await dispute(db, order, "open", { amountCents: 5_000 });
  await dispute(db, order, "lost", { amountCents: 5_000 });
  const found = await findRefundable(db, admin, orderId);
  assert.deepEqual([found?.refundCents, found?.leftCents], [5_000, price - 5_000]);
  const details = { amountCents: 1_000, reason: "It is late.", shownCents: 5_000 };
  assert.equal(await refundOrder(db, admin, orderId, details), "done");
  assert.equal(await refundOrder(db, admin, orderId, details), "done");
  await runJob(db, order);
  assert.equal(memory.balances.buyers, price - 6_000);
  await assertBalanced(db, memory);
};

export const aRefundDoesNotWaitForWhatASellerOwes = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const order = await received(db);
  const { memory, orderId } = order;
  await runJob(db, order, inDays(3));
  const refund = async (amountCents: number, shownCents: number, days: number) => {
    memory.faults.spent = 2;
    const details = { amountCents, reason: "The charger is missing.", shownCents };
    assert.equal(await refundOrder(db, admin, orderId, details), "done");
    await moveMoney(db, memory.provider, inDays(days));
  };
  await refund(5000, 0, 3);
  assert.equal(memory.balances.buyers, price - 5000);
  await refund(1000, 5000, 3.5);
  assert.equal(memory.balances.buyers, price - 6000);
};

export const aSellerWhoCannotBePaidWaits = async (db: Db) => {
  const order = await received(db);
  await db.update(payoutAccounts).set({ state: "refused" });
  await runJob(db, order, inDays(5));
  assert.equal(order.memory.count("transfer"), 0);
  await db.update(payoutAccounts).set({ state: "ready" });
  await runJob(db, order, inDays(5));
  assert.equal(order.memory.count("transfer"), 1);
};

export const anAccountStaysWhileItsMoneyIsHeld = async (db: Db) => {
  const made = await received(db);
  const holds = async (viewer: Account) =>
    (await closingObstacles(db, viewer)).some((text) => text.includes("holds the money"));
  assert.deepEqual([await holds(made.seller), await holds(made.buyer)], [true, true]);
  assert.equal(await holds(await addAccount(db)), false);
  // Staff does not remove them either.
  const admin = await addAccount(db, { userType: "Admin" });
  for (const { id } of [made.seller, made.buyer]) {
    assert.deepEqual(await removeByStaff(db, admin, id), { refusal: "money held" });
    const [row] = await findSelected(db, admin, "delete users", [id]);
    assert.equal(row?.refusal, "money held");
  }
  await runJob(db, made, inDays(3));
  assert.deepEqual([await holds(made.seller), await holds(made.buyer)], [false, false]);
  assert.ok(await removeUser(db, admin, made.buyer.id));

  // Of a seller whom staff has removed before the buyer paid, the payout account stays until the money has gone back.
  const late = await booked(db, made.memory);
  assert.ok(await removeUser(db, admin, late.seller.id));
  await paid(db, late);
  const hasAccount = () => db.$count(payoutAccounts, eq(payoutAccounts.userId, late.seller.id));
  await purgeRemovals(db, inDays(40));
  assert.equal(await hasAccount(), 1);
  assert.equal(await take(db, late.buyer, late.orderId, "cancel"), null);
  for (const days of [1, 2]) await runJob(db, late, inDays(days));
  await purgeRemovals(db, inDays(40));
  assert.equal(await hasAccount(), 0);
  await assertBalanced(db, made.memory);
};

export const eventsThatHavePiledUpAreWorkedOffWhateverIsAtTheirHead = async (db: Db) => {
  const { provider } = memoryProvider();
  const start = Date.now() - dayMs;
  const rows = Array.from({ length: 70 }, (_, index) => ({
    id: `event ${index}`,
    type: "known",
    objectId: index < 5 ? "broken" : "fine",
    receivedAt: new Date(start + index),
    processedAt: null,
  }));
  for (let from = 0; from < rows.length; from += 15)
    await db.insert(providerEvents).values(rows.slice(from, from + 15));
  let isDown = true;
  let lookups = 0;
  const handlers = {
    known: async (_db: Db, _provider: PaymentProvider, objectId: string) => {
      lookups += 1;
      if (isDown || objectId === "broken") throw new ProviderError("no_answer", true);
    },
  };
  const waiting = () => db.$count(providerEvents, isNull(providerEvents.processedAt));
  // While the provider is down, a run does not wait for an answer to each.
  assert.equal((await processEvents(db, provider, handlers)).length, 3);
  assert.deepEqual([lookups, await waiting()], [3, 70]);
  isDown = false;
  for (const _ of [1, 2, 3]) await processEvents(db, provider, handlers);
  assert.equal(await waiting(), 5);

  // A new one takes some of the old with it, if the provider answers.
  await db.update(providerEvents).set({ processedAt: null, objectId: "fine", receivedAt: new Date(start) });
  const add = async (id: string) => {
    await db.insert(providerEvents).values({ id, type: "known", objectId: "fine", receivedAt: new Date() });
    return processEvent(db, provider, handlers, id);
  };
  isDown = true;
  assert.deepEqual([await add("new 1"), await waiting()], [["no_answer"], 71]);
  isDown = false;
  assert.deepEqual([await add("new 2"), await waiting()], [[], 61]);
};

export const theLedgerIsNeverChanged = async (db: Db) => {
  const { orderId } = await paid(db);
  const entry = eq(ledgerEntries.orderId, orderId);
  await assert.rejects(db.update(ledgerEntries).set({ amountCents: 1 }).where(entry));
  await assert.rejects(db.delete(ledgerEntries).where(entry));
  assert.equal((await sumLedger(db, orderId)).charged, price);
};

export const aFeeInTheDatabaseIsThatOfTheRules = async (db: Db) => {
  const fee = { percent: 3, fixedCents: 30, minimumCents: 100 };
  for (const cents of [1, 50, 999, 1_000, 9_983, 10_000, 123_456]) {
    const [row] = await db.select({ fee: feeColumn(sql`${cents}`, fee).as("fee") }).from(sql`(select 1)`);
    assert.equal(row?.fee, feeCents(cents, fee), String(cents));
  }
};

export const aSellerSeesWhereTheMoneyOfEachOrderIs = async (db: Db) => {
  const order = await booked(db);
  const { seller, buyer, orderId } = order;
  const states = async () =>
    (await listPayouts(db, seller, null)).rows.map(({ state, cents }) => [state, cents]);
  // Not paid yet.
  assert.deepEqual(await states(), []);
  await paid(db, order);
  assert.deepEqual(await states(), [["held", price]]);
  assert.equal(await take(db, seller, orderId, "hand over"), null);
  assert.equal(await take(db, buyer, orderId, "receive"), null);
  const [onItsWay] = (await listPayouts(db, seller, null, { filters: { state: "on its way" } })).rows;
  assert.equal(onItsWay?.id, orderId);
  assert.ok(Math.abs((onItsWay?.releasedBy?.getTime() ?? 0) - inDays(2).getTime()) < 60_000);
  assert.equal(await openProblem(db, buyer, orderId, { kind: "defect", text: "It broke." }), "done");
  assert.deepEqual(await states(), [["held", price]]);
  assert.equal(await answerProblem(db, buyer, orderId, { answer: "close", text: "" }), "done");
  // That of a stranger is nowhere.
  await paid(db, await booked(db, order.memory));
  const sums = { held: 0, "on its way": 0, paid: 0 };
  const centsOf = async () => {
    const { hasEntries: _, ...byState } = await sumPayouts(db, seller);
    return Object.fromEntries(Object.entries(byState).map(([state, { cents }]) => [state, cents]));
  };
  assert.deepEqual(await centsOf(), { ...sums, "on its way": price });
  await runJob(db, order, inDays(3));
  assert.deepEqual(await centsOf(), { ...sums, paid: price });

  const { id: phoneId } = await addPhone(db, { sellerId: seller.id });
  const next = await bookWithoutLimits(db, buyer, phoneId, { address: "", phone: "" }, { hasProvider: true });
  assert.ok(next.orderId);
  await paid(db, { ...order, orderId: next.orderId });
  assert.equal(await take(db, buyer, next.orderId, "cancel"), null);
  await runJob(db, order, inDays(3));
  assert.deepEqual(await states(), [
    ["paid back", price],
    ["paid", price],
  ]);
  assert.deepEqual((await listPayouts(db, seller, null, { filters: { state: "held" } })).rows, []);
};

/** What a bank has taken and the seller still has, and what they have agreed to pay back and nobody has sent yet. */
export const aSellerReadsWhatTheirMoneyWaitsFor = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const order = await received(db);
  const { memory, seller, buyer, orderId } = order;
  const entry = async (viewer = seller) => {
    const row = (await listPayouts(db, viewer, null)).rows.find(({ id }) => id === orderId);
    assert.ok(row);
    return row;
  };
  const listed = async (failing: boolean) => {
    const query = { filters: { seller: seller.email, ...(failing && { state: "failing" as const }) } };
    const [row] = (await listPayments(db, null, query)).rows;
    const suspendedUntil = row?.suspendedUntil?.toISOString() ?? null;
    const label = { dayLabel: () => "Friday", dateTimeLabel: () => "Friday" };
    return row && listedStateText({ ...row, suspendedUntil }, label);
  };
  const textFor = async (viewer: Account, role: "buyer" | "seller") => {
    const payment = (await findOrder(db, viewer, orderId))?.payment;
    const label = { timeLabel: () => "noon", recentLabel: () => "Friday" };
    return payment && protectedPaymentText(role, payment, label);
  };
  assert.equal(entryLabel(await entry()), "On its way");
  await db
    .update(users)
    .set({ suspensionId: "1", suspendedUntil: inDays(3) })
    .where(eq(users.id, seller.id));
  const suspended = { ...seller, suspensionId: "1", suspendedUntil: inDays(3) };
  assert.equal(entryLabel(await entry(suspended)), "Held, as you’re suspended");
  assert.ok((await entry(suspended)).suspendedUntil);
  assert.match((await textFor(seller, "seller")) ?? "", /while your account is suspended until Friday\.$/);
  assert.match(
    (await textFor(buyer, "buyer")) ?? "",
    /while the seller’s account is suspended until Friday\.$/,
  );
  await db.update(users).set({ suspensionId: null, suspendedUntil: null }).where(eq(users.id, seller.id));

  // The provider refuses to pay them.
  await db.update(orderSteps).set({ createdAt: inDays(-3) });
  Object.assign(memory.faults, { before: 1, code: "account_invalid", isRetryable: false });
  assert.equal(await listed(true), undefined);
  await runJob(db, order);
  assert.equal(entryLabel(await entry()), "Delayed");
  assert.match((await textFor(seller, "seller")) ?? "", /^We’re paying you \$349\.50\. It’s delayed/);
  for (const failing of [true, false])
    assert.equal(await listed(failing), "Payment to the seller failed (account_invalid), next try Friday");
  const work = (await listWork(db, admin, { only: "payments" })).rows.map(({ subject }) => subject);
  assert.match(work.join(), /\(paying the seller fails: account_invalid\)$/);
};

export const aSellerReadsThatACancellationCanStillBeUndone = async (db: Db) => {
  const order = await paid(db);
  const { seller, buyer, orderId } = order;
  const read = async () => {
    const [entry] = (await listPayouts(db, seller, null)).rows;
    assert.ok(entry);
    const { isUndoable, refundedBy, releasedBy } = entry;
    return [entryLabel(entry), isUndoable, refundedBy !== null, releasedBy];
  };
  assert.equal(await take(db, buyer, orderId, "cancel"), null);
  assert.deepEqual(await read(), ["Goes back to the buyer", true, true, null]);
  await db
    .update(orderSteps)
    .set({ createdAt: inMinutes(-11) })
    .where(eq(orderSteps.kind, "cancelled"));
  assert.deepEqual(await read(), ["Goes back to the buyer", false, false, null]);
  await runJob(db, order);
  assert.deepEqual((await read())[0], "Back to the buyer");
};

export const nobodyUndoesWhatRingbackHasCancelled = async (db: Db) => {
  const { seller } = await paid(db);
  await db.update(orders).set({ deadlineAt: inMinutes(-1) });
  await endOverdueOrders(db);
  const [entry] = (await listPayouts(db, seller, null)).rows;
  assert.ok(entry?.refundedBy);
  assert.equal(entry.isUndoable, false);
};

export const theSumsOfPayoutsAreThoseOfTheirRows = async (db: Db) => {
  const order = await booked(db);
  const { memory, seller, orderId } = order;
  await db.update(payments).set({ feeCents: 500 }).where(eq(payments.orderId, orderId));
  await received(db, order);
  const assertSums = async (...expected: [state: string, cents: number][]) => {
    const { rows } = await listPayouts(db, seller, null);
    assert.deepEqual(
      rows.map(({ state, cents }) => [state, cents]),
      expected,
    );
    const sums = await sumPayouts(db, seller);
    for (const state of ["held", "on its way", "paid"] as const) {
      const ofState = expected.filter(([of]) => of === state).map(([, cents]) => cents);
      const cents = ofState.reduce((sum, cents) => sum + cents, 0);
      assert.deepEqual(sums[state], { cents, orders: ofState.length }, state);
    }
    assert.equal(sums.hasEntries, true);
  };
  const csvRow = async () => {
    let csv = "";
    for await (const text of exportPayouts(db, seller, { filters: {} })) csv += text;
    return csv.split("\r\n")[1] ?? "";
  };
  await runJob(db, order, inDays(3));
  await dispute(db, order, "lost");
  memory.faults.spent = 1;
  assert.deepEqual(await runJob(db, order, inDays(3)), ["balance_insufficient"]);
  await assertSums(["paid", price - 500]);
  assert.match(await csvRow(), /,Paid,.*,349\.50,0\.00,5\.00,344\.50$/);
  // It gives it back, and the order goes on.
  await dispute(db, order, "won");
  await runJob(db, order, inDays(5));
  await assertSums(["paid", price - 500]);
  // What it takes at last is taken back.
  await dispute(db, order, "lost");
  await runJob(db, order, inDays(6));
  await assertSums(["paid back", 0]);

  const agreed = await received(db, await booked(db, memory));
  await refundPart(db, agreed.orderId, price);
  const { rows } = await listPayouts(db, agreed.seller, null);
  assert.deepEqual([rows[0]?.state, rows[0]?.cents], ["paid back", 0]);
  const { hasEntries, ...sums } = await sumPayouts(db, agreed.seller);
  assert.equal(hasEntries, true);
  for (const [state, sum] of Object.entries(sums)) assert.deepEqual(sum, { cents: 0, orders: 0 }, state);
};

export const whatABankHasTakenIsNotPaidToTheSeller = async (db: Db) => {
  const order = await received(db);
  const { buyer, orderId } = order;
  const offersIt = async () => (await findOrder(db, buyer, orderId))?.intents.includes("approve");
  assert.equal(await offersIt(), true);
  const entry = { orderId, kind: "refunded", providerId: "dispute_1", createdAt: new Date() } as const;
  await db.insert(ledgerEntries).values({ ...entry, amountCents: price });
  const [disputedAt, disputeEndedAt] = [new Date(), new Date()];
  await db.update(payments).set({ disputedAt, disputeEndedAt });
  assert.equal(await offersIt(), false);
  assert.equal(await take(db, buyer, orderId, "approve"), "all paid back");
};

export const aPaidOrderThatEndsTellsThatTheMoneyGoesBack = async (db: Db) => {
  const order = await paid(db);
  const { buyer, seller, orderId } = order;
  assert.equal(await take(db, seller, orderId, "cancel"), null);
  const [mailed] = await findMailedOrders(db, [orderId]);
  assert.ok(mailed);
  // The email of the suspension is sent once the order has ended.
  const nextStep = (viewer: Account, more = {}) =>
    new Map(
      orderEmailFacts("seller suspended", { ...mailed, isSellerSuspended: true, ...more }, viewer.id, true),
    ).get("Next step");
  assert.equal(nextStep(buyer), "You get your money back.");
  assert.equal(nextStep(seller), "The buyer gets their money back.");
  assert.equal(nextStep(buyer, { isRefundable: false }), "You don’t owe anything.");
};

export const theEmailOfASuspensionSaysWhoHoldsTheMoneyAndGoesToRunningOrdersAlone = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addSeller(db);
  const memory = memoryProvider();
  const made = async (isPaid: boolean) => {
    const { id: phoneId } = await addPhone(db, { sellerId: seller.id });
    const buyer = await addAccount(db);
    const details = { address: "1 Quay Street", phone: "1" };
    const { orderId = "" } = await bookWithoutLimits(db, buyer, phoneId, details, { hasProvider: true });
    const order = { memory, seller, buyer, phoneId, orderId, accountId: "" };
    return isPaid ? paid(db, order) : order;
  };
  const [going, unpaid, ended, arrived] = [
    await made(true),
    await made(false),
    await made(true),
    await made(true),
  ];
  assert.equal(await take(db, seller, arrived.orderId, "hand over"), null);
  const decision = { decision: "suspend", reason: "Fraud.", days: "7" } as const;
  await decide(db, admin, "seller", seller.id, decision, null);
  assert.equal(await take(db, ended.buyer, ended.orderId, "cancel"), null);
  assert.equal(await take(db, arrived.buyer, arrived.orderId, "receive"), null);
  await db.update(users).set({ emailVerifiedAt: new Date() });
  const emails: string[] = [];
  const route = {
    origin: "https://market.example",
    secrets: ["secret"],
    send: async ({ write }: DueEmail) => {
      const { to, subject } = await write();
      if (subject.includes("suspended the seller")) emails.push(to);
      return true;
    },
  };
  await sendDueBatch(db, route, { now: inMinutes(11) });
  assert.deepEqual(emails.toSorted(), [going.buyer.email, unpaid.buyer.email].toSorted());
  const isUnsent = eq(notifications.emailOutcome, "order over");
  const unsent = await db.select({ id: notifications.userId }).from(notifications).where(isUnsent);
  assert.deepEqual(unsent.map(({ id }) => id).toSorted(), [ended.buyer.id, arrived.buyer.id].toSorted());

  const paymentOf = async ({ orderId, buyer }: Booked) => {
    const [mailed] = await findMailedOrders(db, [orderId]);
    return mailed && new Map(orderEmailFacts("seller suspended", mailed, buyer.id, true)).get("Payment");
  };
  assert.match((await paymentOf(going)) ?? "", /^Ringback holds your money, .+ you get it back\.$/);
  assert.equal(await paymentOf(unpaid), "You haven’t paid yet, and you can’t for now.");
};

export const noMoneyIsPromisedThatStaffHasPaidBack = async (db: Db) => {
  const order = await paid(db);
  const { buyer, seller, orderId } = order;
  const admin = await addAccount(db, { userType: "Admin" });
  const nextSteps = async () => {
    const [listed] = (await listOrders(db, buyer, null)).rows;
    const found = await findOrder(db, buyer, orderId);
    return [listed, found].map((shown) => (shown ? nextStepText("buyer", shown, "Friday") : null));
  };
  for (const text of await nextSteps()) assert.match(text ?? "", /you get your money back\.$/);
  const refund = { amountCents: price, shownCents: 0, reason: "As a gesture." };
  assert.equal(await refundOrder(db, admin, orderId, refund), "done");
  // Before the money has moved, and after.
  for (const _ of [1, 2]) {
    for (const text of await nextSteps()) assert.match(text ?? "", /you don’t owe anything\.$/);
    await runJob(db, order);
  }
  assert.equal(await take(db, buyer, orderId, "cancel"), null);
  const [mailed] = await findMailedOrders(db, [orderId]);
  assert.ok(mailed);
  const payment = ({ id }: Account) => new Map(orderEmailFacts("cancelled", mailed, id, true)).get("Payment");
  assert.equal(payment(buyer), "You’ve already been paid back.");
  assert.equal(payment(seller), "The buyer has already been paid back.");
};

export const staffFindsProtectedOrdersByWhereTheirMoneyIs = async (db: Db) => {
  const toPay = await booked(db);
  const { memory } = toPay;
  const next = async () => booked(db, memory);
  const [held, toRefund, released] = [await next(), await next(), await next()];
  for (const order of [held, toRefund]) await paid(db, order);
  await received(db, released);
  await runJob(db, released, inDays(3));
  assert.equal(await take(db, toRefund.buyer, toRefund.orderId, "cancel"), null);
  const unprotected = await addPhone(db, { sellerId: toPay.seller.id });
  await bookWithoutLimits(db, held.buyer, unprotected.id, { address: "", phone: "" });
  const found = async (state?: PaymentFilter) =>
    (await listPayments(db, null, { filters: { state } })).rows.map(({ id, state }) => [id, state]);
  assert.deepEqual(await found(), [
    [released.orderId, "released"],
    [toRefund.orderId, "to be refunded"],
    [held.orderId, "held"],
    [toPay.orderId, "to pay"],
  ]);
  for (const [state, orderIds] of Object.entries({
    "to pay": [toPay.orderId],
    "not paid": [],
    held: [held.orderId],
    suspended: [],
    released: [released.orderId],
    "to be refunded": [toRefund.orderId],
    refunded: [],
    disputed: [],
    failing: [],
  } satisfies Record<PaymentFilter, string[]>)) {
    const ids = (await found(state as PaymentFilter)).map(([id]) => id);
    assert.deepEqual(ids, orderIds, state);
  }
  const bySeller = await listPayments(db, null, { filters: { seller: held.seller.email } });
  assert.deepEqual(
    bySeller.rows.map(({ id }) => id),
    [held.orderId],
  );

  memory.faults.before = 1;
  await runJob(db, toRefund, inMinutes(11));
  assert.deepEqual(await found("failing"), [[toRefund.orderId, "to be refunded"]]);
  const [task] = (await findLedger(db, toRefund.orderId)).tasks;
  assert.deepEqual([task?.kind, task?.attempts, task?.error], ["refund", 1, "api_connection_error"]);
  await runJob(db, toRefund, inMinutes(20));
  assert.deepEqual(await found("refunded"), [[toRefund.orderId, "refunded"]]);
  const kinds = (await findLedger(db, toRefund.orderId)).entries.map(({ kind }) => kind);
  assert.deepEqual(kinds, ["charged", "refunded"]);
  let exported = 0;
  for await (const rows of exportPayments(db, { filters: {} })) exported += rows.length;
  assert.equal(exported, 4);
};

export const staffPaysBackAPartOrAllOnceAndNeverMoreThanIsLeft = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const order = await booked(db);
  const { memory, seller, buyer, orderId, accountId } = order;
  const refund = (amountCents: number, shownCents: number, by = admin, reason = "The charger is missing.") =>
    refundOrder(db, by, orderId, { amountCents, shownCents, reason });
  assert.equal(await refund(5000, 0), "not paid");
  assert.equal((await findRefundable(db, admin, orderId))?.refusal, "not paid");
  await received(db, order);
  assert.equal(await refund(5000, 0, buyer), "own order");
  assert.equal(await openProblem(db, buyer, orderId, { kind: "defect", text: "It broke." }), "done");
  assert.equal(await refund(5000, 0), "problem open");
  assert.equal(await answerProblem(db, buyer, orderId, { answer: "close", text: "" }), "done");
  assert.equal(await refund(price + 1, 0), "too much");
  // Of two at once, and of the same sent again, one counts.
  assert.deepEqual(await Promise.all([refund(5000, 0), refund(5000, 0)]), ["done", "done"]);
  assert.equal(await refund(6000, 0), "changed");
  assert.equal(await refund(price, 5000), "too much");
  await runJob(db, order, inMinutes(1));
  assert.equal(memory.balances.buyers, price - 5000);
  const shown = await findPayment(db, orderId);
  assert.equal(shown?.refundReason, "The charger is missing.");
  for (const side of [buyer, seller])
    assert.equal((await told(db, side)).filter((kind) => kind === "refunded").length, 1);
  assert.equal(await db.$count(activity, eq(activity.action, "refunded order")), 1);

  // After the release, what the seller has is taken back.
  await runJob(db, order, inDays(3));
  assert.equal(memory.paidBySeller(accountId), price - 5000);
  const left = await findRefundable(db, admin, orderId);
  assert.deepEqual([left?.refusal, left?.leftCents], [null, price - 5000]);
  const rest = () => refund(price - 5000, 5000, admin, "It broke.");
  assert.deepEqual(await Promise.all([rest(), rest()]), ["done", "done"]);
  assert.equal((await findPayment(db, orderId))?.refundReason, "The charger is missing.\n\nIt broke.");
  for (const days of [3.1, 3.2]) await runJob(db, order, inDays(days));
  assert.equal(memory.paidBySeller(accountId), 0);
  assert.equal(memory.balances.buyers, 0);
  assert.equal((await findPayment(db, orderId))?.state, "refunded");
  assert.equal(await refund(100, price), "all refunded");
  await assertBalanced(db, memory);

  const disputed = await paid(db, await booked(db, memory));
  await db.update(payments).set({ disputedAt: new Date() }).where(eq(payments.orderId, disputed.orderId));
  const details = { amountCents: 100, shownCents: 0, reason: "Late." };
  assert.equal(await refundOrder(db, admin, disputed.orderId, details), "disputed");
  await db.update(payments).set({ disputedAt: null });
  assert.equal(await take(db, disputed.buyer, disputed.orderId, "cancel"), null);
  assert.equal(await refundOrder(db, admin, disputed.orderId, details), "ended");
  assert.equal(await refundOrder(db, admin, "none", details), "not found");
};

export const aDifferenceIsWorkUntilBothAgreeOrStaffHasSettledIt = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const { memory, orderId } = await paid(db);
  const [charge] = await db.select().from(ledgerEntries);
  assert.ok(charge);
  const { kind, providerId: id } = charge;
  const work = async () => (await listWork(db, admin, { only: "payments" })).rows.map(({ path }) => path);
  const compared = (amountCents: number, unknown: string[] = []) => {
    const provider: PaymentProvider = {
      ...memory.provider,
      async *list() {
        if (kind !== "fee") yield { kind, id, orderId, amountCents };
        for (const id of unknown) yield { kind: "charged", id, orderId: `order of ${id}`, amountCents };
      },
    };
    return reconcile(db, provider);
  };
  for (let times = 0; times < 2; times += 1) assert.equal((await compared(1)).length, 1);
  assert.deepEqual(await work(), [`/manage/orders/${orderId}`]);
  assert.equal((await listDifferences(db)).length, 1);
  assert.deepEqual(await compared(price), []);
  assert.deepEqual(await work(), []);
  await compared(2);
  const [open] = await listDifferences(db);
  assert.equal(await settleDifference(db, admin, open?.id ?? "", "Seen."), true);
  assert.equal(await settleDifference(db, admin, open?.id ?? "", "Seen."), false);
  // It is the same as before.
  await compared(2);
  assert.deepEqual(await work(), []);
  await compared(3);
  assert.equal((await work()).length, 1);

  // Those of orders that nobody knows are one item, on the page that has them all.
  const unknown = async () => (await listWork(db, admin, { only: "differences" })).rows;
  assert.deepEqual(await unknown(), []);
  await compared(3, ["ch_1", "ch_2"]);
  const [item, ...others] = await unknown();
  assert.deepEqual(
    [item?.path, item?.subject, others.length],
    ["/manage/payments", "ledger and provider differ, 2", 0],
  );
  assert.equal(await takeCase(db, admin, "/manage/payments"), "done");
  for (const { id, orderId } of await listDifferences(db))
    if (orderId.startsWith("order of")) await settleDifference(db, admin, id, "Seen.");
  assert.deepEqual(await unknown(), []);
};

/** A generator of numbers below one, the same for each seed. */
function randomOf(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

export const moneyIsConservedOnRandomWalks = async (db: Db) => {
  const memory = memoryProvider();
  const moderator = await addAccount(db, { userType: "Admin" });
  const ends: Record<string, number> = {};
  for (let walk = 0; walk < 200; walk += 1) {
    const random = randomOf(walk + 1);
    const order = await booked(db, memory);
    const { seller, buyer, orderId } = order;
    let removalId = "";
    const pay = async () => {
      const opened = await openPayment(db, memory.provider, buyer, orderId, back);
      if (typeof opened === "object") memory.pay(memory.checkoutOf(opened.url));
      await confirmPayment(db, memory.provider, buyer, orderId);
    };
    const step = (viewer: Account, intent: OrderIntent) => take(db, viewer, orderId, intent);
    const moves: (() => Promise<unknown>)[] = [
      pay,
      pay,
      () => step(seller, "hand over"),
      () => step(seller, "hand over"),
      () => step(buyer, "receive"),
      () => step(buyer, "approve"),
      () => step(buyer, "undo approval"),
      () => step(buyer, "undo receipt"),
      async () => {
        const by = random() < 0.5 ? buyer : seller;
        removalId = (await handleOrderIntent(db, by, orderId, "cancel")).removalId ?? removalId;
      },
      () => undoWithoutLimits(db, buyer, removalId),
      () => openProblem(db, buyer, orderId, { kind: "defect", text: "Broken." }),
      () => answerProblem(db, buyer, orderId, { answer: "close", text: "" }),
      async () => {
        await answerProblem(db, buyer, orderId, { answer: "ask", text: "" });
        const open = and(eq(orderProblems.orderId, orderId), sql`${orderProblems.endedAt} is null`);
        const [problem] = await db.select().from(orderProblems).where(open);
        const decision = random() < 0.7 ? "returned" : "refused";
        if (problem) await decideProblem(db, moderator, problem.id, { decision, reason: "As shown." });
      },
      async () => {
        if ((await findOrder(db, seller, orderId))?.status === "cancelled")
          await addStep(db, seller, orderId, "listed again");
      },
      async () => {
        memory.faults[random() < 0.5 ? "before" : "after"] = 1;
        await runJob(db, order, inDays(random() * 4)).catch((error: Error) =>
          assert.equal(error.name, "ProviderError"),
        );
        Object.assign(memory.faults, { before: 0, after: 0 });
      },
      () => runJob(db, order, inDays(random() * 20)),
      async () => {
        const facts = await findMoneyFacts(db, orderId);
        // As staff may, of a paid order that goes on.
        if (facts?.status === "active" && facts.charged > 0 && !facts.hasOpenProblem)
          await refundPart(db, orderId, Math.max(facts.refundCents, Math.ceil(random() * price)));
      },
    ];
    for (let turn = 0; turn < 12; turn += 1) await moves[Math.floor(random() * moves.length)]?.();
    // Whatever has happened, it comes to an end.
    await answerProblem(db, buyer, orderId, { answer: "close", text: "" });
    for (const days of [40, 41, 42, 43]) await runJob(db, order, inDays(days));
    await assertBalanced(db, memory, `walk ${walk}`);
    const facts = await findMoneyFacts(db, orderId);
    const isOver = facts?.status === "cancelled" || facts?.stage === "received";
    const { held, released, takenBack, refunded, charged } = await sumLedger(db, orderId);
    if (isOver) assert.equal(held, 0, `walk ${walk} holds money`);
    else assert.equal(released, 0, `walk ${walk} moved money too early`);
    if (isOver && charged > 0) assert.equal(released - takenBack + refunded, charged, `walk ${walk}`);
    if (charged > 0)
      assert.equal(refunded, facts?.status === "cancelled" ? charged : facts?.refundCents, `walk ${walk}`);
    const end = `${facts?.status} ${facts?.stage} ${charged > 0}`;
    ends[end] = (ends[end] ?? 0) + 1;
  }
  assert.ok(Object.keys(ends).length >= 5, JSON.stringify(ends));
};
