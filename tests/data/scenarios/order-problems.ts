import assert from "node:assert/strict";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { ProblemKind, ProblemOffer } from "#app/db/enums.ts";
import {
  notifications,
  orderProblemSteps,
  orderProblems,
  orderSteps,
  orders,
  phones,
  photos,
  users,
} from "#app/db/schema.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { countWork } from "#app/features/administration/work.server.ts";
import { findSeller } from "#app/features/catalog/seller.server.ts";
import { changeListing, findOwnListing } from "#app/features/listings/listing-edit.server.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { listSellings } from "#app/features/listings/listing-tables.server.ts";
import { endPause, pauseAll } from "#app/features/listings/sale-change.server.ts";
import { isOpenToMessages } from "#app/features/messages/order-contact.server.ts";
import { sendFirstMessage } from "#app/features/messages/send-message.server.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { alertModerators } from "#app/features/moderation/urgent-cases.server.ts";
import { listNotifications } from "#app/features/notifications/notifications.server.ts";
import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import {
  maxProblemMessagesAnHour,
  type ProblemAnswer,
} from "#app/features/order-problems/order-problem.rules.ts";
import {
  findOrderProblem,
  findProblemCase,
  listWaitingProblems,
} from "#app/features/order-problems/order-problem-details.server.ts";
import {
  answerProblem,
  decideProblem,
  endOverdueAnswers,
  isInOpenProblem,
  mayOweDevice,
  remindOfProblems,
} from "#app/features/order-problems/order-problems.server.ts";
import { findProblemFacts, problemEmailFacts } from "#app/features/order-problems/problem-email.server.ts";
import { maySeeProblemPhoto } from "#app/features/order-problems/problem-photos.server.ts";
import { findBookingTerms } from "#app/features/orders/booking.server.ts";
import { answerOffer, makeOffer } from "#app/features/orders/offers.server.ts";
import { endOverdueOrders, remindOfDeadlines } from "#app/features/orders/order-deadlines.server.ts";
import { findOrder, handleOrderIntent } from "#app/features/orders/order-details.server.ts";
import { findMailedOrders, orderEmailFacts } from "#app/features/orders/order-email.server.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { listOrders } from "#app/features/orders/orders.server.ts";
import { cleanUpPhotos } from "#app/features/photos/photo-cleanup.server.ts";
import { closeAccount } from "#app/features/profile/account-closing.server.ts";
import { exportAccountData } from "#app/features/profile/account-data.server.ts";
import { findProfile } from "#app/features/profile/profile.server.ts";
import { purgeRemovals } from "#app/features/profile/purging.server.ts";
import { findOrderReviews } from "#app/features/reviews/reviews.server.ts";
import { saveReview } from "#app/features/reviews/write-review.server.ts";
import { dayLabel, dayMs } from "#app/time.ts";
import { findViolations } from "../../../bench/soak/invariants.ts";
import { bookWithoutLimits, noLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone, removeUser } from "../../harness/fixtures.ts";
import { browse } from "../../harness/search.ts";

type Stage = "reserved" | "handed over" | "received";

async function ordered(db: Db, stage: Stage = "handed over") {
  const seller = await addAccount(db, { name: "Sella Mair", userType: "Seller" });
  const buyer = await addAccount(db, { name: "Bea Lind", emailVerifiedAt: new Date() });
  const moderator = await addAccount(db, { moderatorSince: new Date() });
  const phone = await addPhone(db, { sellerId: seller.id, brandName: "Nokia", model: "G22" });
  const { orderId } = (await bookWithoutLimits(db, buyer, phone.id, { address: "", phone: "" })) as {
    orderId: string;
  };
  if (stage !== "reserved") await handleOrderIntent(db, seller, orderId, "hand over");
  if (stage === "received") await handleOrderIntent(db, buyer, orderId, "receive");
  return { seller, buyer, moderator, phone, orderId };
}

const described = { kind: "not as described", text: "The display has a crack." } as const;
const open = (db: Db, viewer: Viewer, orderId: string) => openProblem(db, viewer, orderId, described);

const answer = (
  db: Db,
  viewer: Viewer,
  orderId: string,
  answer: ProblemAnswer,
  offer?: ProblemOffer,
  text = "",
) => answerProblem(db, viewer, orderId, { answer, offer, text });

async function stateOf(db: Db, viewer: Viewer, orderId: string) {
  const found = await findOrderProblem(db, viewer, orderId);
  const [row] = await db
    .select({ status: orders.status, stage: orders.stage, phone: phones.status })
    .from(orders)
    .innerJoin(phones, eq(phones.id, orders.phoneId))
    .where(eq(orders.id, orderId));
  const time = (await findOrder(db, viewer, orderId))?.deadline ? "running" : "stopped";
  return `${found?.problems[0]?.state}; ${row?.status}, ${row?.stage}, ${row?.phone}, ${time}`;
}

const newest = async (db: Db, viewer: Viewer) => (await listNotifications(db, viewer, null)).rows[0];

/** As the seller's record shows them. */
async function problemsOf(db: Db, seller: Viewer) {
  const { all, withProblem, returned } = (await findSeller(db, seller.id, null))?.seller.record.orders ?? {};
  return `${withProblem} of ${all}, ${returned} returned`;
}

const daysLeft = async (db: Db, viewer: Viewer, orderId: string) => {
  const deadline = (await findOrderProblem(db, viewer, orderId))?.problems[0]?.deadline;
  return deadline && Math.round((Date.parse(deadline) - Date.now()) / dayMs);
};

const whyNone = async (db: Db, viewer: Viewer, orderId: string) =>
  (await findOrderProblem(db, viewer, orderId))?.refusal;

const choices = async (db: Db, viewer: Viewer, orderId: string, now?: Date) =>
  (await findOrderProblem(db, viewer, orderId, now))?.choices.map(({ value }) => value);

const idsOf = async (db: Db, buyer: Viewer, stage: "problem" | "returned" | "cancelled") =>
  (await listOrders(db, buyer, null, { filters: { stage } })).rows.map(({ id }) => id);

const listAgain = (db: Db, seller: Viewer, { id }: { id: string }) =>
  changeListing(db, seller, id, { listAgain: true }, []);

const isListed = async (db: Db, { id }: { id: string }) =>
  (await browse(db)).phones.some((phone) => phone.id === id);

/** The order whose end hides the seller's newest listing. */
const returnedFrom = async (db: Db, seller: Viewer) =>
  (await listSellings(db, seller, null)).rows[0]?.returnedFrom;

/** The two sides agree that the device goes back. */
async function takeBack(db: Db, seller: Viewer, buyer: Viewer, orderId: string) {
  await answer(db, seller, orderId, "offer", "return", "Send it back.");
  assert.equal(await answer(db, buyer, orderId, "accept"), "done");
}

const inDays = (days: number) => new Date(Date.now() + days * dayMs);

async function problemId(db: Db, viewer: Viewer, orderId: string) {
  return (await findOrderProblem(db, viewer, orderId))?.problems[0]?.id ?? "";
}

export const anOpenProblemStopsTheOrder = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  assert.equal(await stateOf(db, buyer, orderId), "undefined; active, handed over, reserved, running");
  assert.equal(await open(db, buyer, orderId), "done");
  assert.equal(await stateOf(db, buyer, orderId), "open; active, handed over, reserved, stopped");
  assert.equal(await daysLeft(db, seller, orderId), 3);
  const notice = await newest(db, seller);
  const [listed] = (await listOrders(db, buyer, null)).rows;
  assert.deepEqual(
    [listed?.hasProblem, listed?.problem?.state, listed?.hasEndingProblem],
    [true, "open", false],
  );
  assert.deepEqual(await idsOf(db, buyer, "problem"), [orderId]);
  assert.deepEqual(await idsOf(db, buyer, "returned"), []);
  // Emails say which phone, which problem, and who has to answer by when.
  const [facts] = await findProblemFacts(db, [{ orderId, event: "" }]);
  assert.ok(facts);
  const next = (reader: Viewer) => problemEmailFacts(facts, reader.id).map(([, value]) => value);
  assert.deepEqual(next(seller).slice(1, 3), ["Nokia G22", "Not as described"]);
  assert.match(next(seller)[3] ?? "", /^Answer by \w+ \d+, \d+\./);
  assert.match(next(buyer)[3] ?? "", /^The seller has until \w+ \d+, \d+ to answer\./);
  assert.equal(notice?.text, "Problem with the Nokia G22: not as described, says the buyer.");
  assert.equal((await listNotifications(db, buyer, null)).rows[0]?.kind, "handed over");
  for (const [who, intent] of [
    [buyer, "receive"],
    [seller, "extend"],
    [seller, "cancel"],
  ] as const)
    assert.equal((await handleOrderIntent(db, who, orderId, intent)).refusal, "problem open", intent);
  const admin = await addAccount(db, { userType: "Admin" });
  assert.equal((await cancelOrder(db, admin, orderId)).refusal, "problem open");
  assert.deepEqual((await findOrder(db, seller, orderId))?.intents, []);
  // No job ends the order, or reminds of it.
  await db.update(orders).set({ deadlineAt: new Date(0), reminderAt: new Date(0) });
  await endOverdueOrders(db);
  await remindOfDeadlines(db);
  assert.equal((await newest(db, buyer))?.kind, "handed over");
  assert.equal(await stateOf(db, buyer, orderId), "open; active, handed over, reserved, stopped");
};

export const aReservedOrderStopsToo = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db, "reserved");
  assert.equal(await open(db, buyer, orderId), "not yet");
  assert.equal(await openProblem(db, buyer, orderId, { kind: "not arrived", text: "No answer." }), "done");
  assert.equal(await stateOf(db, buyer, orderId), "open; active, reserved, reserved, stopped");
  for (const [who, intent] of [
    [buyer, "cancel"],
    [buyer, "extend"],
    [seller, "cancel"],
  ] as const)
    assert.equal((await handleOrderIntent(db, who, orderId, intent)).refusal, "problem open", intent);
  assert.equal(await answer(db, buyer, orderId, "close"), "done");
  assert.equal(await stateOf(db, buyer, orderId), "solved; active, reserved, reserved, running");
  const [mailed] = await findProblemFacts(db, [{ orderId, event: "" }]);
  const { deadline } = (await findOrder(db, seller, orderId)) ?? {};
  for (const { id } of [buyer, seller])
    assert.deepEqual(mailed && problemEmailFacts(mailed, id).at(-1), [
      "Handover by",
      dayLabel(deadline ?? ""),
    ]);
  assert.equal((await handleOrderIntent(db, seller, orderId, "hand over")).refusal, null);
};

