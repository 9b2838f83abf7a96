import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt } from "#app/db/conditions.server.ts";
import { decisions, notifications, orderSteps, orders, phones, removals, users } from "#app/db/schema.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { sendDueBatch } from "#app/features/notifications/due-emails.server.ts";
import { listNotifications } from "#app/features/notifications/notifications.server.ts";
import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import { answerProblem } from "#app/features/order-problems/order-problems.server.ts";
import { endOverdueOrders, remindOfDeadlines } from "#app/features/orders/order-deadlines.server.ts";
import { findOrder, handleOrderIntent } from "#app/features/orders/order-details.server.ts";
import { findMailedOrders, orderEmailFacts } from "#app/features/orders/order-email.server.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { nextStepText, orderStatusText, paymentText } from "#app/features/orders/order-texts.ts";
import { listOrders } from "#app/features/orders/orders.server.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone, removeUser } from "../../harness/fixtures.ts";

async function ordered(db: Db) {
  const seller = await addAccount(db, { userType: "Seller" });
  const buyer = await addAccount(db);
  const phone = await addPhone(db, { sellerId: seller.id, brandName: "Nokia", model: "G22" });
  const { orderId } = (await bookWithoutLimits(db, buyer, phone.id, { address: "", phone: "" })) as {
    orderId: string;
  };
  return { seller, buyer, phone, orderId };
}

/** As if the order had been made earlier. */
async function moveBack(db: Db, orderId: string, days: number) {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  const earlier = (at: Date | null | undefined) => at && new Date(at.getTime() - days * dayMs);
  await db
    .update(orders)
    .set({ deadlineAt: earlier(order?.deadlineAt), reminderAt: earlier(order?.reminderAt) })
    .where(eq(orders.id, orderId));
}

/** As if an account had been removed earlier. */
async function removedEarlier(db: Db, removalId: string, minutes: number) {
  const id = firstIdAt(new Date(Date.now() - minutes * 60_000)).slice(0, 13) + removalId.slice(13);
  await db.update(users).set({ removalId: id }).where(eq(users.removalId, removalId));
  await db.update(removals).set({ id }).where(eq(removals.id, removalId));
}

async function standing(db: Db, orderId: string) {
  const [row] = await db
    .select({ status: orders.status, stage: orders.stage, phone: phones.status })
    .from(orders)
    .innerJoin(phones, eq(phones.id, orders.phoneId))
    .where(eq(orders.id, orderId));
  return `${row?.status}, ${row?.stage}, ${row?.phone}`;
}

async function newestNotice(db: Db, viewer: Viewer) {
  return (await listNotifications(db, viewer, null)).rows[0]?.text;
}

const daysLeft = async (db: Db, viewer: Viewer, orderId: string) => {
  const { deadline = null } = (await findOrder(db, viewer, orderId)) ?? {};
  return deadline && Math.round((Date.parse(deadline) - Date.now()) / dayMs);
};

export const aReservationThatNobodyHandsOverEnds = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  await moveBack(db, orderId, 4.9);
  await endOverdueOrders(db);
  assert.equal(await standing(db, orderId), "active, reserved, reserved");
  await moveBack(db, orderId, 0.2);
  // Two jobs at once end it once.
  await Promise.all([endOverdueOrders(db), endOverdueOrders(db)]);
  assert.equal(await standing(db, orderId), "cancelled, reserved, available");
  const kinds = (await findOrder(db, buyer, orderId))?.steps.map(({ kind, by }) => `${kind} by ${by}`);
  assert.deepEqual(kinds, ["reserved by buyer", "cancelled by system"]);
  for (const side of [seller, buyer])
    assert.equal(await newestNotice(db, side), "Ringback cancelled the order for the Nokia G22.");
  await removeUser(db, await addAccount(db, { userType: "Admin" }), buyer.id);
  const { gone, isAbandoned } = (await findOrder(db, seller, orderId)) ?? {};
  assert.deepEqual([gone, isAbandoned], ["buyer", false]);
};