export const aSellerHandsOverWhatABuyerMisses = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db, "reserved");
  await openProblem(db, buyer, orderId, { kind: "not arrived", text: "No answer." });
  await db.update(orders).set({ heldSince: inDays(-2) });
  assert.deepEqual((await findOrder(db, seller, orderId))?.intents, ["hand over"]);
  assert.deepEqual((await findOrder(db, buyer, orderId))?.intents, []);
  const facts = async (reader: Viewer) => {
    const [found] = await findProblemFacts(db, [{ orderId, event: "" }]);
    return found && problemEmailFacts(found, reader.id).at(-1);
  };
  assert.deepEqual(await facts(seller), ["Handover", "You can still hand it over, on the order’s page."]);
  const parcel = { parcelService: "UPS", trackingNumber: "1Z 999" } as const;
  assert.equal(
    (await handleOrderIntent(db, seller, orderId, "hand over", { handover: parcel })).refusal,
    null,
  );
  assert.equal(await stateOf(db, buyer, orderId), "open; active, handed over, reserved, stopped");
  assert.deepEqual(await Promise.all([facts(buyer), facts(seller)]), [
    ["Handover", "The seller says they shipped it with UPS 1Z 999. Once you have it, mark this as solved."],
    ["Handover", "You shipped it with UPS 1Z 999. Once the buyer has it, they can mark this as solved."],
  ]);
  // What has not arrived is not repaired.
  assert.equal(await answer(db, seller, orderId, "offer", "repair"), "no offer");
  assert.equal(await answer(db, buyer, orderId, "close"), "done");
  assert.equal(await stateOf(db, buyer, orderId), "solved; active, handed over, reserved, running");
  // The stage began with the handover: the days before it are not added.
  const deadline = (await findOrder(db, buyer, orderId))?.deadline ?? "";
  assert.equal(Math.round((Date.parse(deadline) - Date.now()) / dayMs), 14);
};

export const eachSideHasOneProblemOpenAtATime = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  // The same form twice opens it once.
  assert.deepEqual(await Promise.all([open(db, buyer, orderId), open(db, buyer, orderId)]), ["done", "done"]);
  const another = { kind: "defect", text: "No sound." } as const;
  assert.equal(await openProblem(db, buyer, orderId, another), "problem open");
  await answer(db, buyer, orderId, "close");
  assert.equal(await openProblem(db, buyer, orderId, another), "done");
  assert.equal((await findOrderProblem(db, seller, orderId))?.problems[0]?.kind, "defect");
};

const ofBoth = async (db: Db) => {
  const all = await ordered(db);
  const { seller, buyer, orderId } = all;
  assert.equal(await openProblem(db, seller, orderId, { kind: "not paid", text: "No money came." }), "done");
  assert.equal(await open(db, buyer, orderId), "done");
  const idOf = async (kind: ProblemKind) =>
    (await findOrderProblem(db, buyer, orderId))?.problems.find((problem) => problem.kind === kind)?.id ?? "";
  const [unpaidId, defectId] = [await idOf("not paid"), await idOf("not as described")];
  const answerTo =
    (problemId: string) =>
    (viewer: Viewer, answer: ProblemAnswer, offer?: ProblemOffer, text = "") =>
      answerProblem(db, viewer, orderId, { problemId, answer, offer, text });
  /** As a side sees them: kind, state and what it can answer. */
  const seen = async (viewer: Viewer) =>
    (await findOrderProblem(db, viewer, orderId))?.problems.map(
      ({ kind, state, answers }) => `${kind}: ${state}; ${answers.join(", ")}`,
    );
  return { ...all, unpaidId, defectId, unpaid: answerTo(unpaidId), defect: answerTo(defectId), seen };
};

export const bothSidesHaveAProblemOpenAtOnce = async (db: Db) => {
  const { seller, buyer, moderator, orderId, unpaidId, unpaid, defect, seen } = await ofBoth(db);
  assert.deepEqual(await seen(buyer), [
    "not as described: open; ask, close, write",
    "not paid: open; offer, ask, write",
  ]);
  assert.deepEqual(await seen(seller), [
    "not as described: open; offer, ask, write",
    "not paid: open; ask, close, write",
  ]);
  // Each is answered by its id; without one, the newer.
  assert.equal(await defect(seller, "close"), "not now");
  assert.equal(
    await answerProblem(db, buyer, orderId, { problemId: "?", answer: "ask", text: "" }),
    "not found",
  );
  assert.equal(await answer(db, seller, orderId, "offer", "part refund", "$20 back."), "done");
  assert.equal(await unpaid(buyer, "ask"), "done");
  assert.deepEqual(await seen(buyer), [
    "not as described: offered; accept, decline, ask, close, write",
    "not paid: with moderators; write",
  ]);
  // Emails tell of the problem that they are about.
  const events = await db.select().from(notifications).where(eq(notifications.userId, buyer.id));
  const mailed = await findProblemFacts(
    db,
    events
      .filter(({ kind }) => kind.startsWith("problem"))
      .map(({ event }) => ({ orderId, event: event ?? "" })),
  );
  assert.deepEqual(
    mailed.map((facts) => facts?.kind),
    ["not paid", "not as described"],
  );
  assert.deepEqual(
    mailed.map((facts) => facts?.hasMovedOn),
    [true, false],
  );
  // The order is on hold until both have ended, and gets the whole time back once.
  await db.update(orders).set({ heldSince: inDays(-2) });
  await db.update(orderSteps).set({ createdAt: inDays(-9) });
  assert.equal(await defect(buyer, "accept"), "done");
  assert.equal((await handleOrderIntent(db, buyer, orderId, "receive")).refusal, "problem open");
  assert.deepEqual(await seen(seller), [
    "not paid: with moderators; close, write",
    "not as described: solved; ",
  ]);
  assert.equal(await decideProblem(db, moderator, unpaidId, ruling), "done");
  const deadline = (await findOrder(db, buyer, orderId))?.deadline ?? "";
  assert.equal(Math.round((Date.parse(deadline) - Date.now()) / dayMs), 16);
  assert.equal((await handleOrderIntent(db, buyer, orderId, "receive")).refusal, null);
};

export const anAnswerWithoutAProblemIsToTheOneThatItFits = async (db: Db) => {
  const { seller, buyer, orderId, defect, seen } = await ofBoth(db);
  const say = (viewer: Viewer, given: ProblemAnswer, offer?: ProblemOffer, text?: string) =>
    answer(db, viewer, orderId, given, offer, text);
  // The newer one is the buyer's, so the seller closes the older, and offers in the newer.
  assert.equal(await say(seller, "offer", "part refund", "$20 back."), "done");
  assert.equal(await say(seller, "close"), "done");
  assert.deepEqual(await seen(seller), ["not as described: offered; ask, write", "not paid: solved; "]);
  // Sent again, it counts once, and touches nothing else.
  assert.equal(await say(seller, "close"), "done");
  assert.equal(await say(seller, "accept"), "not now");
  assert.equal(await say(buyer, "decline"), "done");
  assert.equal(await say(buyer, "decline"), "done");
  assert.deepEqual(await seen(buyer), ["not as described: open; ask, close, write", "not paid: solved; "]);
  assert.equal(await openProblem(db, seller, orderId, { kind: "not paid", text: "Still none." }), "done");
  assert.equal(await say(buyer, "close"), "done");
  assert.equal(await say(seller, "close"), "done");
  assert.equal(await defect(buyer, "close"), "done");
  assert.equal((await findOrder(db, seller, orderId))?.hasProblem, false);
};

export const aRepeatedQuestionToModeratorsIsAboutOneProblem = async (db: Db) => {
  const { seller, orderId, seen } = await ofBoth(db);
  for (const _ of [1, 2]) assert.equal(await answer(db, seller, orderId, "ask"), "done");
  assert.deepEqual(await seen(seller), [
    "not as described: with moderators; write",
    "not paid: open; ask, close, write",
  ]);
};

export const bothSidesWriteAsLongAsAProblemIsOpen = async (db: Db) => {
  const { seller, buyer, moderator, orderId } = await ordered(db);
  const write = (viewer: Viewer, text: string) => answer(db, viewer, orderId, "write", undefined, text);
  assert.equal(await write(buyer, "Hello?"), "not found");
  await open(db, buyer, orderId);
  await answer(db, seller, orderId, "offer", "repair", "By Friday.");
  const { lastStepId = "" } = (await findOrderProblem(db, buyer, orderId))?.problems[0] ?? {};
  // The same message sent twice is stored once, and a message makes no answer stale.
  for (const text of ["Which shop?", "Which shop?", "And who pays?"])
    assert.equal(await write(buyer, text), "done");
  assert.equal(await write(seller, "The one at the corner."), "done");
  const told = (await listNotifications(db, seller, null)).rows.filter(
    ({ kind }) => kind === "problem message",
  );
  assert.deepEqual(
    told.map(({ text }) => text),
    ["New message in a problem (Nokia G22)."],
  );
  assert.equal(
    await answerProblem(db, buyer, orderId, { answer: "decline", text: "No.", lastStepId }),
    "done",
  );
  await answer(db, buyer, orderId, "ask");
  assert.equal(await write(seller, "It’s a scratch."), "done");
  const id = await problemId(db, buyer, orderId);
  const said = (await findProblemCase(db, moderator, id))?.steps.filter(({ kind }) => kind === "written");
  assert.deepEqual(
    said?.map(({ text, by }) => [by, text]),
    [
      ["Bea Lind (buyer)", "Which shop?"],
      ["Bea Lind (buyer)", "And who pays?"],
      ["Sella Mair (seller)", "The one at the corner."],
      ["Sella Mair (seller)", "It’s a scratch."],
    ],
  );
  const texts = Array.from({ length: maxProblemMessagesAnHour - 2 }, (_, index) => `No, ${index}.`);
  for (const text of texts) assert.equal(await write(seller, text), "done");
  assert.equal(await write(seller, "No!"), "too many messages");
  await decideProblem(db, moderator, id, ruling);
  assert.equal(await write(buyer, "Thanks."), "not open");
};

export const aProblemEndsWithTheOrderThatTheOtherSidesHasEnded = async (db: Db) => {
  const { seller, buyer, moderator, orderId, defectId, unpaid, defect, seen } = await ofBoth(db);
  await unpaid(seller, "ask");
  await defect(seller, "offer", "return", "Send it back.");
  assert.equal(await defect(buyer, "accept"), "done");
  assert.deepEqual(await seen(buyer), ["not as described: returned; ", "not paid: solved; "]);
  const [, ended] = (await findOrderProblem(db, buyer, orderId))?.problems ?? [];
  assert.deepEqual(
    ended?.steps.map(({ kind }) => kind),
    ["opened", "asked moderators", "ended"],
  );
  assert.equal((await newest(db, seller))?.text, "News on a problem (Nokia G22: ended with the order).");
  assert.equal(
    await decideProblem(db, moderator, ended?.id ?? "", { decision: "returned", reason: "No." }),
    "not open",
  );
  assert.equal(await unpaid(buyer, "offer", "return", "?"), "not open");
  // What each still owes the other is reported on its own, by both at once.
  assert.equal(await openProblem(db, buyer, orderId, { kind: "not refunded", text: "$300." }), "done");
  assert.equal(
    await openProblem(db, seller, orderId, { kind: "not returned", text: "Nothing came." }),
    "done",
  );
  assert.equal(await db.$count(orderProblems, isNull(orderProblems.endedAt)), 2);

  // Of two decisions that end the order at once, one does.
  const other = await ofBoth(db);
  await other.unpaid(other.seller, "ask");
  await other.defect(other.seller, "ask");
  const decision = { decision: "returned", reason: "It goes back." } as const;
  const both = await Promise.all(
    [other.unpaidId, other.defectId].map((id) => decideProblem(db, moderator, id, decision)),
  );
  assert.deepEqual(both.filter((outcome) => outcome === "done").length, 1);
  assert.notEqual(defectId, other.defectId);
};

export const onlyTheTwoSidesOpenAndAnswer = async (db: Db) => {
  const { seller, buyer, moderator, orderId } = await ordered(db);
  const admin = await addAccount(db, { userType: "Admin" });
  for (const stranger of [moderator, admin]) {
    assert.equal(await open(db, stranger, orderId), "not found");
    assert.equal(await findOrderProblem(db, stranger, orderId), null);
  }
  assert.equal(await open(db, buyer, "no-such-order"), "not found");
  // Each side has its own kinds.
  assert.equal(await openProblem(db, buyer, orderId, { kind: "not paid", text: "?" }), "not now");
  assert.equal(await open(db, seller, orderId), "not now");
  assert.equal(await answer(db, buyer, orderId, "close"), "not found");
  await open(db, buyer, orderId);
  for (const stranger of [moderator, admin])
    assert.equal(await answer(db, stranger, orderId, "ask"), "not found");
  // Nobody answers for the other side.
  assert.equal(await answer(db, buyer, orderId, "offer", "return"), "not now");
  assert.equal(await answer(db, seller, orderId, "accept"), "not now");
  assert.equal(await answer(db, seller, orderId, "close"), "not now");
  assert.equal(await answer(db, seller, orderId, "offer"), "no offer");
  assert.equal(await decideProblem(db, moderator, await problemId(db, buyer, orderId), ruling), "not found");
};

const ruling = { decision: "refused", reason: "The photos show it." } as const;

export const theBuyerAcceptsAPartRefund = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  await open(db, buyer, orderId);
  assert.equal(await answer(db, seller, orderId, "offer", "part refund", "$40 back."), "done");
  assert.equal(await stateOf(db, buyer, orderId), "offered; active, handed over, reserved, stopped");
  assert.equal(
    (await newest(db, buyer))?.text,
    "You got an offer to settle a problem (Nokia G22: partial refund).",
  );
  assert.equal(await answer(db, buyer, orderId, "accept"), "done");
  assert.equal(await stateOf(db, buyer, orderId), "solved; active, handed over, reserved, running");
  assert.equal((await newest(db, seller))?.text, "News on a problem (Nokia G22: offer accepted).");
  const [problem] = (await findOrderProblem(db, seller, orderId))?.problems ?? [];
  // The order's page and My Orders say what was agreed on.
  assert.deepEqual(problem?.settlement, { offer: "part refund", amountCents: null, text: "$40 back." });
  const [listed] = (await listOrders(db, buyer, null)).rows;
  assert.deepEqual([listed?.problem?.offer, listed?.problem?.lastStep], ["part refund", "accepted"]);
  assert.deepEqual(
    problem?.steps.map(({ kind, offer, text, by }) => [kind, offer, text, by]),
    [
      ["opened", null, "The display has a crack.", "Bea Lind"],
      ["offered", "part refund", "$40 back.", "you"],
      ["accepted", null, "", "Bea Lind"],
    ],
  );
  assert.equal(await problemsOf(db, seller), "1 of 1, 0 returned");
};

export const aDeclinedOfferGoesBackToTheSeller = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  await open(db, buyer, orderId);
  await answer(db, seller, orderId, "offer", "repair", "By Friday.");
  assert.equal(await answer(db, buyer, orderId, "decline", undefined, "Too late."), "done");
  assert.equal(await stateOf(db, buyer, orderId), "open; active, handed over, reserved, stopped");
  assert.equal(await daysLeft(db, buyer, orderId), 3);
  assert.equal(await answer(db, seller, orderId, "offer", "return", "Send it back."), "done");
  assert.equal(await stateOf(db, buyer, orderId), "offered; active, handed over, reserved, stopped");
};

export const aReturnedPhoneIsListedAgainByItsSeller = async (db: Db) => {
  for (const stage of ["reserved", "handed over", "received"] as const) {
    const { seller, buyer, phone, orderId } = await ordered(db, stage);
    await openProblem(db, buyer, orderId, { kind: "other terms", text: "$50 more." });
    await takeBack(db, seller, buyer, orderId);
    const last = stage === "reserved" ? "reserved" : "handed over";
    assert.match(await stateOf(db, buyer, orderId), new RegExp(`^returned; cancelled, ${last}, available`));
    const ended = await findOrder(db, buyer, orderId);
    assert.deepEqual([ended?.steps.at(-1)?.kind, ended?.hasEndingProblem], ["returned", true]);
    const [ordersRow] = (await listOrders(db, buyer, null, { filters: { stage: "all" } })).rows;
    assert.equal(ordersRow?.hasEndingProblem, true);
    assert.deepEqual(await idsOf(db, buyer, "returned"), [orderId]);
    assert.deepEqual(await idsOf(db, buyer, "problem"), []);
    assert.deepEqual(await idsOf(db, buyer, "cancelled"), []);
    assert.equal(await isListed(db, phone), false);
    assert.equal(await returnedFrom(db, seller), orderId);
    assert.equal((await findOrderProblem(db, seller, orderId))?.returnedPhoneId, phone.id);
    assert.equal((await findOrderProblem(db, buyer, orderId))?.returnedPhoneId, null);
    assert.equal(await listAgain(db, buyer, phone), "unknown listing");
    // Its seller looks at it first, and changes what has changed.
    assert.equal(await changeListing(db, seller, phone.id, { sellingPrice: 30_000 }, []), "saved");
    assert.equal(await isListed(db, phone), false);
    const twice = await Promise.all([listAgain(db, seller, phone), listAgain(db, seller, phone)]);
    assert.deepEqual(twice, ["saved", "saved"]);
    assert.equal(await isListed(db, phone), true);
    assert.equal(await returnedFrom(db, seller), null);
    const steps = (await findOrder(db, seller, orderId))?.steps.map(({ kind, byViewer }) => [kind, byViewer]);
    assert.deepEqual(steps?.slice(-2), [
      ["returned", false],
      ["listed again", true],
    ]);
    const next = await addAccount(db);
    assert.ok("orderId" in (await bookWithoutLimits(db, next, phone.id, { address: "", phone: "" })));
    assert.equal(await open(db, buyer, orderId), "cancelled");
  }
};

export const aPhoneIsListedAgainIntoThePauseOfAll = async (db: Db) => {
  const until = new Date(Date.now() + dayMs);
  for (const stage of ["reserved", "received"] as const) {
    for (const isPausedBefore of [true, false]) {
      const { seller, buyer, phone, orderId } = await ordered(db, stage);
      const pause = async () => {
        await addPhone(db, { sellerId: seller.id });
        await pauseAll(db, seller, until);
      };
      if (isPausedBefore) await pause();
      await openProblem(db, buyer, orderId, { kind: "other terms", text: "$50 more." });
      await takeBack(db, seller, buyer, orderId);
      if (!isPausedBefore) await pause();
      assert.equal(await listAgain(db, seller, phone), "saved");
      const [row] = await db.select().from(phones).where(eq(phones.id, phone.id));
      assert.deepEqual([row?.hiddenById, row?.status, row?.pausedUntil], [null, "paused", until], stage);
      await endPause(db, seller);
      assert.equal(await isListed(db, phone), true);
    }
  }
};