export const anOrderThatNobodyConfirmsIsReceived = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  await handleOrderIntent(db, seller, orderId, "hand over");
  assert.equal(await daysLeft(db, buyer, orderId), 14);
  await moveBack(db, orderId, 13.9);
  await endOverdueOrders(db);
  assert.equal(await standing(db, orderId), "active, handed over, reserved");
  await moveBack(db, orderId, 0.2);
  await Promise.all([endOverdueOrders(db), endOverdueOrders(db)]);
  assert.equal(await standing(db, orderId), "active, received, sold");
  for (const side of [seller, buyer])
    assert.equal(await newestNotice(db, side), "Ringback marked the Nokia G22 as received.");
  await moveBack(db, orderId, 30);
  await endOverdueOrders(db);
  assert.equal(await standing(db, orderId), "active, received, sold");
};

export const thoseWhoMustActAreRemindedOnce = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  const remind = async () => {
    await Promise.all([remindOfDeadlines(db), remindOfDeadlines(db)]);
    return Promise.all(
      [seller, buyer].map(async (side) => (await listNotifications(db, side, null)).rows.length),
    );
  };
  assert.deepEqual(await remind(), [1, 1]);
  await moveBack(db, orderId, 3.1);
  assert.deepEqual(await remind(), [2, 1]);
  assert.equal(await newestNotice(db, seller), "Your Nokia G22 is still waiting to be handed over.");
  assert.deepEqual(await remind(), [2, 1]);
  await handleOrderIntent(db, seller, orderId, "hand over");
  assert.deepEqual(await remind(), [2, 2]);
  await moveBack(db, orderId, 7.1);
  assert.deepEqual(await remind(), [2, 3]);
  assert.equal(await newestNotice(db, buyer), "Has your Nokia G22 arrived?");
};

export const theSideThatWaitsGivesMoreTimeOnce = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  const can = async (viewer: Viewer) =>
    (await findOrder(db, viewer, orderId))?.intents.includes("extend") ?? false;
  assert.deepEqual([await can(seller), await can(buyer)], [false, true]);
  const give = async (viewer: Viewer) =>
    (await handleOrderIntent(db, viewer, orderId, "extend")).refusal ?? "done";
  assert.equal(await give(seller), "no more time");
  assert.deepEqual(await Promise.all([give(buyer), give(buyer)]), ["done", "done"]);
  assert.equal(await daysLeft(db, buyer, orderId), 10);
  assert.equal(await newestNotice(db, seller), "You’ve got more time for the Nokia G22.");
  assert.equal(await can(buyer), false);
  await handleOrderIntent(db, seller, orderId, "hand over");
  assert.equal(await can(seller), false);
  assert.equal(await give(seller), "extended");
  assert.equal(await give(await addAccount(db)), "not found");
};

export const nobodyGivesMoreTimeToABuyerWhoHasLeft = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  await handleOrderIntent(db, seller, orderId, "hand over");
  assert.deepEqual((await findOrder(db, seller, orderId))?.intents, ["undo handover", "extend"]);
  await db.update(users).set({ removalId: "left" }).where(eq(users.id, buyer.id));
  const { intents, gone } = (await findOrder(db, seller, orderId)) ?? {};
  assert.deepEqual([intents, gone], [["undo handover"], "buyer"]);
  assert.equal((await handleOrderIntent(db, seller, orderId, "extend")).refusal, "no more time");
};