export const aReturnedPhoneIsDeletedByItsSellerWhoCanUndoThat = async (db: Db) => {
  const { seller, buyer, phone, orderId } = await ordered(db);
  await open(db, buyer, orderId);
  await takeBack(db, seller, buyer, orderId);
  const admin = await addAccount(db, { userType: "Admin" });
  for (const stranger of [buyer, admin])
    assert.equal((await removeListing(db, stranger, phone.id)).refusal, "not found");
  const removeAndUndo = async () => {
    const removalId = (await removeListing(db, seller, phone.id)).removalId ?? "";
    assert.equal((await listSellings(db, seller, null)).rows.length, 0);
    assert.equal(await listAgain(db, seller, phone), "unknown listing");
    for (const _ of ["once", "again"])
      assert.deepEqual(await undoWithoutLimits(db, seller, removalId), { kind: "phone", result: "undone" });
  };
  await removeAndUndo();
  assert.equal(await returnedFrom(db, seller), orderId);
  assert.equal(await isListed(db, phone), false);
  assert.equal(await listAgain(db, seller, phone), "saved");
  await removeAndUndo();
  assert.equal(await isListed(db, phone), true);
  // Deleted for good, it leaves the order with its problem, of which both sides know until it ends.
  await removeListing(db, seller, phone.id);
  assert.equal(await openProblem(db, buyer, orderId, unpaid), "done");
  await purgeRemovals(db, inDays(40));
  assert.equal((await findOrderProblem(db, seller, orderId))?.problems[0]?.kind, "not refunded");
  await answer(db, buyer, orderId, "close");
  await purgeRemovals(db, inDays(40));
  assert.equal(await db.$count(phones, eq(phones.id, phone.id)), 0);
  assert.equal((await findOrderProblem(db, buyer, orderId))?.problems[0]?.state, "solved");
};

export const aReturnedPhoneThatAModeratorShowsAgainIsStillItsSellersToList = async (db: Db) => {
  const { seller, buyer, moderator, phone, orderId } = await ordered(db);
  const hide = { decision: "hide", reason: "The photos are of another one.", days: "" } as const;
  const { id = "" } = await decide(db, moderator, "listing", phone.id, hide, null);
  await open(db, buyer, orderId);
  await takeBack(db, seller, buyer, orderId);
  assert.equal(await returnedFrom(db, seller), null);
  assert.equal(await listAgain(db, seller, phone), "unknown listing");
  assert.equal((await undoWithoutLimits(db, moderator, id)).result, "undone");
  assert.equal(await returnedFrom(db, seller), orderId);
  assert.equal(await isListed(db, phone), false);
};

export const aReturnedPhoneKeepsItsPhotos = async (db: Db) => {
  const { seller, buyer, phone, orderId } = await ordered(db);
  await db
    .insert(photos)
    .values({ id: "p", phoneId: phone.id, position: 1, width: 4, height: 3, digest: "d" });
  await db.update(phones).set({ cover: "p" }).where(eq(phones.id, phone.id));
  await open(db, buyer, orderId);
  await takeBack(db, seller, buyer, orderId);
  const bucket = { delete: async () => {}, list: async () => ({ objects: [] }) };
  await cleanUpPhotos(db, { bucket } as never, inDays(40));
  await purgeRemovals(db, inDays(40));
  assert.equal(await listAgain(db, seller, phone), "saved");
  assert.equal(await db.$count(photos, eq(photos.phoneId, phone.id)), 1);
};

/** A picture, and storage that takes each for it. */
function pictureStorage() {
  const png = new Uint8Array(33);
  png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  png.set([0, 0, 0, 4, 0, 0, 0, 3], 16);
  const picture = {
    transform: () => picture,
    output: async () => ({ response: () => new Response(png) }),
  };
  const stored = new Set<string>();
  const bucket = {
    put: async (name: string) => stored.add(name),
    delete: async (names: string[]) => names.map((name) => stored.delete(name)),
    list: async () => ({ objects: [...stored].map((key) => ({ key, uploaded: new Date(0) })) }),
  };
  const storage = { images: { input: () => picture }, bucket } as never;
  return { stored, storage, file: (name: string) => new File([png], name) };
}

export const photosOfAProblemGoWithWhoOpenedIt = async (db: Db) => {
  const { seller, buyer, moderator, orderId } = await ordered(db, "received");
  const { stored, storage, file } = pictureStorage();
  const openWith = (files: File[]) =>
    openProblem(db, buyer, orderId, described, undefined, { files, storage, reference: "" });
  const six = Array.from({ length: 6 }, (_, index) => file(`${index}.png`));
  for (const files of [
    [...six, file("6.png")],
    [file("good.png"), new File(["?"], "bad.png")],
  ])
    assert.ok("photoRefusals" in Object(await openWith(files)));
  assert.deepEqual(
    [stored.size, await stateOf(db, buyer, orderId)],
    [0, "undefined; active, received, sold, stopped"],
  );

  const photosOf = async (viewer: Viewer) =>
    (await findOrderProblem(db, viewer, orderId))?.problems[0]?.photos;
  assert.deepEqual(await Promise.all([openWith(six), openWith(six)]), ["done", "done"]);
  assert.deepEqual([(await photosOf(seller))?.length, stored.size], [6, 24]);
  const photo = (await photosOf(buyer))?.[0]?.id ?? "";
  const seenBy = (...people: Viewer[]) =>
    Promise.all(people.map((person) => maySeeProblemPhoto(db, person, photo)));
  const [stranger, admin] = [await addAccount(db), await addAccount(db, { userType: "Admin" })];
  assert.deepEqual(await seenBy(buyer, seller, stranger, moderator, admin), [
    true,
    true,
    false,
    false,
    false,
  ]);
  await answer(db, seller, orderId, "ask");
  assert.deepEqual(await seenBy(buyer, seller, stranger, moderator, admin), [true, true, false, true, true]);
  const id = await problemId(db, buyer, orderId);
  assert.equal((await findProblemCase(db, moderator, id))?.photos.length, 6);
  await decideProblem(db, moderator, id, ruling);

  const cleanUp = () => cleanUpPhotos(db, storage, inDays(40));
  const close = (who: typeof buyer) => closeAccount(db, who, { passwordHash: who.passwordHash ?? "" });
  await cleanUp();
  await setAgo(db, orderId, 50);
  assert.equal(await close(seller), "closed");
  await cleanUp();
  assert.deepEqual([(await photosOf(buyer))?.length, stored.size], [6, 24]);
  assert.equal(await close(buyer), "closed");
  await cleanUp();
  assert.deepEqual([await db.$count(photos, eq(photos.id, photo)), stored.size], [0, 0]);
};

export const aSellerOpensAProblemToo = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  assert.equal(await openProblem(db, seller, orderId, { kind: "not paid", text: "Nothing came." }), "done");
  assert.equal((await newest(db, buyer))?.kind, "problem opened");
  assert.equal(await answer(db, buyer, orderId, "offer", "something else", "I pay today."), "done");
  assert.equal(await answer(db, seller, orderId, "accept"), "done");
  assert.equal(await stateOf(db, seller, orderId), "solved; active, handed over, reserved, running");
  // It says nothing about the seller.
  assert.equal(await problemsOf(db, seller), "0 of 1, 0 returned");
};

export const moderatorsDecideWhatEitherSideAsks = async (db: Db) => {
  for (const decision of ["returned", "solved", "refused"] as const) {
    const { seller, buyer, moderator, phone, orderId } = await ordered(db);
    await sendFirstMessage(db, buyer, { phone: phone.id }, { text: "Is it cracked?", formKey: null });
    await open(db, buyer, orderId);
    const id = await problemId(db, buyer, orderId);
    assert.equal(await findProblemCase(db, moderator, id), null);
    const problemsToDecide = async () => (await countWork(db, moderator))["order-problems"] ?? 0;
    const waiting = await problemsToDecide();
    assert.equal(await answer(db, seller, orderId, "ask", undefined, "It was fine."), "done");
    assert.equal(await problemsToDecide(), waiting + 1);
    assert.equal((await listWaitingProblems(db, moderator, null)).rows.at(-1)?.id, id);
    assert.equal(await daysLeft(db, buyer, orderId), 5);
    assert.equal((await newest(db, buyer))?.kind, "problem with moderators");
    const found = await findProblemCase(db, moderator, id);
    assert.deepEqual(
      found?.steps.map(({ by, text }) => [by, text]),
      [
        ["Bea Lind (buyer)", "The display has a crack."],
        ["Sella Mair (seller)", "It was fine."],
      ],
    );
    assert.deepEqual(
      found?.messages.map(({ text }) => text),
      ["Is it cracked?"],
    );
    assert.deepEqual(
      found?.history.map(({ kind }) => kind),
      ["reserved", "handed over"],
    );
    assert.equal(await answer(db, seller, orderId, "offer", "return"), "not now");
    const given = { decision, reason: "Both sides have said enough." };
    for (const side of [buyer, seller]) {
      // Whatever else they may do: others decide.
      assert.equal(await findProblemCase(db, side, id), null);
      assert.equal(await decideProblem(db, side, id, given), "not found");
    }
    assert.equal(await decideProblem(db, moderator, id, given), "done");
    // The same form twice.
    assert.equal(await decideProblem(db, moderator, id, given), "done");
    assert.equal(await decideProblem(db, await addAccount(db, { userType: "Admin" }), id, given), "not open");
    assert.equal(await problemsToDecide(), waiting);
    for (const side of [buyer, seller]) {
      assert.match((await newest(db, side))?.text ?? "", /^We made a decision on the Nokia G22: /);
      const last = (await findOrderProblem(db, side, orderId))?.problems[0]?.steps.at(-1);
      assert.deepEqual([last?.by, last?.text], ["Ringback", "Both sides have said enough."]);
      const [facts] = await findProblemFacts(db, [{ orderId, event: "" }]);
      assert.deepEqual(facts && problemEmailFacts(facts, side.id).at(-1), [
        "Reason",
        "Both sides have said enough.",
      ]);
    }
    assert.equal(
      await problemsOf(db, seller),
      `${decision === "refused" ? 0 : 1} of 1, ${decision === "returned" ? 1 : 0} returned`,
    );
    const expected = {
      returned: "returned; cancelled, handed over, available, stopped",
      solved: "solved; active, handed over, reserved, running",
      refused: "refused; active, handed over, reserved, running",
    };
    assert.equal(await stateOf(db, buyer, orderId), expected[decision]);
    const byRingback = (await findOrder(db, buyer, orderId))?.steps.at(-1);
    if (decision === "returned") assert.deepEqual([byRingback?.kind, byRingback?.by], ["returned", "system"]);
  }
};

export const whoWroteTheProblemClosesItAtAnyTime = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  await open(db, buyer, orderId);
  await answer(db, buyer, orderId, "ask");
  assert.equal(await answer(db, buyer, orderId, "close", undefined, "It works after all."), "done");
  assert.equal(await stateOf(db, buyer, orderId), "solved; active, handed over, reserved, running");
  assert.equal((await newest(db, seller))?.kind, "problem answer");
  assert.equal(await answer(db, seller, orderId, "ask"), "not open");
};

export const whatNobodyAnswersInTimeIsDecided = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  await open(db, buyer, orderId);
  const notices = async () =>
    Promise.all([buyer, seller].map(async (who) => (await listNotifications(db, who, null)).rows.length));
  const [ofBuyer = 0, ofSeller = 0] = await notices();
  const at = async (days: number) => {
    // Two jobs at once do it once.
    await Promise.all([remindOfProblems(db, 10, inDays(days)), remindOfProblems(db, 10, inDays(days))]);
    await Promise.all([endOverdueAnswers(db, 10, inDays(days)), endOverdueAnswers(db, 10, inDays(days))]);
    return stateOf(db, buyer, orderId);
  };
  assert.match(await at(1.9), /^open/);
  assert.deepEqual(await notices(), [ofBuyer, ofSeller]);
  assert.match(await at(2.1), /^open/);
  assert.match(await at(2.2), /^open/);
  assert.deepEqual(await notices(), [ofBuyer, ofSeller + 1]);
  assert.equal((await newest(db, seller))?.kind, "problem due");
  assert.match(await at(3.1), /^with moderators/);
  assert.match(await at(9), /^with moderators/);
  assert.deepEqual(await notices(), [ofBuyer + 1, ofSeller + 2]);
  const steps = (await findOrderProblem(db, buyer, orderId))?.problems[0]?.steps;
  assert.deepEqual(steps?.map(({ kind, by }) => [kind, by]).at(-1), ["asked moderators", "Ringback"]);
};

export const anOfferThatNobodyAnswersIsDecided = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  await open(db, buyer, orderId);
  await answer(db, seller, orderId, "offer", "repair", "By Friday.");
  await remindOfProblems(db, 10, inDays(2.1));
  assert.equal((await newest(db, buyer))?.kind, "problem due");
  await endOverdueAnswers(db, 10, inDays(3.1));
  assert.match(await stateOf(db, buyer, orderId), /^with moderators/);
};

export const jobsWorkInPortions = async (db: Db) => {
  const both = [await ordered(db), await ordered(db)];
  for (const { buyer, orderId } of both) await open(db, buyer, orderId);
  await endOverdueAnswers(db, 1, inDays(4));
  const states = () => Promise.all(both.map(({ buyer, orderId }) => stateOf(db, buyer, orderId)));
  assert.equal((await states()).filter((state) => state.startsWith("with moderators")).length, 1);
  await endOverdueAnswers(db, 1, inDays(4));
  assert.equal((await states()).filter((state) => state.startsWith("with moderators")).length, 2);
};

export const ofTwoAnswersAtOnceOneCounts = async (db: Db) => {
  const { seller, buyer, moderator, orderId } = await ordered(db);
  await open(db, buyer, orderId);
  await answer(db, seller, orderId, "offer", "return", "Send it back.");
  const both = await Promise.all([
    answer(db, buyer, orderId, "accept"),
    answer(db, buyer, orderId, "decline"),
  ]);
  assert.equal(both.filter((outcome) => outcome === "done").length, 1);
  const second = await ordered(db);
  await open(db, second.buyer, second.orderId);
  await answer(db, second.seller, second.orderId, "ask");
  const id = await problemId(db, second.buyer, second.orderId);
  const decided = await Promise.all([
    decideProblem(db, moderator, id, { decision: "returned", reason: "Broken." }),
    answer(db, second.buyer, second.orderId, "close"),
  ]);
  assert.equal(decided.filter((outcome) => outcome === "done").length, 1);
  const steps = (await findOrderProblem(db, second.buyer, second.orderId))?.problems[0]?.steps;
  assert.equal(steps?.length, 3);
};

export const anAnswerToWhatHasChangedIsRefused = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  await open(db, buyer, orderId);
  await answer(db, seller, orderId, "offer", "part refund", "$40 back.");
  const { lastStepId } = (await findOrderProblem(db, buyer, orderId))?.problems[0] ?? {};
  await answer(db, buyer, orderId, "decline");
  await answer(db, seller, orderId, "offer", "part refund", "$4 back.");
  const stale = { answer: "accept", text: "", lastStepId } as const;
  assert.equal(await answerProblem(db, buyer, orderId, stale), "changed");
  assert.match(await stateOf(db, buyer, orderId), /^offered/);
};

export const aProblemOpensForAsLongAsTheWarranty = async (db: Db) => {
  const { buyer, orderId } = await ordered(db, "received");
  const receivedAgo = (days: number) =>
    db
      .update(orderSteps)
      .set({ createdAt: inDays(-days) })
      .where(eq(orderSteps.orderId, orderId));
  await receivedAgo(373);
  assert.equal(await open(db, buyer, orderId), "too late");
  assert.deepEqual(await choices(db, buyer, orderId), []);
  assert.equal(await whyNone(db, buyer, orderId), "too late");
  await receivedAgo(371);
  assert.equal(await whyNone(db, buyer, orderId), null);
  // They have marked it as received.
  const expected = ["not as described", "something missing", "defect", "other terms"];
  assert.deepEqual(await choices(db, buyer, orderId), expected);
  assert.equal(await openProblem(db, buyer, orderId, { kind: "not arrived", text: "?" }), "confirmed");
  assert.equal(await open(db, buyer, orderId), "done");
  assert.equal(await stateOf(db, buyer, orderId), "open; active, received, sold, stopped");
  await answer(db, buyer, orderId, "close");
  assert.equal(await stateOf(db, buyer, orderId), "solved; active, received, sold, stopped");
};

export const anOpenProblemStopsReviews = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db, "received");
  await open(db, buyer, orderId);
  for (const side of [buyer, seller])
    assert.equal(await saveReview(db, side, orderId, { stars: 1, text: "" }), "problem open");
  const found = await findOrderReviews(db, buyer, orderId);
  assert.deepEqual([found?.refusal, found?.writableUntil], ["problem open", null]);
  await answer(db, buyer, orderId, "close");
  assert.equal((await findOrderReviews(db, buyer, orderId))?.refusal, null);
  assert.equal(await saveReview(db, buyer, orderId, { stars: 4, text: "" }), "saved");
};

const poor = { stars: 1, text: "Broken." };

export const anOrderThatEndsAfterItsHandoverIsReviewed = async (db: Db) => {
  for (const stage of ["handed over", "received"] as const) {
    const { seller, buyer, orderId } = await ordered(db, stage);
    // Only reviews of confirmed buyers count.
    await db
      .update(users)
      .set({ emailVerifiedAt: new Date(0) })
      .where(eq(users.id, buyer.id));
    // The days count from the return.
    await db
      .update(orderSteps)
      .set({ createdAt: inDays(-100) })
      .where(eq(orderSteps.orderId, orderId));
    await open(db, buyer, orderId);
    await takeBack(db, seller, buyer, orderId);
    const found = await findOrderReviews(db, seller, orderId, inDays(59.9));
    assert.deepEqual([found?.refusal, found?.writableUntil], [null, found?.reviewableUntil]);
    assert.equal((await findOrderReviews(db, buyer, orderId, inDays(60.1)))?.refusal, "too late");
    assert.equal(await saveReview(db, buyer, orderId, poor, inDays(60.1)), "too late");
    assert.equal(await saveReview(db, buyer, orderId, poor, inDays(59.9)), "saved");
    assert.equal(await saveReview(db, seller, orderId, poor), "saved");
    assert.equal((await findSeller(db, seller.id, null))?.seller.rating.count, 1);
  }
  const { seller, buyer, orderId } = await ordered(db, "reserved");
  await openProblem(db, buyer, orderId, { kind: "not arrived", text: "Nothing came." });
  await takeBack(db, seller, buyer, orderId);
  for (const side of [buyer, seller]) {
    assert.equal(await saveReview(db, side, orderId, poor), "order ended");
    assert.equal(await findOrderReviews(db, side, orderId), null);
  }
};

/** As if a problem had been open between two days; without an end, it still is. */
async function heldBetween(
  db: Db,
  { orderId, buyer, seller }: { orderId: string; buyer: Viewer; seller: Viewer },
  from: number,
  to: number | null,
  openedBy: "buyer" | "seller" = "buyer",
) {
  const [id, stepId] = [`${orderId} ${from}`, `${orderId} ${from} step`];
  const sides = { orderId, buyerId: buyer.id, sellerId: seller.id, openedBy, lastStepId: stepId };
  const state = to === null ? "open" : "solved";
  const endedAt = to === null ? null : inDays(to);
  await db
    .insert(orderProblems)
    .values({ ...sides, id, kind: "defect", state, createdAt: inDays(from), endedAt });
  const step = { id: stepId, problemId: id, actorId: buyer.id, kind: "opened", text: "" } as const;
  await db.insert(orderProblemSteps).values({ ...step, createdAt: inDays(from) });
}

const setAgo = (db: Db, orderId: string, days: number) =>
  db
    .update(orderSteps)
    .set({ createdAt: inDays(-days) })
    .where(eq(orderSteps.orderId, orderId));