export const aReservedOrderWhoseSideHasLeftEnds = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  for (const gone of ["buyer", "seller"] as const) {
    const { seller, buyer, orderId } = await ordered(db);
    const [leaving, staying] = gone === "buyer" ? [buyer, seller] : [seller, buyer];
    const removalId = (await removeUser(db, admin, leaving.id)) ?? "";
    // Until then, the removal can be undone.
    await endOverdueOrders(db);
    assert.equal(await standing(db, orderId), "active, reserved, reserved");
    const left = await findOrder(db, staying, orderId);
    assert.deepEqual([left?.intents, left?.gone], [["cancel"], gone]);
    assert.equal((await listOrders(db, buyer, null)).rows[0]?.gone, gone);
    const { refusal } = await handleOrderIntent(db, staying, orderId, "extend");
    assert.equal(refusal, "no more time");
    await removedEarlier(db, removalId, 11);
    await Promise.all([endOverdueOrders(db), endOverdueOrders(db)]);
    assert.equal(await standing(db, orderId), "cancelled, reserved, available");
    assert.equal((await findOrder(db, staying, orderId))?.isAbandoned, true);
    const told = (await listNotifications(db, staying, null)).rows.map(({ text }) => text);
    assert.equal(told[0], `Order cancelled: Nokia G22 (the ${gone} has left).`);
    assert.equal(told.length, 2);
    const [mailed] = await findMailedOrders(db, [orderId]);
    assert.ok(mailed);
    assert.deepEqual(orderEmailFacts("cancelled", mailed, staying.id, false)[1], [
      "Cancelled by",
      "Ringback",
    ]);
  }
};

export const anOrderOnHoldOutlivesASideThatHasLeft = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  const admin = await addAccount(db, { userType: "Admin" });
  await openProblem(db, buyer, orderId, { kind: "not arrived", text: "Where is it?" });
  await removedEarlier(db, (await removeUser(db, admin, buyer.id)) ?? "", 11);
  await endOverdueOrders(db);
  assert.equal(await standing(db, orderId), "active, reserved, reserved");
  assert.equal((await findOrder(db, seller, orderId))?.hasProblem, true);
};

export const aReinstatedOrderKeepsItsDeadline = async (db: Db) => {
  const { buyer, orderId } = await ordered(db);
  await moveBack(db, orderId, 2);
  const removalId = (await cancelOrder(db, buyer, orderId)).removalId ?? "";
  await moveBack(db, orderId, 1);
  assert.equal((await findOrder(db, buyer, orderId))?.status, "cancelled");
  await endOverdueOrders(db);
  assert.equal((await undoWithoutLimits(db, buyer, removalId)).result, "undone");
  assert.equal(await daysLeft(db, buyer, orderId), 2);
};