export const timesThatCountFromAnOrderStandStillOnHold = async (db: Db) => {
  const placed = await ordered(db, "received");
  const { seller, buyer, orderId } = placed;
  await setAgo(db, orderId, 10);
  // Before the receipt, and two at once from day 3 to day 9.
  await heldBetween(db, placed, -20, -12);
  await heldBetween(db, placed, -7, -3);
  await heldBetween(db, placed, -5, -1, "seller");
  const canReview = async (day: number) => (await findOrderReviews(db, buyer, orderId, inDays(day)))?.refusal;
  assert.deepEqual([await canReview(55.9), await canReview(56.1)], [null, "too late"]);
  const reportable = async (day: number) => (await choices(db, buyer, orderId, inDays(day)))?.length !== 0;
  assert.deepEqual([await reportable(367.9), await reportable(368.1)], [true, false]);
  const warranty = (await findOrder(db, buyer, orderId))?.warrantyUntil ?? "";
  assert.equal(Math.round((Date.parse(warranty) - Date.now()) / dayMs), 368);
  const [mailed] = await findMailedOrders(db, [orderId]);
  assert.equal(mailed?.warrantyEnd.toISOString(), warranty);
  const [row] = (await listOrders(db, buyer, null)).rows;
  assert.equal(row?.warrantyEnd?.toISOString(), warranty);
  assert.equal(Math.round(((row?.reviewableUntil?.getTime() ?? 0) - Date.now()) / dayMs), 56);

  assert.equal(await saveReview(db, seller, orderId, poor, inDays(0)), "saved");
  await heldBetween(db, placed, 5, 8);
  const canEdit = (day: number) => saveReview(db, seller, orderId, { ...poor, text: `${day}` }, inDays(day));
  assert.deepEqual([await canEdit(16.9), await canEdit(17.1)], ["saved", "too late"]);
  // What is over stays over: a problem may still open, but it gives no time back.
  await heldBetween(db, placed, 70, 100);
  assert.equal(await canReview(95), "too late");
  assert.equal((await findOrderReviews(db, buyer, orderId, inDays(95)))?.reviewableUntil, null);
};

export const aReviewStaysHiddenForAsLongAsItHadLeft = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db, "received");
  assert.equal(await saveReview(db, buyer, orderId, poor), "saved");
  const problem = { kind: "defect", text: "No sound." } as const;
  await openProblem(db, buyer, orderId, problem, inDays(4));
  await openProblem(db, seller, orderId, { kind: "not paid", text: "No money." }, inDays(5));
  const isShown = async (day: number) =>
    (await findOrderReviews(db, seller, orderId, inDays(day)))?.other !== null;
  assert.equal(await isShown(20), false);
  const close = async (side: Viewer, day: number) => {
    const opened = (await findOrderProblem(db, side, orderId))?.problems;
    const problemId = opened?.find(({ openedBy }) => (side === buyer) === (openedBy === "buyer"))?.id;
    return answerProblem(db, side, orderId, { problemId, answer: "close", text: "" }, inDays(day));
  };
  assert.equal(await close(buyer, 20), "done");
  assert.equal(await isShown(35), false);
  assert.equal(await close(seller, 24), "done");
  assert.deepEqual([await isShown(33.9), await isShown(34.1)], [false, true]);
};

export const timesAfterTheEndOfAnOrderStandStillOnHold = async (db: Db) => {
  const placed = await ordered(db);
  const { seller, buyer, orderId } = placed;
  await open(db, buyer, orderId);
  await takeBack(db, seller, buyer, orderId);
  await db.update(orderProblems).set({ createdAt: inDays(-3) });
  await heldBetween(db, placed, 10, 15);
  const isOpen = async (day: number) => {
    const owes = hasRow(db, users, and(eq(users.id, buyer.id), mayOweDevice(db, buyer.id, inDays(day))));
    const [row] = await db
      .select({ owes, canWrite: sql`${isOpenToMessages(db, inDays(day))}` })
      .from(orders)
      .innerJoin(phones, eq(phones.id, orders.phoneId))
      .where(eq(orders.id, orderId));
    const canReport = async (side: Viewer) => (await choices(db, side, orderId, inDays(day)))?.length === 1;
    return [row?.owes, row?.canWrite, await canReport(buyer), await canReport(seller)].map(Boolean);
  };
  assert.deepEqual(await isOpen(34.9), [true, true, true, true]);
  assert.deepEqual(await isOpen(35.1), [false, false, false, false]);
};

export const accountsWithAnOpenProblemStay = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db, "received");
  await open(db, buyer, orderId);
  const close = (who: { id: string; passwordHash: string | null } & Viewer) =>
    closeAccount(db, who, { passwordHash: who.passwordHash ?? "" });
  assert.deepEqual([await close(buyer), await close(seller)], ["problem open", "problem open"]);
  const admin = await addAccount(db, { userType: "Admin" });
  await removeUser(db, admin, buyer.id);
  await purgeRemovals(db, inDays(31));
  assert.equal((await findOrder(db, seller, orderId))?.buyerName, "Bea Lind");
  // The other side is not stuck, and does not read that the one that has left will act.
  const seen = (await findOrderProblem(db, seller, orderId))?.problems[0];
  assert.deepEqual([seen?.isOtherGone, seen?.answers], [true, ["ask", "write"]]);
  const [facts] = await findProblemFacts(db, [{ orderId, event: "" }]);
  assert.ok(facts);
  assert.match(problemEmailFacts(facts, seller.id)[3]?.[1] ?? "", /^The buyer has left, so Ringback decides/);
  await answer(db, seller, orderId, "ask");
  const moderator = await addAccount(db, { moderatorSince: new Date() });
  const id = await problemId(db, seller, orderId);
  assert.equal(await decideProblem(db, moderator, id, ruling), "done");
  await purgeRemovals(db, inDays(31));
  assert.equal((await findOrder(db, seller, orderId))?.buyerName, "Former member");
  const [problem] = (await findOrderProblem(db, seller, orderId))?.problems ?? [];
  assert.equal(problem?.steps[0]?.by, "Former member");
  assert.equal(await close(seller), "closed");
};

export const buyersStayWhileADeviceMayHaveToGoBack = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db, "handed over");
  await cancelOrder(db, await addAccount(db, { userType: "Admin" }), orderId, {
    reason: "Both sides asked.",
  });
  const mayOwe = async (now?: Date) => {
    const [row] = await db
      .select({ id: users.id })
      .from(users)
      .where(mayOweDevice(db, buyer.id, now));
    return row !== undefined;
  };
  assert.deepEqual([await mayOwe(), await mayOwe(inDays(29)), await mayOwe(inDays(31))], [true, true, false]);
  await openProblem(db, seller, orderId, { kind: "not returned", text: "Nothing came back." });
  const close = () => closeAccount(db, buyer, { passwordHash: buyer.passwordHash ?? "" });
  assert.equal(await close(), "problem open");
  await answer(db, seller, orderId, "close");
  assert.equal(await close(), "closed");
};

export const theExportHasProblems = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  await open(db, buyer, orderId);
  for (const [viewer, byYou] of [
    [buyer, true],
    [seller, false],
  ] as const) {
    let text = "";
    for await (const part of exportAccountData(db, viewer)) text += part;
    const [step] = JSON.parse(text).orderProblems;
    assert.deepEqual([step.orderId, step.text, step.byYou], [orderId, "The display has a crack.", byYou]);
  }
};

const unpaid = { kind: "not refunded", text: "$300 paid." } as const;

export const aBuyerWhoPaidAsksForTheRefundOfAnEndedOrder = async (db: Db) => {
  const { seller, buyer, moderator, phone, orderId } = await ordered(db, "reserved");
  assert.equal(await openProblem(db, buyer, orderId, unpaid), "not now");
  await cancelOrder(db, seller, orderId, { bySeller: true });
  const removal = (await db.select().from(orders).where(eq(orders.id, orderId)))[0]?.removalId ?? "";
  assert.equal(await openProblem(db, buyer, orderId, { ...unpaid, kind: "not arrived" }), "cancelled");
  assert.equal(await openProblem(db, seller, orderId, unpaid), "not now");
  assert.deepEqual(await choices(db, buyer, orderId, inDays(29.9)), ["not refunded"]);
  assert.deepEqual(await choices(db, buyer, orderId, inDays(30.1)), []);
  assert.deepEqual(await choices(db, seller, orderId), []);
  assert.equal(await openProblem(db, buyer, orderId, unpaid, inDays(30.1)), "too late");
  assert.equal(await openProblem(db, buyer, orderId, unpaid), "done");
  assert.equal(await stateOf(db, buyer, orderId), "open; cancelled, reserved, available, stopped");
  // It counts once both agree or moderators have decided.
  assert.equal(await problemsOf(db, seller), "0 of 0, 0 returned");
  assert.equal((await undoWithoutLimits(db, seller, removal)).result, "impossible");
  // The order has ended: nothing can be returned.
  assert.equal(await answer(db, seller, orderId, "offer", "return"), "no offer");
  assert.equal(await answer(db, seller, orderId, "offer", "refund", "By Friday."), "done");
  assert.equal(await answer(db, buyer, orderId, "accept"), "done");
  assert.equal(await stateOf(db, buyer, orderId), "solved; cancelled, reserved, available, stopped");
  assert.equal(await problemsOf(db, seller), "1 of 1, 0 returned");
  // Nothing came, and the device is sold to somebody else.
  await bookWithoutLimits(db, await addAccount(db), phone.id, { address: "", phone: "" });
  assert.equal(await openProblem(db, buyer, orderId, { ...unpaid, text: "Nothing came." }), "done");
  await answer(db, buyer, orderId, "ask");
  const id = await problemId(db, buyer, orderId);
  assert.equal(await decideProblem(db, moderator, id, { decision: "returned", reason: "?" }), "not now");
  assert.equal(await decideProblem(db, moderator, id, ruling), "done");
  assert.equal(await stateOf(db, buyer, orderId), "refused; cancelled, reserved, reserved, stopped");
  assert.equal(await openProblem(db, buyer, orderId, { ...unpaid, text: "Again." }), "refused before");
  assert.deepEqual(await choices(db, buyer, orderId), []);
};