export const theOrdersOfASuspendedSellerAreOnHold = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const details = { address: "", phone: "" };
  const booked = async () => {
    const [buyer, phone] = [await addAccount(db), await addPhone(db, { sellerId: seller.id })];
    const { orderId = "" } = await bookWithoutLimits(db, buyer, phone.id, details);
    return { buyer, phone, orderId };
  };
  const [waiting, leaving, sent] = [await booked(), await booked(), await booked()];
  await handleOrderIntent(db, seller, sent.orderId, "hand over");
  const decision = { decision: "suspend", reason: "Fraud.", days: "7" } as const;
  const { id = "" } = await decide(db, admin, "seller", seller.id, decision, null);
  assert.ok(id);
  const toldOf = async ({ id }: { id: string }) =>
    (await listNotifications(db, { ...admin, id }, null)).rows.map(({ kind }) => kind);
  for (const { buyer, orderId } of [waiting, leaving, sent]) {
    assert.equal((await toldOf(buyer))[0], "seller suspended");
    const order = await findOrder(db, buyer, orderId);
    assert.deepEqual([order?.deadline, order?.isSellerSuspended], [null, true]);
    assert.match(
      order ? paymentText("buyer", order) : "",
      /^Don’t pay now: we’ve suspended the seller’s account\./,
    );
    assert.match((order && nextStepText("buyer", order, null)) ?? "", /your order is on hold/);
  }
  assert.ok(!(await toldOf(seller)).includes("seller suspended"));
  const emailsOf = async () => {
    const rows = await db.select().from(notifications).where(eq(notifications.kind, "seller suspended"));
    return rows.map(({ emailOutcome }) => emailOutcome ?? "waits");
  };
  const emails = { origin: "https://ringback.example", secrets: ["a secret"], send: async () => true };
  await sendDueBatch(db, emails);
  // No job ends them or reminds of them, and nobody gives more time.
  await db.update(orders).set({ deadlineAt: new Date(0), reminderAt: new Date(0) });
  await endOverdueOrders(db);
  await remindOfDeadlines(db);
  assert.equal(await db.$count(orders, eq(orders.status, "active")), 3);
  assert.equal(
    (await handleOrderIntent(db, waiting.buyer, waiting.orderId, "extend")).refusal,
    "no more time",
  );
  // The way out, which delays no booking later.
  assert.deepEqual((await findOrder(db, leaving.buyer, leaving.orderId))?.intents, ["cancel"]);
  assert.equal((await handleOrderIntent(db, leaving.buyer, leaving.orderId, "cancel")).refusal, null);
  // A problem can be open at the same time: the time on hold is added once.
  const problem = { kind: "not arrived", text: "Nothing came." } as const;
  assert.equal(await openProblem(db, sent.buyer, sent.orderId, problem), "done");
  await answerProblem(db, sent.buyer, sent.orderId, { answer: "close", text: "" });
  assert.equal((await findOrder(db, sent.buyer, sent.orderId))?.deadline, null);
  const held = 3 * dayMs;
  await db
    .update(orders)
    .set({ heldSince: new Date(Date.now() - held), deadlineAt: new Date(Date.now() + dayMs) });
  await db.update(orderSteps).set({ createdAt: new Date(0) });
  // Undone: the orders go on, what the buyers read says so, and no email goes out.
  assert.deepEqual(await emailsOf(), ["waits", "waits", "waits"]);
  assert.equal((await undoWithoutLimits(db, admin, id)).result, "undone");
  assert.deepEqual(await emailsOf(), ["undone", "undone", "undone"]);
  for (const { buyer, orderId } of [waiting, sent]) {
    const told = (await listNotifications(db, { ...admin, id: buyer.id }, null)).rows;
    assert.match(
      told.find(({ kind }) => kind === "seller suspended")?.text ?? "",
      /We’ve taken this back\.$/,
    );
    assert.ok(!told.some(({ kind }) => kind === "seller back"));
    const deadline = Date.parse((await findOrder(db, buyer, orderId))?.deadline ?? "");
    assert.equal(Math.round((deadline - Date.now()) / dayMs), 4);
  }

  // Reversed or over: the buyers of what goes on are told, which an Undo takes back, too.
  const again = { ...decision, lastDecisionId: id };
  const { id: second = "" } = await decide(db, admin, "seller", seller.id, again, null);
  const longer = { ...decision, days: "14", lastDecisionId: second };
  const { id: third = "" } = await decide(db, admin, "seller", seller.id, longer, null);
  assert.equal((await toldOf(sent.buyer)).filter((kind) => kind === "seller suspended").length, 2);
  const reversal = { decision: "reverse", reason: "", lastDecisionId: third } as const;
  const reversed = await decide(db, admin, "seller", seller.id, { ...reversal, days: "7" }, null);
  assert.equal((await toldOf(sent.buyer))[0], "seller back");
  assert.ok(!(await toldOf(leaving.buyer)).includes("seller back"));
  assert.equal((await undoWithoutLimits(db, admin, reversed.id ?? "")).result, "undone");
  const [last] = (await listNotifications(db, { ...admin, id: sent.buyer.id }, null)).rows;
  assert.match(last?.text ?? "", /isn’t suspended anymore .+We’ve taken this back\.$/);
  assert.ok((await findOrder(db, sent.buyer, sent.orderId))?.isSellerSuspended);
  assert.ok(second);
  await decide(db, admin, "seller", seller.id, { ...reversal, days: "7", lastDecisionId: reversed.id }, null);
  assert.ok((await bookWithoutLimits(db, leaving.buyer, leaving.phone.id, details)).orderId);
};

export const anOrderOfASellerSuspendedForGoodEndsAfterThirtyDays = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const details = { address: "", phone: "" };
  const booked = async () => {
    const [buyer, phone] = [await addAccount(db), await addPhone(db, { sellerId: seller.id })];
    const { orderId = "" } = await bookWithoutLimits(db, buyer, phone.id, details);
    return { buyer, orderId };
  };
  const [waiting, disputed, sent] = [await booked(), await booked(), await booked()];
  await handleOrderIntent(db, seller, sent.orderId, "hand over");
  const problem = { kind: "not arrived", text: "Nothing came." } as const;
  const decision = { decision: "suspend", reason: "Fraud.", days: "permanent" } as const;
  const { id = "" } = await decide(db, admin, "seller", seller.id, decision, null);
  assert.equal(await openProblem(db, disputed.buyer, disputed.orderId, problem), "done");
  const daysLeft = async ({ buyer, orderId }: typeof waiting) => {
    const deadline = (await findOrder(db, buyer, orderId))?.deadline;
    return deadline ? Math.round((Date.parse(deadline) - Date.now()) / dayMs) : null;
  };
  assert.equal(await daysLeft(waiting), 30);
  assert.deepEqual([await daysLeft(disputed), await daysLeft(sent)], [null, null]);
  // Nobody gives more time.
  const order = await findOrder(db, waiting.buyer, waiting.orderId);
  assert.deepEqual(order?.intents, ["cancel"]);
  assert.match(
    (order && nextStepText("buyer", order, "May 2, 2026")) ?? "",
    /hasn’t ended by May 2, 2026, we cancel it/,
  );
  const [mailed] = await findMailedOrders(db, [waiting.orderId]);
  const facts = mailed ? orderEmailFacts("seller suspended", mailed, waiting.buyer.id, false) : [];
  assert.match(Object.fromEntries(facts)["Next step"] ?? "", /hasn’t ended by .+, we cancel it/);
  assert.equal(Object.fromEntries(facts).Payment, "If you haven’t paid, don’t pay now.");
  const stateOf = async ({ buyer, orderId }: typeof waiting) => (await findOrder(db, buyer, orderId))?.status;
  const states = () => Promise.all([waiting, disputed, sent].map(stateOf));
  await endOverdueOrders(db);
  assert.deepEqual(await states(), ["active", "active", "active"]);
  const old = firstIdAt(new Date(Date.now() - 31 * dayMs));
  await db.update(users).set({ suspensionId: old }).where(eq(users.id, seller.id));
  await db.update(decisions).set({ id: old }).where(eq(decisions.id, id));
  await endOverdueOrders(db);
  assert.deepEqual(await states(), ["cancelled", "active", "active"]);
  const told = async (account: Viewer) => (await listNotifications(db, account, null)).rows[0];
  assert.match((await told(waiting.buyer))?.text ?? "", /the seller is suspended/);
  assert.match((await told(seller))?.text ?? "", /your account is suspended/);
  const ended = await findOrder(db, waiting.buyer, waiting.orderId);
  assert.equal(
    ended && orderStatusText("buyer", ended),
    "We cancelled this order because the seller’s account is suspended.",
  );
  // A problem is settled first.
  await answerProblem(db, disputed.buyer, disputed.orderId, { answer: "close", text: "" });
  await endOverdueOrders(db);
  assert.deepEqual(await states(), ["cancelled", "cancelled", "active"]);
};

export const noEmailRemindsOfWhatIsDone = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  const outcomes: Record<string, string | null> = {};
  const emails = { origin: "https://ringback.example", secrets: ["a secret"], send: async () => true };
  for (const [side, intent] of [
    [seller, "hand over"],
    [buyer, "receive"],
  ] as const) {
    await db.update(orders).set({ reminderAt: new Date(0) });
    await remindOfDeadlines(db);
    assert.equal((await handleOrderIntent(db, side, orderId, intent)).refusal, null);
    await sendDueBatch(db, emails);
  }
  for (const { kind, emailOutcome } of await db.select().from(notifications)) outcomes[kind] = emailOutcome;
  assert.deepEqual(
    [outcomes["hand over reminder"], outcomes["receive reminder"]],
    ["order over", "order over"],
  );
};