export const aSellerAsksForTheDeviceOfAnOrderThatEndedAfterItsHandover = async (db: Db) => {
  const { seller, buyer, moderator, phone, orderId } = await ordered(db, "received");
  const kept = { kind: "not returned", text: "Nothing came back." } as const;
  assert.equal(await openProblem(db, seller, orderId, kept), "not now");
  // It was not paid, so only the device is due.
  await openProblem(db, seller, orderId, { kind: "not paid", text: "No money came." });
  await answer(db, seller, orderId, "ask");
  const reason = "Give it back by Friday.";
  await decideProblem(db, moderator, await problemId(db, seller, orderId), { decision: "returned", reason });
  const due = async () => {
    const { isRefundDue, isReturnDue } = (await findOrder(db, buyer, orderId)) ?? {};
    return [isRefundDue, isReturnDue];
  };
  assert.deepEqual(await due(), [false, true]);
  assert.deepEqual(await choices(db, seller, orderId, inDays(29.9)), ["not returned"]);
  assert.deepEqual(await choices(db, seller, orderId, inDays(30.1)), []);
  assert.equal(await openProblem(db, buyer, orderId, kept), "not now");
  assert.equal(await openProblem(db, seller, orderId, kept), "done");
  assert.equal(await changeListing(db, seller, phone.id, { sellingPrice: 30_000 }, []), "saved");
  assert.equal((await findOwnListing(db, seller, phone.id))?.isNotBack, true);
  // What both agree on ends the problem; the order has ended before.
  await answer(db, buyer, orderId, "offer", "return", "I’ll send it on Monday.");
  assert.equal(await answer(db, seller, orderId, "accept"), "done");
  assert.equal(await stateOf(db, buyer, orderId), "solved; cancelled, handed over, available, stopped");
  assert.deepEqual(await due(), [false, false]);
  assert.equal(await openProblem(db, seller, orderId, { ...kept, text: "Again." }), "done");
  await answer(db, buyer, orderId, "ask");
  const id = await problemId(db, seller, orderId);
  assert.equal(await decideProblem(db, moderator, id, { decision: "returned", reason: "?" }), "not now");
  await decideProblem(db, moderator, id, { decision: "refused", reason: "It’s with you." });
  assert.equal(await openProblem(db, seller, orderId, kept), "refused before");
  assert.equal((await findOrderProblem(db, seller, orderId))?.returnedPhoneId, phone.id);
  assert.equal(await listAgain(db, seller, phone), "saved");
};

export const whoListsADeviceAgainHasItBack = async (db: Db) => {
  const kept = { kind: "not returned", text: "Nothing came back." } as const;
  const ended = async () => {
    const all = await ordered(db);
    await cancelOrder(db, await addAccount(db, { userType: "Admin" }), all.orderId, {
      reason: "Both sides asked.",
    });
    assert.equal(await mayLeave(db, all.buyer), false);
    return all;
  };
  const mayLeave = async (db: Db, buyer: Viewer) =>
    (await db.$count(users, mayOweDevice(db, buyer.id))) === 0 &&
    (await db.$count(users, isInOpenProblem(db, buyer.id))) === 0;
  // Listing it again ends what is open about it, whoever decides by then.
  for (const isAsked of [false, true]) {
    const { seller, buyer, moderator, phone, orderId } = await ended();
    assert.equal(await openProblem(db, seller, orderId, kept), "done");
    assert.equal(await openProblem(db, buyer, orderId, unpaid), "done");
    const id = await problemId(db, seller, orderId);
    const ownId = (await findOrderProblem(db, seller, orderId))?.problems.find(
      ({ openedBy }) => openedBy === "seller",
    )?.id;
    if (isAsked) await answerProblem(db, buyer, orderId, { problemId: ownId, answer: "ask", text: "" });
    assert.equal((await findOrderProblem(db, seller, orderId))?.returnedPhoneId, phone.id);
    const twice = await Promise.all([listAgain(db, seller, phone), listAgain(db, seller, phone)]);
    assert.deepEqual(twice, ["saved", "saved"]);
    assert.equal(await isListed(db, phone), true);
    assert.notEqual(id, ownId);
    const [open, own] = (await findOrderProblem(db, seller, orderId))?.problems ?? [];
    // The money is another matter.
    assert.deepEqual([open?.kind, open?.state], ["not refunded", "open"]);
    assert.deepEqual([own?.state, own?.steps.at(-1)?.kind, own?.deadline], ["solved", "closed", null]);
    assert.equal((await newest(db, buyer))?.text, "News on a problem (Nokia G22: listed again).");
    const decision = { decision: "solved", reason: "Give it back." } as const;
    assert.equal(
      await decideProblem(db, moderator, ownId ?? "", decision),
      isAsked ? "not open" : "not found",
    );
    await answer(db, buyer, orderId, "close");
    assert.equal(await mayLeave(db, buyer), true);
    assert.equal(await openProblem(db, seller, orderId, { ...kept, text: "Still." }), "device back");
  }
  // Nobody reports a device that is listed again, booked or sold.
  const { seller, buyer, phone, orderId } = await ended();
  assert.equal(await listAgain(db, seller, phone), "saved");
  const next = await addAccount(db);
  const booking = await bookWithoutLimits(db, next, phone.id, { address: "", phone: "" });
  for (const step of ["reserved", "handed over", "received"] as const) {
    if (step === "handed over") await handleOrderIntent(db, seller, booking.orderId ?? "", "hand over");
    if (step === "received") await handleOrderIntent(db, next, booking.orderId ?? "", "receive");
    assert.equal(await openProblem(db, seller, orderId, kept), "device back", step);
    assert.deepEqual(await choices(db, seller, orderId), []);
    assert.equal(await whyNone(db, seller, orderId), "device back");
    assert.equal(await mayLeave(db, buyer), true);
    assert.equal((await findOrder(db, buyer, orderId))?.isReturnDue, false);
  }
};

export const anOrderThatEndsAfterTheHandoverLeavesBothToGiveBack = async (db: Db) => {
  const { seller, buyer, phone, orderId } = await ordered(db);
  await cancelOrder(db, await addAccount(db, { userType: "Admin" }), orderId, {
    reason: "Both sides asked.",
  });
  assert.equal((await findOrderProblem(db, seller, orderId))?.returnedPhoneId, phone.id);
  const order = await findOrder(db, buyer, orderId);
  assert.deepEqual([order?.isRefundDue, order?.isReturnDue], [true, true]);
  assert.deepEqual(await choices(db, seller, orderId), ["not returned"]);
  assert.deepEqual(await choices(db, buyer, orderId), ["not refunded"]);
  // The email says so, too.
  const [mailed] = await findMailedOrders(db, [orderId]);
  assert.ok(mailed);
  const factsFor = (side: { id: string }) => orderEmailFacts("cancelled", mailed, side.id, false).slice(2);
  const report = "Report it on the order’s page within 30 days.";
  const reason = ["Reason", "Both sides asked."];
  assert.deepEqual(factsFor(buyer), [
    reason,
    [
      "Next step",
      "The seller pays back whatever you’ve paid. If you have the device, give it back to the seller.",
    ],
    ["Not paid back?", report],
  ]);
  assert.deepEqual(factsFor(seller), [
    reason,
    ["Next step", "Pay back whatever the buyer has paid. If the buyer has the device, they give it back."],
    ["Device not back?", report],
  ]);
  const early = {
    ...mailed,
    stage: "reserved",
    isReturnDue: false,
    cancelReason: null,
    isMissed: true,
    goesBackOnSale: true,
  } as const;
  assert.deepEqual(orderEmailFacts("cancelled by system", early, seller.id, false).slice(1), [
    [
      "Reason",
      "We cancelled this order because you didn’t hand it over in time. Your device went back on sale, and your record shows it.",
    ],
    ["Payment", "If the buyer has already paid, pay it back."],
  ]);
  assert.deepEqual(orderEmailFacts("cancelled", early, buyer.id, false).slice(2), [
    ["Payment", "Already paid? The seller pays you back."],
    ["Not paid back?", report],
  ]);
};

export const aReturnedOrderThatIsNotRefundedStaysTheSellersToList = async (db: Db) => {
  const { seller, buyer, moderator, phone, orderId } = await ordered(db);
  await open(db, buyer, orderId);
  await takeBack(db, seller, buyer, orderId);
  assert.equal(await openProblem(db, buyer, orderId, unpaid), "done");
  assert.equal((await findOrderProblem(db, seller, orderId))?.returnedPhoneId, phone.id);
  assert.equal(await listAgain(db, seller, phone), "saved");
  // Moderators see both problems.
  await answer(db, buyer, orderId, "ask");
  const found = await findProblemCase(db, moderator, await problemId(db, buyer, orderId));
  assert.deepEqual(
    found?.others.map(({ kind, state, steps }) => [kind, state, steps.map(({ text }) => text)]),
    [["not as described", "returned", ["The display has a crack.", "Send it back.", ""]]],
  );
  assert.equal(found?.steps[0]?.text, "$300 paid.");
};

export const aProblemGivesTheOrderBackTheTimeThatItTook = async (db: Db) => {
  const { seller, buyer, moderator, orderId } = await ordered(db);
  const left = async () => {
    const deadline = (await findOrder(db, seller, orderId))?.deadline;
    return deadline && Math.round(((Date.parse(deadline) - Date.now()) / dayMs) * 10) / 10;
  };
  assert.equal(await left(), 14);
  await db.update(orderSteps).set({ createdAt: inDays(-9) });
  const openedAgo = (days: number) => db.update(orders).set({ heldSince: inDays(-days) });
  await open(db, buyer, orderId);
  assert.equal(await left(), null);
  await openedAgo(2);
  await answer(db, buyer, orderId, "close");
  assert.equal(await left(), 16);
  await open(db, buyer, orderId);
  await answer(db, seller, orderId, "ask");
  await decideProblem(db, moderator, await problemId(db, buyer, orderId), ruling);
  assert.equal(await left(), 16);
};

export const aSideReportsNoMoreAfterThreeRefusedProblems = async (db: Db) => {
  const { seller, buyer, moderator, orderId } = await ordered(db);
  const report = (text: string) => openProblem(db, buyer, orderId, { kind: "defect", text });
  // What is solved does not count: by agreement, or marked so after an answer, at the moderators, or before any answer.
  for (const end of ["accept", "close"] as const) {
    await report("No sound.");
    await answer(db, seller, orderId, "offer", "repair", "By Friday.");
    assert.equal(await answer(db, buyer, orderId, end), "done");
  }
  await report("No sound, still.");
  await answer(db, seller, orderId, "ask");
  assert.equal(await answer(db, buyer, orderId, "close"), "done");
  for (const text of ["Loud.", "Quiet.", "Loud!", "Quiet!"]) {
    assert.equal(await report(text), "done");
    assert.equal(await answer(db, buyer, orderId, "close"), "done");
  }
  // A defect may show itself again after a refusal.
  for (const text of ["No sound again.", "Still no sound.", "No sound at all."]) {
    assert.equal(await report(text), "done");
    await answer(db, seller, orderId, "ask");
    await decideProblem(db, moderator, await problemId(db, buyer, orderId), ruling);
  }
  assert.equal(await report("It never plays."), "too many");
  assert.deepEqual(await choices(db, buyer, orderId), []);
  assert.equal(await whyNone(db, buyer, orderId), "too many");
  assert.equal(await openProblem(db, seller, orderId, { kind: "not paid", text: "Nothing came." }), "done");
  await answer(db, buyer, orderId, "ask");
  await decideProblem(db, moderator, await problemId(db, buyer, orderId), ruling);
  // Terms and payment are decided for good.
  assert.deepEqual(await choices(db, seller, orderId), ["other terms"]);
  assert.equal(
    await openProblem(db, seller, orderId, { kind: "not paid", text: "Nothing!" }),
    "refused before",
  );
};

export const whoDidNotConfirmCanStillSayThatNothingCame = async (db: Db) => {
  const { buyer, orderId } = await ordered(db);
  await db.update(orders).set({ deadlineAt: new Date(0) });
  await endOverdueOrders(db);
  assert.ok((await choices(db, buyer, orderId))?.includes("not arrived"));
};

export const moderatorsAreToldOnceThatADecisionIsOverdue = async (db: Db) => {
  const { buyer, moderator, orderId } = await ordered(db);
  await open(db, buyer, orderId);
  await answer(db, buyer, orderId, "ask");
  await alertModerators(db, inDays(4.9));
  assert.equal((await listNotifications(db, moderator, null)).rows.length, 0);
  assert.equal((await listWaitingProblems(db, moderator, null, inDays(4.9))).rows[0]?.isOverdue, false);
  for (const days of [5.1, 6.1]) await alertModerators(db, inDays(days));
  const told = (await listNotifications(db, moderator, null)).rows;
  assert.deepEqual(
    told.map(({ text }) => text),
    ["Urgent: overdue order problem, Nokia G22."],
  );
  assert.equal((await listWaitingProblems(db, moderator, null, inDays(5.1))).rows[0]?.isOverdue, true);
  assert.equal((await findOrderProblem(db, buyer, orderId, inDays(5.1)))?.problems[0]?.isOverdue, true);
};

export const aProblemOutlivesTheOtherSide = async (db: Db) => {
  const close = (who: { passwordHash: string | null } & Viewer) =>
    closeAccount(db, who, { passwordHash: who.passwordHash ?? "" });
  // The listing of a returned device goes with its seller.
  const returned = await ordered(db);
  await open(db, returned.buyer, returned.orderId);
  await answer(db, returned.seller, returned.orderId, "offer", "return", "Send it back.");
  await answer(db, returned.buyer, returned.orderId, "accept");
  assert.equal(await close(returned.seller), "closed");
  const found = await findOrderProblem(db, returned.buyer, returned.orderId);
  assert.deepEqual([found?.problems[0]?.state, found?.choices], ["returned", []]);
  // Nobody is left to answer, so the moderators decide at once, and only the buyer is told.
  const { seller, buyer, moderator, orderId } = await ordered(db, "received");
  await setAgo(db, orderId, 31);
  assert.equal(await close(seller), "closed");
  assert.equal(await open(db, buyer, orderId), "done");
  assert.match(await stateOf(db, buyer, orderId), /^with moderators/);
  assert.equal((await newest(db, buyer))?.kind, "problem with moderators");
  assert.equal(await decideProblem(db, moderator, await problemId(db, buyer, orderId), ruling), "done");
  assert.equal(await db.$count(notifications, eq(notifications.userId, seller.id)), 0);
};

export const aDeviceReturnedWhileHiddenCanBeListedAgain = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const decided = (kind: "hide" | "suspend") => ({
    decision: kind,
    reason: "Wrong pictures.",
    days: "7" as const,
  });
  for (const hiddenBy of ["deletion", "hide", "suspend", "removed account"] as const) {
    const { seller, buyer, moderator, phone, orderId } = await ordered(db, "received");
    const hide = {
      deletion: async () => [seller, (await removeListing(db, seller, phone.id)).removalId] as const,
      hide: async () =>
        [admin, (await decide(db, admin, "listing", phone.id, decided("hide"), null)).id] as const,
      suspend: async () =>
        [admin, (await decide(db, admin, "seller", seller.id, decided("suspend"), null)).id] as const,
      "removed account": async () => [admin, await removeUser(db, admin, seller.id)] as const,
    };
    const [undoer, hiding] = await hide[hiddenBy]();
    assert.ok(hiding, hiddenBy);
    await open(db, buyer, orderId);
    if (hiddenBy === "removed account") {
      await decideProblem(db, moderator, await problemId(db, buyer, orderId), {
        ...ruling,
        decision: "returned",
      });
    } else {
      await answer(db, seller, orderId, "offer", "return", "Send it back.");
      await answer(db, buyer, orderId, "accept");
    }
    assert.deepEqual(await findViolations(db), [], hiddenBy);
    assert.equal((await undoWithoutLimits(db, undoer, hiding)).result, "undone", hiddenBy);
    const own = await findOwnListing(db, seller, phone.id);
    assert.deepEqual([own?.status, own?.isReturned], ["available", true], hiddenBy);
    assert.equal(await changeListing(db, seller, phone.id, { listAgain: true }, []), "saved", hiddenBy);
    assert.deepEqual(await findViolations(db), [], hiddenBy);
  }
};

export const theListingOfAnEndedOrderIsKeptWhileThatCanBeReported = async (db: Db) => {
  const { seller, buyer, phone, orderId } = await ordered(db, "received");
  await removeListing(db, seller, phone.id);
  await open(db, buyer, orderId);
  await answer(db, seller, orderId, "offer", "return", "Send it back.");
  await answer(db, buyer, orderId, "accept");
  await db
    .update(orderSteps)
    .set({ createdAt: inDays(10) })
    .where(eq(orderSteps.kind, "returned"));
  await purgeRemovals(db, inDays(31));
  assert.equal(
    await openProblem(db, buyer, orderId, { kind: "not refunded", text: "No." }, inDays(31)),
    "done",
  );
  await answer(db, buyer, orderId, "close");
  await purgeRemovals(db, inDays(41));
  assert.equal(await db.$count(phones), 0);
};

export const whoDidNotPayBooksFromTheSellerOnlyOnceTheyAreLet = async (db: Db) => {
  const { seller, buyer, moderator, phone, orderId } = await ordered(db);
  const [other, ofOthers] = [await addPhone(db, { sellerId: seller.id }), await addPhone(db)];
  const delivery = { address: "", phone: "" };
  const pending = await makeOffer(db, buyer, other.id, { amountCents: 30_000, text: "", formKey: null });
  assert.ok(pending.offerId);
  await openProblem(db, seller, orderId, { kind: "not paid", text: "No money came." });
  await answer(db, seller, orderId, "ask");
  const decision = { decision: "returned", reason: "Nothing was paid." } as const;
  assert.equal((await findProfile(db, buyer)).buyerRecord?.notPaid, 0);
  assert.equal(await decideProblem(db, moderator, await problemId(db, seller, orderId), decision), "done");
  assert.deepEqual((await findProfile(db, buyer)).buyerRecord, { completed: 0, cancelled: 0, notPaid: 1 });
  assert.equal(await listAgain(db, seller, phone), "saved");
  for (const { id } of [phone, other]) {
    const refusal = { reason: "not paid before" };
    assert.deepEqual((await findBookingTerms(db, buyer, id, noLimits)).refusal, refusal);
    assert.deepEqual(await bookWithoutLimits(db, buyer, id, delivery), { refusal });
  }
  const price = { amountCents: 30_000, text: "", formKey: null };
  assert.equal((await makeOffer(db, buyer, phone.id, price)).refusal, "not paid before");
  assert.equal((await answerOffer(db, seller, pending.offerId, "accepted")).refusal, "not paid before");
  // Only this buyer, and only this seller.
  assert.ok((await bookWithoutLimits(db, buyer, ofOthers.id, delivery)).orderId);
  const next = await addAccount(db);
  const booked = (await bookWithoutLimits(db, next, phone.id, delivery)).orderId ?? "";
  // The seller lets them, on the page of that order, whatever has become of its device.
  const page = await findOrder(db, seller, orderId);
  assert.deepEqual([page?.intents, page?.isUnpaid], [["allow rebooking"], true]);
  assert.deepEqual((await findOrder(db, buyer, orderId))?.intents, []);
  assert.equal((await handleOrderIntent(db, buyer, orderId, "allow rebooking")).refusal, "not yours");
  for (const _ of ["once", "again"])
    assert.equal((await handleOrderIntent(db, seller, orderId, "allow rebooking")).refusal, null);
  assert.equal((await newest(db, buyer))?.text, "The seller lets you book again (Nokia G22).");
  assert.deepEqual((await findOrder(db, seller, orderId))?.intents, []);
  assert.ok((await bookWithoutLimits(db, buyer, other.id, delivery)).orderId);
  // What both agreed on was no decision.
  await handleOrderIntent(db, seller, booked, "cancel");
  const agreed = await ordered(db);
  await openProblem(db, agreed.seller, agreed.orderId, { kind: "not paid", text: "No money came." });
  await answer(db, agreed.buyer, agreed.orderId, "offer", "return", "I changed my mind.");
  await answer(db, agreed.seller, agreed.orderId, "accept");
  assert.equal(await listAgain(db, agreed.seller, agreed.phone), "saved");
  assert.ok((await bookWithoutLimits(db, agreed.buyer, agreed.phone.id, delivery)).orderId);
};
