import assert from "node:assert/strict";
import { eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt } from "#app/db/conditions.server.ts";
import {
  blocks,
  messages,
  notifications,
  offers,
  orders,
  phones,
  removals,
  sessions,
  users,
} from "#app/db/schema.ts";
import { undoRemovals } from "#app/features/administration/undo.server.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { changeSale } from "#app/features/listings/sale-change.server.ts";
import { blockOtherSide } from "#app/features/messages/blocks.server.ts";
import { findConversation } from "#app/features/messages/conversations.server.ts";
import { sendFirstMessage } from "#app/features/messages/send-message.server.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { sendDueBatch } from "#app/features/notifications/due-emails.server.ts";
import { listNotifications } from "#app/features/notifications/notifications.server.ts";
import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import { answerProblem } from "#app/features/order-problems/order-problems.server.ts";
import { allowRebooking, findBookingTerms } from "#app/features/orders/booking.server.ts";
import { bookingRefusalText } from "#app/features/orders/booking-refusal.ts";
import { notifyOfListingsGone, notifyOfSidesGone } from "#app/features/orders/ended-offers.server.ts";
import { offerIntents, offerRange, offerText } from "#app/features/orders/offer.rules.ts";
import {
  answerOffer,
  counterOffer,
  countWaitingOffers,
  listOffers,
  makeOffer,
  offersInConversation,
  replyToOffer,
  selectOwnOffers,
} from "#app/features/orders/offers.server.ts";
import { findOrder, handleOrderIntent } from "#app/features/orders/order-details.server.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { paymentText } from "#app/features/orders/order-texts.ts";
import { findOwnBooking } from "#app/features/orders/orders.server.ts";
import { closeAccount } from "#app/features/profile/account-closing.server.ts";
import { exportAccountData } from "#app/features/profile/account-data.server.ts";
import { dailyLimits } from "#app/server/config/daily-limits.ts";
import type { DueEmail } from "#app/server/mail/due-email.ts";
import { undoMs } from "#app/terms.ts";
import { bookWithoutLimits, noLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone, editPhone, removeUser } from "../../harness/fixtures.ts";

const details = { address: "1 Harbour Street", phone: "12345" };
const hours = (count: number) => count * 60 * 60_000;

async function people(db: Db) {
  const seller = await addAccount(db, { name: "Sella van Mair", userType: "Seller" });
  const buyer = await addAccount(db, { name: "Bea Lind" });
  const phone = await addPhone(db, { sellerId: seller.id, model: "5", sellingCents: 40_000 });
  return { seller, buyer, phone };
}

type Account = Awaited<ReturnType<typeof addAccount>>;

const offer = (db: Db, buyer: Account, phoneId: string, amountCents = 30_000, text = "") =>
  makeOffer(db, buyer, phoneId, { amountCents, text, formKey: null });

const counter = (db: Db, seller: Account, offerId: string, amountCents: number) =>
  counterOffer(db, seller, offerId, { amountCents, text: "", formKey: null });

async function offered(db: Db, amountCents = 30_000) {
  const all = await people(db);
  const { offerId } = await offer(db, all.buyer, all.phone.id, amountCents);
  assert.ok(offerId);
  return { ...all, offerId };
}

async function accepted(db: Db) {
  const all = await offered(db);
  assert.deepEqual(await answerOffer(db, all.seller, all.offerId, "accepted"), { offerId: all.offerId });
  return all;
}

/** Moves the times of all offers into the past. */
const pass = (db: Db, ms: number) =>
  db.update(offers).set({
    expiresAt: sql`${offers.expiresAt} - ${ms}`,
    usableUntil: sql`${offers.usableUntil} - ${ms}`,
  });

const stateOf = async (db: Db, viewer: Account, offerId: string) =>
  (await selectOwnOffers(db, viewer, null, 100)).find(({ id }) => id === offerId)?.state;

const newest = async (db: Db, viewer: Account) =>
  (await listNotifications(db, viewer, null)).rows[0]?.text ?? "";

/** What the newest negotiation of each side says. */
const textsOf = async (db: Db, ...people: Account[]) => {
  const lists = await Promise.all(people.map((one) => listOffers(db, one, null)));
  return lists.map(({ rows: [row] }) => row && offerText(row, () => "noon"));
};

const kindsFor = async (db: Db, { id }: Account) => {
  const rows = await db
    .select({ kind: notifications.kind })
    .from(notifications)
    .where(eq(notifications.userId, id))
    .orderBy(notifications.id);
  return rows.map(({ kind }) => kind);
};

const priceOf = async (db: Db, orderId: string | undefined) => {
  const [order] = await db
    .select()
    .from(orders)
    .where(eq(orders.id, orderId ?? ""));
  return order?.priceCents;
};

export const anAcceptedOfferIsTheBuyersPrice = async (db: Db) => {
  const { seller, buyer, phone, offerId } = await offered(db);
  const [forSeller] = (await listOffers(db, seller, null)).rows;
  assert.deepEqual(
    [forSeller?.role, forSeller?.state, forSeller?.amountCents, forSeller?.other, forSeller?.intents],
    ["seller", "pending", 30_000, "Bea L.", ["accept", "counter", "refuse"]],
  );
  const [forBuyer] = (await listOffers(db, buyer, null)).rows;
  assert.deepEqual(
    [forBuyer?.role, forBuyer?.other, forBuyer?.intents],
    ["buyer", "Sella van Mair", ["withdraw"]],
  );
  // Until it is accepted, the listing's price holds.
  assert.equal((await findBookingTerms(db, buyer, phone.id, noLimits)).priceCents, 40_000);

  assert.deepEqual(await answerOffer(db, seller, offerId, "accepted"), { offerId });
  assert.equal((await findBookingTerms(db, buyer, phone.id, noLimits)).priceCents, 30_000);
  assert.equal((await findBookingTerms(db, await addAccount(db), phone.id, noLimits)).priceCents, 40_000);
  const { orderId } = await bookWithoutLimits(db, buyer, phone.id, details, { shownCents: 30_000 });
  assert.equal(await priceOf(db, orderId), 30_000);
  assert.equal(await stateOf(db, buyer, offerId), "booked");
  assert.deepEqual(await kindsFor(db, seller), ["offer made", "booked"]);
  assert.deepEqual(await kindsFor(db, buyer), ["offer accepted", "order placed"]);
};

export const aBuyerWhoCancelledWaitsOrIsLetBookAgain = async (db: Db) => {
  const { seller, buyer, phone, offerId } = await accepted(db);
  const { orderId = "" } = await bookWithoutLimits(db, buyer, phone.id, details);
  await cancelOrder(db, buyer, orderId);
  const waitOf = async (who: Account) =>
    (await selectOwnOffers(db, who, null, 100)).find(({ id }) => id === offerId)?.wait;
  const { refusal } = await findBookingTerms(db, buyer, phone.id, noLimits);
  assert.equal(refusal?.reason, "cancelled recently");
  const until = refusal?.reason === "cancelled recently" && new Date(refusal.bookableAfter);
  for (const side of [buyer, seller])
    assert.deepEqual(await waitOf(side), { orderId, until, wasUnpaid: false });
  await allowRebooking(db, seller, orderId);
  for (const side of [buyer, seller]) assert.equal(await waitOf(side), null);
  assert.ok((await bookWithoutLimits(db, buyer, phone.id, details)).orderId);
  assert.equal(await stateOf(db, buyer, offerId), "booked");
};

export const anOfferIsAMessage = async (db: Db) => {
  const { seller, buyer, phone } = await people(db);
  const { offerId = "" } = await offer(db, buyer, phone.id, 30_000, "Cash today?");
  const [{ conversationId } = { conversationId: "" }] = await selectOwnOffers(db, seller, null, 1);
  const seen = await findConversation(db, seller, conversationId, null);
  assert.deepEqual(
    seen?.messages.map(({ id, text, isOwn }) => [id, text, isOwn]),
    [[offerId, "Cash today?", false]],
  );
  assert.equal(seen?.unread, 1);
  assert.match(await newest(db, seller), /^You got an offer for your .+ 5 \(\$300\)\.$/);
  await counter(db, seller, offerId, 35_000);
  assert.match(await newest(db, buyer), /^The seller made a counteroffer for the .+ 5 \(\$350\)\.$/);
  const [{ id: countered } = { id: "" }] = await selectOwnOffers(db, buyer, null, 1);
  await answerOffer(db, buyer, countered, "accepted");
  assert.match(await newest(db, seller), /^Your counteroffer for the .+ 5 \(\$350\) was accepted\.$/);
  const again = await findConversation(db, buyer, conversationId, null);
  assert.deepEqual(
    again?.messages.map(({ text }) => text),
    ["Cash today?", "I could sell it for $350."],
  );
  assert.deepEqual(
    (await offersInConversation(db, buyer, conversationId)).map(({ state, amountCents }) => [
      state,
      amountCents,
    ]),
    [
      ["accepted", 35_000],
      ["countered", 30_000],
    ],
  );
  assert.deepEqual(await offersInConversation(db, await addAccount(db), conversationId), []);
};

export const offersAreAShareOfThePrice = async (db: Db) => {
  const { buyer, phone } = await people(db);
  for (const amount of [19_999, 39_601, 40_000, 50_000]) {
    const range = { lowest: 20_000, highest: 39_600 };
    assert.deepEqual(await offer(db, buyer, phone.id, amount), { refusal: "amount", range });
  }
  assert.equal(await db.$count(messages), 0);
  for (const amount of [20_000, 39_600]) {
    const { offerId = "" } = await offer(db, buyer, phone.id, amount);
    await answerOffer(db, buyer, offerId, "withdrawn");
    assert.equal(await stateOf(db, buyer, offerId), "withdrawn");
  }
};

export const oneOfferAtATimeAndThreeInAll = async (db: Db) => {
  const { seller, buyer, phone } = await people(db);
  const made = await Promise.all([20_000, 21_000, 22_000].map((cents) => offer(db, buyer, phone.id, cents)));
  assert.deepEqual(made.map(({ refusal }) => refusal).toSorted(), ["open offer", "open offer", undefined]);
  const first = made.find(({ offerId }) => offerId)?.offerId ?? "";
  // A counteroffer that waits is open too.
  const { offerId: second = "" } = await counter(db, seller, first, 39_000);
  assert.deepEqual(await offer(db, buyer, phone.id), { refusal: "open offer" });
  await answerOffer(db, buyer, second, "refused");
  const { offerId: third = "" } = await offer(db, buyer, phone.id);
  await answerOffer(db, seller, third, "refused");
  const { offerId: fourth = "" } = await offer(db, buyer, phone.id);
  await pass(db, hours(48));
  assert.equal(await stateOf(db, buyer, fourth), "lapsed");
  assert.deepEqual(await offer(db, buyer, phone.id), { refusal: "used up" });
  // Other devices and other buyers have their own.
  assert.ok((await offer(db, buyer, (await addPhone(db)).id, 30_000)).offerId);
  assert.ok((await offer(db, await addAccount(db), phone.id)).offerId);
  assert.deepEqual(await kindsFor(db, buyer), ["offer countered", "offer refused"]);
};

export const buyersReadThatTheirLastOfferWasDeclined = async (db: Db) => {
  const { seller, buyer, phone } = await people(db);
  for (let made = 0; made < 3; made += 1) {
    const { offerId = "" } = await offer(db, buyer, phone.id);
    await answerOffer(db, seller, offerId, "refused");
  }
  const last = "That was your last offer for this device.";
  const { rows } = await listNotifications(db, buyer, null);
  assert.deepEqual(
    rows.map(({ text }) => text.endsWith(last)),
    [true, false, false],
  );
  const sent: (string | undefined)[] = [];
  const send = async ({ write }: DueEmail) => {
    const { to, text } = await write();
    if (to === buyer.email) sent.push(text);
    return true;
  };
  await sendDueBatch(db, { origin: "https://ringback.example", secrets: ["a secret"], send });
  assert.deepEqual(
    sent.map((text) => text?.includes(last)),
    [false, false, true],
  );
};

export const aRepeatedRequestMakesOneOffer = async (db: Db) => {
  const { seller, buyer, phone } = await people(db);
  const twice = { amountCents: 30_000, text: "", formKey: crypto.randomUUID() };
  const outcomes = await Promise.all([
    makeOffer(db, buyer, phone.id, twice),
    makeOffer(db, buyer, phone.id, twice),
  ]);
  const offerId = outcomes[0].offerId ?? "";
  assert.deepEqual(outcomes, [{ offerId }, { offerId }]);
  const answer = { amountCents: 35_000, text: "", formKey: crypto.randomUUID() };
  const { offerId: countered } = await counterOffer(db, seller, offerId, answer);
  assert.deepEqual(await counterOffer(db, seller, offerId, answer), { offerId: countered });
  assert.equal(await db.$count(offers), 2);
  assert.equal(await db.$count(messages), 2);
};

export const ofTwoAnswersOneHolds = async (db: Db) => {
  const { seller, offerId, buyer } = await offered(db);
  assert.deepEqual(
    await Promise.all([
      answerOffer(db, seller, offerId, "accepted"),
      answerOffer(db, seller, offerId, "accepted"),
    ]),
    [{ offerId }, { offerId }],
  );
  assert.deepEqual(await kindsFor(db, buyer), ["offer accepted"]);
  assert.deepEqual(await answerOffer(db, seller, offerId, "refused"), { refusal: "answered" });
  assert.deepEqual(await counter(db, seller, offerId, 35_000), { refusal: "answered" });
  assert.deepEqual(await answerOffer(db, buyer, offerId, "withdrawn"), { refusal: "answered" });
};

export const takingBackAndAcceptingAtOnce = async (db: Db) => {
  const { seller, buyer, offerId } = await offered(db);
  const outcomes = await Promise.all([
    answerOffer(db, buyer, offerId, "withdrawn"),
    answerOffer(db, seller, offerId, "accepted"),
  ]);
  assert.deepEqual(outcomes.map(({ refusal }) => refusal).toSorted(), ["answered", undefined]);
};

export const onlyTheSideWhoseTurnItIsAnswers = async (db: Db) => {
  const { seller, buyer, offerId } = await offered(db);
  for (const userType of ["Buyer", "Seller", "Admin"] as const) {
    const stranger = await addAccount(db, { userType });
    assert.deepEqual(await answerOffer(db, stranger, offerId, "accepted"), { refusal: "not found" });
    assert.deepEqual(await counter(db, stranger, offerId, 35_000), { refusal: "not found" });
    assert.deepEqual(await selectOwnOffers(db, stranger, null, 10), []);
  }
  assert.deepEqual(await answerOffer(db, buyer, offerId, "accepted"), { refusal: "not yours" });
  assert.deepEqual(await answerOffer(db, buyer, offerId, "refused"), { refusal: "not yours" });
  assert.deepEqual(await answerOffer(db, seller, offerId, "withdrawn"), { refusal: "not yours" });
  assert.deepEqual(await counter(db, buyer, offerId, 35_000), { refusal: "not yours" });
  assert.deepEqual(await answerOffer(db, seller, "nothing", "accepted"), { refusal: "not found" });
};

export const aCounterOfferLiesBetweenOfferAndPrice = async (db: Db) => {
  const { seller, buyer, phone, offerId } = await offered(db);
  for (const amount of [20_000, 30_000, 40_000]) {
    assert.deepEqual(await counter(db, seller, offerId, amount), { refusal: "counter amount" });
  }
  const { offerId: countered = "" } = await counter(db, seller, offerId, 39_999);
  assert.deepEqual(await counter(db, seller, countered, 39_999), { refusal: "not yours" });
  await answerOffer(db, buyer, countered, "accepted");
  assert.deepEqual(await kindsFor(db, seller), ["offer made", "counteroffer accepted"]);
  const { orderId } = await bookWithoutLimits(db, buyer, phone.id, details);
  assert.equal(await priceOf(db, orderId), 39_999);
};

export const nothingIsAnsweredAfterTheTime = async (db: Db) => {
  const { seller, buyer, offerId } = await offered(db);
  await pass(db, hours(48));
  assert.deepEqual(await answerOffer(db, seller, offerId, "accepted"), { refusal: "lapsed" });
  assert.deepEqual(await counter(db, seller, offerId, 35_000), { refusal: "lapsed" });
  assert.deepEqual(await answerOffer(db, buyer, offerId, "withdrawn"), { refusal: "lapsed" });
  const { rows } = await listOffers(db, seller, null);
  assert.deepEqual(
    rows.map(({ state, intents }) => [state, intents]),
    [["lapsed", []]],
  );
};

export const anAcceptedPriceEnds = async (db: Db) => {
  const { buyer, phone, offerId } = await accepted(db);
  await pass(db, hours(24));
  assert.equal(await stateOf(db, buyer, offerId), "unused");
  assert.deepEqual(await bookWithoutLimits(db, buyer, phone.id, details, { shownCents: 30_000 }), {
    refusal: { reason: "price changed", priceCents: 40_000, shownCents: 30_000, wasOffer: true },
  });
  const { orderId } = await bookWithoutLimits(db, buyer, phone.id, details);
  assert.equal(await priceOf(db, orderId), 40_000);
};

export const anAcceptedOfferHoldsNoDevice = async (db: Db) => {
  const { seller, buyer, phone, offerId } = await accepted(db);
  const other = await addAccount(db);
  const outcomes = await Promise.all([
    bookWithoutLimits(db, other, phone.id, details, { shownCents: 40_000 }),
    bookWithoutLimits(db, buyer, phone.id, details, { shownCents: 30_000 }),
  ]);
  const [order, ...more] = await db.select().from(orders);
  assert.deepEqual(more, []);
  assert.equal(outcomes.filter(({ orderId }) => orderId).length, 1);
  assert.equal(order?.priceCents, order?.buyerId === buyer.id ? 30_000 : 40_000);

  // Another buyer's booking lets nobody answer; once it is cancelled, the price holds again.
  const late = await people(db);
  const { offerId: waiting = "" } = await offer(db, late.buyer, late.phone.id);
  const { orderId = "" } = await bookWithoutLimits(db, other, late.phone.id, details);
  for (const answer of ["accepted", "refused"] as const) {
    assert.deepEqual(await answerOffer(db, late.seller, waiting, answer), { refusal: "not for sale" });
  }
  assert.deepEqual(await answerOffer(db, late.buyer, waiting, "withdrawn"), { refusal: "not for sale" });
  assert.deepEqual(await offer(db, await addAccount(db), late.phone.id), { refusal: "not for sale" });
  const sides = [late.buyer, late.seller] as const;
  const first = "Someone else booked it first.";
  assert.deepEqual(await textsOf(db, ...sides), [
    `You offered $300. ${first}`,
    `Bea L. offered $300. ${first}`,
  ]);
  // Nobody failed to answer.
  await pass(db, hours(49));
  const bookedAt = new Date(Date.now() - hours(2));
  await db.update(orders).set({ createdAt: bookedAt }).where(eq(orders.id, orderId));
  const [{ state, intents } = {}] = (await listOffers(db, late.seller, null)).rows;
  assert.deepEqual([state, intents], ["gone", []]);
  await cancelOrder(db, other, orderId);
  assert.equal(await stateOf(db, late.seller, waiting), "lapsed");
  await pass(db, -hours(49));
  assert.deepEqual(await answerOffer(db, late.seller, waiting, "accepted"), { offerId: waiting });
  await bookWithoutLimits(db, await addAccount(db), late.phone.id, details);
  assert.deepEqual(await textsOf(db, late.buyer), [`Agreed at $300. ${first}`]);
  assert.equal(await stateOf(db, seller, offerId), order?.buyerId === buyer.id ? "booked" : "gone");
};

export const whoBooksAtTheListingsPriceNeedsNoAnswer = async (db: Db) => {
  const { seller, buyer, phone, offerId } = await offered(db);
  const { orderId } = await bookWithoutLimits(db, buyer, phone.id, details, { shownCents: 40_000 });
  assert.deepEqual(await textsOf(db, buyer, seller), [
    "You offered $300. Then you booked it at the listed price.",
    "Bea L. offered $300. Then they booked it at the listed price.",
  ]);
  const [row] = (await listOffers(db, buyer, null)).rows;
  assert.deepEqual([row?.id, row?.state, row?.orderId], [offerId, "gone", orderId]);
};

export const theLowestPriceHolds = async (db: Db) => {
  const { buyer, phone } = await accepted(db);
  await editPhone(db, phone.id, { sellingCents: 25_000 });
  assert.equal((await findBookingTerms(db, buyer, phone.id, noLimits)).priceCents, 25_000);
  // What the buyer saw is compared with the price that holds for them.
  assert.deepEqual(await bookWithoutLimits(db, buyer, phone.id, details, { shownCents: 30_000 }), {
    refusal: { reason: "price changed", priceCents: 25_000, shownCents: 30_000, wasOffer: false },
  });
  await editPhone(db, phone.id, { sellingCents: 60_000 });
  const { orderId } = await bookWithoutLimits(db, buyer, phone.id, details, { shownCents: 30_000 });
  assert.equal(await priceOf(db, orderId), 30_000);
};

export const anOfferThatIsNotBelowThePriceIsOnlyTurnedDown = async (db: Db) => {
  const { seller, phone, offerId } = await offered(db);
  await editPhone(db, phone.id, { sellingCents: 30_000 });
  assert.deepEqual((await listOffers(db, seller, null)).rows[0]?.intents, ["refuse"]);
  assert.deepEqual(await answerOffer(db, seller, offerId, "accepted"), { refusal: "price lower" });
  assert.deepEqual(await counter(db, seller, offerId, 31_000), { refusal: "counter amount" });
  assert.deepEqual(await answerOffer(db, seller, offerId, "refused"), { offerId });
};

export const someListingsTakeNoOffers = async (db: Db) => {
  const { seller, buyer, phone } = await people(db);
  assert.deepEqual(await offer(db, seller, phone.id), { refusal: "own listing" });
  assert.deepEqual(await offer(db, buyer, "nothing"), { refusal: "not found" });
  await editPhone(db, phone.id, { offersWelcome: "No" });
  assert.deepEqual(await offer(db, buyer, phone.id), { refusal: "no offers" });
  await editPhone(db, phone.id, { offersWelcome: "Yes" });
  const { offerId = "" } = await offer(db, buyer, phone.id);
  await editPhone(db, phone.id, { offersWelcome: "No" });
  // What was offered before can still be answered.
  assert.deepEqual(await answerOffer(db, seller, offerId, "accepted"), { offerId });
  await editPhone(db, phone.id, { status: "sold" });
  assert.deepEqual(await offer(db, buyer, phone.id), { refusal: "not for sale" });
};

export const offersForARemovedListingEnd = async (db: Db) => {
  const { seller, buyer, phone, offerId } = await offered(db);
  await removeListing(db, seller, phone.id);
  assert.deepEqual(await offer(db, await addAccount(db), phone.id), { refusal: "not found" });
  assert.deepEqual(await answerOffer(db, seller, offerId, "accepted"), { refusal: "not for sale" });
  assert.deepEqual(await answerOffer(db, buyer, offerId, "withdrawn"), { refusal: "not for sale" });
  assert.deepEqual(await textsOf(db, buyer), [
    "You offered $300. The device isn’t for sale right now. If it’s back by noon, the offer holds again.",
  ]);
  await db.update(removals).set({ createdAt: new Date(Date.now() - undoMs) });
  assert.deepEqual(await textsOf(db, buyer), ["You offered $300. Then the listing was taken down."]);
};

export const aBarredBuyerIsPromisedNoReturn = async (db: Db) => {
  const { seller, buyer, phone } = await offered(db);
  await changeSale(db, seller, [phone.id], "pause");
  const [{ conversationId } = { conversationId: "" }] = await selectOwnOffers(db, seller, null, 1);
  await blockOtherSide(db, seller, conversationId);
  assert.deepEqual(await textsOf(db, buyer), ["You offered $300. Then the listing was taken down."]);
};

export const acceptedOffersOutlastAPause = async (db: Db) => {
  const { seller, buyer, phone, offerId } = await offered(db);
  assert.deepEqual(await answerOffer(db, seller, offerId, "accepted"), { offerId });
  const agreed = (await textsOf(db, buyer))[0];
  assert.match(agreed ?? "", /^Agreed: you can book it for \$300/);
  await changeSale(db, seller, [phone.id], "pause");
  assert.deepEqual(
    await textsOf(db, buyer, seller),
    Array(2).fill(
      "Agreed at $300. The device isn’t for sale right now. If it’s back by noon, the offer holds again.",
    ),
  );
  assert.equal(
    (await bookWithoutLimits(db, buyer, phone.id, { address: "", phone: "" })).refusal?.reason,
    "paused",
  );
  await changeSale(db, seller, [phone.id], "put back");
  assert.equal((await textsOf(db, buyer))[0], agreed);
};

export const blockedPeopleMakeAndAnswerNoOffers = async (db: Db) => {
  const { seller, buyer, phone, offerId } = await offered(db);
  const [{ conversationId } = { conversationId: "" }] = await selectOwnOffers(db, seller, null, 1);
  await blockOtherSide(db, seller, conversationId);
  assert.deepEqual(await answerOffer(db, seller, offerId, "accepted"), { refusal: "blocked by you" });
  assert.deepEqual(await counter(db, seller, offerId, 35_000), { refusal: "blocked by you" });
  // The other side does not learn of the block.
  assert.deepEqual(await answerOffer(db, buyer, offerId, "withdrawn"), { refusal: "unavailable" });
  const another = await addPhone(db, { sellerId: seller.id, sellingCents: 40_000 });
  assert.deepEqual(await offer(db, buyer, another.id), { refusal: "unavailable" });
  await db.update(phones).set({ sellerId: buyer.id }).where(eq(phones.id, phone.id));
  assert.deepEqual(await offer(db, seller, phone.id), { refusal: "blocked by you" });
};

export const offersCountAsQuestions = async (db: Db) => {
  const buyer = await addAccount(db);
  const text = { text: "Hello", formKey: null };
  for (let asked = 0; asked < dailyLimits.MAX_NEW_CONVERSATIONS_A_DAY; asked += 1) {
    await sendFirstMessage(db, buyer, { phone: (await addPhone(db)).id }, text);
  }
  const phone = await addPhone(db, { sellingCents: 40_000 });
  assert.deepEqual(await offer(db, buyer, phone.id), { refusal: "too many conversations" });
  assert.equal(await db.$count(offers), 0);
};

export const offersGoWithAnAccount = async (db: Db) => {
  const { seller, buyer, phone, offerId } = await offered(db);
  const json = async (viewer: Account) => {
    let text = "";
    for await (const part of exportAccountData(db, viewer)) text += part;
    return text;
  };
  assert.deepEqual(
    [JSON.parse(await json(buyer)), JSON.parse(await json(seller))].map(({ offers: [row] }) => [
      row.amount,
      row.by,
      row.byYou,
    ]),
    [
      [300, "buyer", true],
      [300, "buyer", false],
    ],
  );
  const proof = { passwordHash: buyer.passwordHash ?? "" };
  await db.update(users).set({ removalId: "removed" }).where(eq(users.id, buyer.id));
  assert.deepEqual(await answerOffer(db, seller, offerId, "accepted"), { refusal: "unavailable" });
  assert.deepEqual(await offer(db, buyer, phone.id), { refusal: "not found" });
  await db.update(users).set({ removalId: null }).where(eq(users.id, buyer.id));
  assert.equal(await closeAccount(db, buyer, proof), "closed");
  assert.deepEqual(await selectOwnOffers(db, seller, null, 10), []);
  assert.equal(await db.$count(offers), 0);
};

export const anUnusedOfferClaimsNoLaterOrder = async (db: Db) => {
  const { buyer, phone, offerId } = await accepted(db);
  await pass(db, hours(100));
  assert.ok((await bookWithoutLimits(db, buyer, phone.id, details)).orderId);
  assert.equal(await stateOf(db, buyer, offerId), "unused");
};

export const counterOffersOfOnePageAreAllSent = async (db: Db) => {
  const { seller, phone, offerId } = await offered(db);
  const other = await addAccount(db, { name: "Ona Lee" });
  const { offerId: second } = await offer(db, other, phone.id);
  for (const id of [offerId, second ?? ""]) {
    const sent = { amountCents: 35_000, text: "", formKey: "one page" };
    assert.ok((await counterOffer(db, seller, id, sent)).offerId);
    assert.equal(await stateOf(db, seller, id), "countered");
  }
};

export const pagesAllOffersWithTheOpenOnesFirst = async (db: Db) => {
  const { seller, phone } = await offered(db);
  for (let made = 0; made < 26; made += 1) await offer(db, await addAccount(db), phone.id);
  const { offerId: newest = "" } = await offer(db, await addAccount(db), phone.id);
  await answerOffer(db, seller, newest, "refused");
  const first = await listOffers(db, seller, null);
  const second = await listOffers(db, seller, first.next === null ? null : { after: first.next });
  assert.deepEqual(
    [first, second].map(({ rows }) => rows.map(({ state }) => state).join(" ")),
    [Array(25).fill("pending").join(" "), "pending pending refused"],
  );
  assert.equal(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size, 28);
  assert.equal(second.next, null);
  const back = await listOffers(db, seller, { before: second.previous ?? "" });
  assert.deepEqual(back.rows, first.rows);
};

export const aNegotiationIsOneRowAndCountsForWhoHasToAnswer = async (db: Db) => {
  const { seller, buyer, phone, offerId } = await offered(db);
  const waiting = async () => [await countWaitingOffers(db, seller), await countWaitingOffers(db, buyer)];
  assert.deepEqual(await waiting(), [1, 0]);
  await counter(db, seller, offerId, 35_000);
  assert.deepEqual(await waiting(), [0, 1]);
  for (const who of [seller, buyer]) {
    const { rows } = await listOffers(db, who, null);
    assert.deepEqual(
      rows.map(({ side, amountCents, state }) => [side, amountCents, state]),
      [["seller", 35_000, "pending"]],
    );
  }
  // Nobody can answer once the device is booked.
  await bookWithoutLimits(db, await addAccount(db), phone.id, details);
  assert.deepEqual(await waiting(), [0, 0]);
};

async function addSession(db: Db, { id: userId }: Account) {
  const id = crypto.randomUUID();
  await db.insert(sessions).values({ id, userId, expiresAt: new Date(Date.now() + hours(1)) });
  return id;
}

/** A block is written down as the page does it. */
const block = (db: Db, by: Account, of: Account) =>
  db.insert(blocks).values({ blockerId: by.id, blockedId: of.id });

export const aBlockRefusesBookingsAndOffersInBothDirections = async (db: Db) => {
  for (const by of ["buyer", "seller"] as const) {
    const { seller, buyer, phone, offerId } = await accepted(db);
    const pendingPhone = await addPhone(db, { sellerId: seller.id, model: "6", sellingCents: 40_000 });
    const pending = (await offer(db, buyer, pendingPhone.id)).offerId ?? "";
    await block(db, by === "buyer" ? buyer : seller, by === "buyer" ? seller : buyer);
    // Who has blocked is told so; to the other it reads like any device that cannot be booked.
    const reason = by === "buyer" ? "blocked by you" : "unavailable";
    const terms = await findBookingTerms(db, buyer, phone.id, noLimits);
    assert.deepEqual(terms.refusal, { reason });
    const booking = await bookWithoutLimits(db, buyer, phone.id, details);
    assert.deepEqual(booking, { refusal: { reason } });
    assert.equal(bookingRefusalText({ reason: "unavailable" }), "You can’t book this device right now.");
    const session = await addSession(db, buyer);
    assert.equal((await findOwnBooking(db, session, phone.id)).bar, reason);
    assert.equal((await offer(db, buyer, pendingPhone.id)).refusal, reason);
    // What is offered is what is accepted.
    for (const viewer of [buyer, seller]) {
      const shown = (await listOffers(db, viewer, null)).rows;
      assert.deepEqual(
        shown.map(({ state, intents, isBarred }) => [state, intents, isBarred]),
        [
          ["pending", [], true],
          ["accepted", [], true],
        ],
      );
      for (const answer of ["accepted", "refused", "withdrawn"] as const)
        assert.ok((await answerOffer(db, viewer, pending, answer)).refusal, answer);
    }
    assert.equal(await countWaitingOffers(db, seller), 0);
    assert.match(
      (await textsOf(db, seller))[0] ?? "",
      /^Bea L\. offered \$300\. It can’t be answered right now\.$/,
    );
    const shown = (await listOffers(db, buyer, null)).rows.find(({ id }) => id === offerId);
    assert.equal(
      shown && offerText(shown, () => "noon"),
      "Agreed at $300 until noon, but it can’t be booked right now.",
    );
    // Others book it, and so does the buyer once nobody blocks.
    await db.delete(blocks);
    assert.ok((await bookWithoutLimits(db, buyer, phone.id, details)).orderId);
  }
};

export const whatIsOfferedForAnOfferIsWhatIsAccepted = async (db: Db) => {
  const administrator = await addAccount(db, { userType: "Admin" });
  const suspend = (who: Account) =>
    decide(db, administrator, "seller", who.id, { decision: "suspend", reason: "Fraud.", days: "7" }, null);
  type Deal = Awaited<ReturnType<typeof offered>>;
  const events: Record<string, (deal: Deal) => Promise<unknown>> = {
    nothing: async () => null,
    "the buyer is suspended": ({ buyer }) => suspend(buyer),
    "the seller is suspended": ({ seller }) => suspend(seller),
    "the buyer is deleted": ({ buyer }) => removeUser(db, administrator, buyer.id),
    "the seller is deleted": ({ seller }) => removeUser(db, administrator, seller.id),
    "the buyer blocks": ({ buyer, seller }) => block(db, buyer, seller),
    "the seller blocks": ({ buyer, seller }) => block(db, seller, buyer),
    "somebody books": async ({ phone }) => bookWithoutLimits(db, await addAccount(db), phone.id, details),
    "the listing is deleted": ({ seller, phone }) => removeListing(db, seller, phone.id),
    "the price is lowered": ({ phone }) => editPhone(db, phone.id, { sellingCents: 20_000 }),
    "the time is over": () => pass(db, hours(49)),
  };
  const open: Record<string, string[]> = {
    "nothing, buyer, by buyer": ["withdraw"],
    "nothing, seller, by buyer": ["accept", "counter", "refuse"],
    "nothing, buyer, by seller": ["accept", "refuse"],
    "nothing, seller, by seller": ["withdraw"],
    "the price is lowered, buyer, by buyer": ["withdraw"],
    "the price is lowered, seller, by buyer": ["refuse"],
    "the price is lowered, buyer, by seller": ["refuse"],
    "the price is lowered, seller, by seller": ["withdraw"],
  };
  for (const [event, happen] of Object.entries(events)) {
    for (const side of ["buyer", "seller"] as const) {
      const deal = async () => {
        const all = await offered(db);
        const offerId =
          side === "buyer"
            ? all.offerId
            : ((await counter(db, all.seller, all.offerId, 35_000)).offerId ?? "");
        await happen(all);
        return { ...all, offerId };
      };
      let { buyer, seller, offerId } = await deal();
      for (const role of ["buyer", "seller"] as const) {
        const who = () => (role === "buyer" ? buyer : seller);
        const what = `${event}, ${role}, by ${side}`;
        const shown = (await selectOwnOffers(db, who(), null, 100)).find(({ id }) => id === offerId);
        assert.deepEqual(shown?.intents, open[what] ?? [], what);
        const counting = shown?.intents.includes("accept") || shown?.intents.includes("refuse") ? 1 : 0;
        assert.equal(await countWaitingOffers(db, who()), counting, what);
        for (const intent of offerIntents) {
          const reply = { amountCents: side === "buyer" ? 36_000 : 37_000, text: "", formKey: null };
          const { refusal } = await replyToOffer(db, who(), offerId, intent, reply);
          assert.equal(refusal === undefined, shown?.intents.includes(intent), `${what}: ${intent}`);
          if (!refusal) ({ buyer, seller, offerId } = await deal());
        }
      }
    }
  }
};

export const aSuspensionOfTheBuyerLetsAnOfferRest = async (db: Db) => {
  const administrator = await addAccount(db, { userType: "Admin" });
  const { seller, buyer, phone, offerId } = await accepted(db);
  const other = await addPhone(db, { sellerId: seller.id, model: "6", sellingCents: 40_000 });
  const pending = (await offer(db, buyer, other.id)).offerId ?? "";
  const suspension = { decision: "suspend", reason: "Fraud.", days: "7" } as const;
  const { id: decisionId } = await decide(db, administrator, "seller", buyer.id, suspension, null);
  // Nobody but the buyer learns of it.
  assert.deepEqual(await answerOffer(db, seller, pending, "accepted"), { refusal: "unavailable" });
  // Also where the suspension comes between the guard and the offer.
  const third = await addPhone(db, { sellerId: seller.id, model: "7", sellingCents: 40_000 });
  assert.deepEqual(await offer(db, buyer, third.id), { refusal: "unavailable" });
  assert.deepEqual(await textsOf(db, seller, buyer), [
    "Bea L. offered $300. It can’t be answered right now.",
    "You offered $300. It can’t be answered right now.",
  ]);
  const { rows } = await listOffers(db, seller, null);
  const agreed = rows.find(({ id }) => id === offerId);
  assert.equal(
    agreed && offerText(agreed, () => "noon"),
    "Agreed at $300 until noon, but it can’t be booked right now.",
  );
  assert.equal((await findOwnBooking(db, await addSession(db, buyer), phone.id)).bar, "suspended");
  // Both hold again once it ends in time.
  await undoRemovals(db, administrator, [decisionId ?? ""], noLimits);
  assert.deepEqual(await answerOffer(db, seller, pending, "accepted"), { offerId: pending });
  assert.equal(await priceOf(db, (await bookWithoutLimits(db, buyer, phone.id, details)).orderId), 30_000);
};

export const aBlockLeavesAnOrderAsItIs = async (db: Db) => {
  const { seller, buyer, phone } = await people(db);
  const { orderId = "" } = await bookWithoutLimits(db, buyer, phone.id, details);
  const pays = async (viewer: Account) => {
    const order = await findOrder(db, viewer, orderId);
    return order ? paymentText(order.role, order) : "";
  };
  const administrator = await addAccount(db, { userType: "Admin" });
  for (const viewer of [buyer, seller, administrator]) assert.match(await pays(viewer), /in Messages\.$/);
  await block(db, buyer, seller);
  const report = "You can’t message each other. If you need to agree on the payment, report a problem";
  for (const viewer of [buyer, seller]) assert.ok((await pays(viewer)).includes(report));
  await block(db, seller, buyer);
  await openProblem(db, buyer, orderId, { kind: "other terms", text: "Cash only." });
  for (const viewer of [buyer, seller]) assert.match(await pays(viewer), /on the problem’s page\.$/);
  assert.match(await pays(administrator), /before it ships\.$/);
  await answerProblem(db, buyer, orderId, { answer: "close", text: "" });
  assert.equal((await handleOrderIntent(db, seller, orderId, "hand over")).refusal, null);
  assert.equal((await handleOrderIntent(db, buyer, orderId, "receive")).refusal, null);
  // A buyer who cancelled is not let to book again what a block refuses.
  const other = await addPhone(db, { sellerId: seller.id });
  await db.delete(blocks);
  const cancelled = (await bookWithoutLimits(db, buyer, other.id, details)).orderId ?? "";
  await cancelOrder(db, buyer, cancelled);
  assert.deepEqual((await findOrder(db, seller, cancelled))?.intents, ["allow rebooking"]);
  await block(db, buyer, seller);
  assert.deepEqual((await findOrder(db, seller, cancelled))?.intents, []);
  assert.equal((await allowRebooking(db, seller, cancelled)).refusal, "nothing to allow");
};

export const aCancellationIsNotUndoneOnceSomethingNewerHolds = async (db: Db) => {
  type People = Awaited<ReturnType<typeof people>>;
  const answered = async (
    all: People,
    buyer: Account,
    answer: (id: string) => ReturnType<typeof answerOffer>,
  ) => {
    const { offerId = "" } = await offer(db, buyer, all.phone.id, 20_000);
    assert.ok((await answer(offerId)).offerId);
  };
  const newer: Record<string, (all: People) => Promise<unknown>> = {
    "a booking that has ended": async ({ phone }) => {
      const other = await addAccount(db);
      const { orderId = "" } = await bookWithoutLimits(db, other, phone.id, details);
      assert.equal((await cancelOrder(db, other, orderId)).refusal, null);
    },
    "an offer that was accepted": (all) =>
      answered(all, all.buyer, (id) => answerOffer(db, all.seller, id, "accepted")),
    "an offer of somebody else": async (all) =>
      answered(all, await addAccount(db), (id) => answerOffer(db, all.seller, id, "accepted")),
    "a counteroffer": (all) => answered(all, all.buyer, (id) => counter(db, all.seller, id, 25_000)),
  };
  for (const [what, agree] of Object.entries(newer)) {
    const all = await people(db);
    const { buyer, phone } = all;
    const { orderId = "" } = await bookWithoutLimits(db, buyer, phone.id, details);
    const { removalId = "" } = await cancelOrder(db, buyer, orderId);
    const undo = (id: string) => undoRemovals(db, buyer, [id], noLimits);
    // An offer that nobody has answered is no agreement.
    await offer(db, await addAccount(db), phone.id, 20_000);
    assert.deepEqual(await undo(removalId), { kind: "success", message: "Order Restored" });
    const again = (await cancelOrder(db, buyer, orderId)).removalId ?? "";
    await agree(all);
    const toast = await undo(again);
    assert.equal(toast.kind, "error", what);
    assert.match(toast.message, /since then/, what);
    const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
    assert.equal(order?.status, "cancelled", what);
  }
};

export const whoCannotBookIsNotToldOfAnOfferThatIsLost = async (db: Db) => {
  const administrator = await addAccount(db, { userType: "Admin" });
  const { seller, buyer, phone } = await accepted(db);
  const bars: ((other: Account) => Promise<unknown>)[] = [
    (other) => block(db, other, seller),
    (other) => block(db, seller, other),
    (other) =>
      decide(
        db,
        administrator,
        "seller",
        other.id,
        { decision: "suspend", reason: "Fraud.", days: "7" },
        null,
      ),
  ];
  const barred: Account[] = [];
  for (const bar of bars) {
    const other = await addAccount(db);
    await offer(db, other, phone.id, 31_000);
    await bar(other);
    barred.push(other);
  }
  const before = await Promise.all(barred.map((other) => newest(db, other)));
  await db
    .update(phones)
    .set({ hiddenById: firstIdAt(new Date(0)) })
    .where(eq(phones.id, phone.id));
  // What has been gone for long is no news.
  await notifyOfListingsGone(db);
  assert.notEqual(await newest(db, buyer), "The Fairphone 5 isn’t for sale right now.");
  await db
    .update(phones)
    .set({ hiddenById: firstIdAt(new Date(Date.now() - undoMs - 60_000)) })
    .where(eq(phones.id, phone.id));
  await notifyOfListingsGone(db);
  assert.equal(await newest(db, buyer), "The Fairphone 5 isn’t for sale right now.");
  await db.update(phones).set({ hiddenById: null }).where(eq(phones.id, phone.id));
  assert.ok((await bookWithoutLimits(db, await addAccount(db), phone.id, details)).orderId);
  assert.equal(await newest(db, buyer), "Someone else booked the Fairphone 5.");
  assert.deepEqual(await Promise.all(barred.map((other) => newest(db, other))), before);
};

export const whoHasAnOpenOfferLearnsOnceThatTheListingWasTakenDown = async (db: Db) => {
  const administrator = await addAccount(db, { userType: "Admin" });
  const gone = "The Fairphone 5 isn’t for sale right now.";
  let lastDecisionId = "";
  const decided = async (kind: "listing" | "seller", id: string) => {
    const decision =
      kind === "listing"
        ? ({ decision: "hide", reason: "Wrong photos.", days: "", lastDecisionId } as const)
        : ({ decision: "suspend", reason: "Fraud.", days: "7", lastDecisionId } as const);
    lastDecisionId = (await decide(db, administrator, kind, id, decision, null)).id ?? "";
    return lastDecisionId;
  };
  const takeDown: Record<string, (seller: Account, phoneId: string) => Promise<string | null | undefined>> = {
    deleted: async (seller, phoneId) => (await removeListing(db, seller, phoneId)).removalId,
    hidden: (_, phoneId) => decided("listing", phoneId),
    "its seller suspended": (seller) => decided("seller", seller.id),
  };
  const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  for (const [event, act] of Object.entries(takeDown)) {
    lastDecisionId = "";
    const { seller, buyer, phone } = await accepted(db);
    const [pending, withdrawn] = [await addAccount(db), await addAccount(db)];
    await offer(db, pending, phone.id, 31_000);
    const { offerId = "" } = await offer(db, withdrawn, phone.id, 32_000);
    await answerOffer(db, withdrawn, offerId, "withdrawn");
    const told = async (who: Account) =>
      (await listNotifications(db, who, null)).rows.filter(({ text }) => text === gone).length;
    const takeAway = () => act(seller, phone.id);
    const removalId = await takeAway();
    assert.ok(removalId, event);
    // What is undone in time, nobody hears of.
    await notifyOfListingsGone(db, later(9));
    const by = event === "deleted" ? seller : administrator;
    assert.equal((await undoRemovals(db, by, [removalId], noLimits)).kind, "success", event);
    await notifyOfListingsGone(db, later(11));
    assert.deepEqual([await told(buyer), await told(pending)], [0, 0], event);
    assert.ok(await takeAway(), event);
    for (const minutes of [11, 12, 30]) await notifyOfListingsGone(db, later(minutes));
    assert.deepEqual([await told(buyer), await told(pending), await told(withdrawn)], [1, 1, 0], event);
    assert.equal(await told(seller), 0);
  }
  // An offer that has ended is not open.
  const { buyer, seller, phone } = await accepted(db);
  await removeListing(db, seller, phone.id);
  await notifyOfListingsGone(db, later(25 * 60));
  assert.notEqual(await newest(db, buyer), gone);
};

export const whoHasAnOpenOfferLearnsOnceThatTheOtherSideLeft = async (db: Db) => {
  const administrator = await addAccount(db, { userType: "Admin" });
  const ended = "The offer for the Fairphone 5 has ended because the other person left.";
  const told = async (who: Account) =>
    (await listNotifications(db, who, null)).rows.filter(({ kind }) => kind === "offer ended").length;
  const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  const runJobs = async () => {
    for (const minutes of [11, 12, 30]) {
      await notifyOfListingsGone(db, later(minutes));
      await notifyOfSidesGone(db, later(minutes));
    }
  };
  const leave: Record<string, (who: Account) => Promise<unknown>> = {
    closes: async (who) =>
      assert.equal(await closeAccount(db, who, { passwordHash: who.passwordHash ?? "" }), "closed"),
    "is deleted": async (who) => {
      // What is undone in time, nobody hears of.
      const removalId = (await removeUser(db, administrator, who.id)) ?? "";
      await notifyOfSidesGone(db, later(9));
      assert.equal((await undoRemovals(db, administrator, [removalId], noLimits)).kind, "success");
      await runJobs();
      assert.ok(await removeUser(db, administrator, who.id));
    },
  };
  for (const [how, go] of Object.entries(leave)) {
    for (const leaving of ["seller", "buyer"] as const) {
      const what = `the ${leaving} ${how}`;
      // One offer was accepted, one waits, and one is the seller's.
      const { seller, buyer, phone, offerId } = await accepted(db);
      const [second, third, hidden] = [
        await addPhone(db, { sellerId: seller.id, model: "5", sellingCents: 40_000 }),
        await addPhone(db, { sellerId: seller.id, model: "5", sellingCents: 40_000 }),
        await addPhone(db, { sellerId: seller.id, model: "5", sellingCents: 40_000 }),
      ];
      await offer(db, buyer, second.id);
      await counter(db, seller, (await offer(db, buyer, third.id)).offerId ?? "", 35_000);
      await offer(db, buyer, hidden.id);
      await removeListing(db, seller, hidden.id);
      // Others have an offer that ended, that a block ended, or none with who leaves.
      const [withdrawn, blocked, elsewhere] = [
        await addAccount(db),
        await addAccount(db),
        await addAccount(db),
      ];
      const taken = (await offer(db, withdrawn, phone.id)).offerId ?? "";
      await answerOffer(db, withdrawn, taken, "withdrawn");
      await offer(db, blocked, phone.id);
      await block(db, blocked, seller);
      await offer(db, elsewhere, (await addPhone(db, { sellingCents: 40_000 })).id);
      const [gone, other] = leaving === "seller" ? [seller, buyer] : [buyer, seller];
      await go(gone);
      await runJobs();
      // A listing that is not for sale is no news to its seller, nor to a buyer who was told so.
      assert.equal(await told(other), leaving === "seller" && how === "closes" ? 4 : 3, what);
      assert.equal(await newest(db, other), ended, what);
      for (const nobody of [withdrawn, blocked, elsewhere]) assert.equal(await told(nobody), 0, what);
      assert.equal(await countWaitingOffers(db, other), 0, what);
      assert.ok((await answerOffer(db, other, offerId, "withdrawn")).refusal, what);
    }
  }
};

export const whoHasAnOpenOfferLearnsThatSomeoneElseBooked = async (db: Db) => {
  const { buyer, phone } = await accepted(db);
  const [pending, withdrawn] = [await addAccount(db), await addAccount(db)];
  await offer(db, pending, phone.id, 31_000);
  const { offerId } = await offer(db, withdrawn, phone.id, 32_000);
  await answerOffer(db, withdrawn, offerId ?? "", "withdrawn");
  const { orderId } = await bookWithoutLimits(db, await addAccount(db), phone.id, details);
  assert.ok(orderId);
  const lost = "Someone else booked the Fairphone 5.";
  for (const told of [buyer, pending]) assert.equal(await newest(db, told), lost);
  assert.notEqual(await newest(db, withdrawn), lost);
  // It holds again, and is lost again.
  await cancelOrder(db, { ...buyer, userType: "Admin" }, orderId);
  await bookWithoutLimits(db, await addAccount(db), phone.id, details);
  const all = await listNotifications(db, buyer, null);
  assert.equal(all.rows.filter(({ text }) => text === lost).length, 2);
};

export const anOfferIsAcceptedWhereItIsOffered = async (db: Db) => {
  for (const sellingCents of [100, 101, 150, 199, 200, 250, 300, 10_000]) {
    const { seller } = await people(db);
    const { id } = await addPhone(db, { sellerId: seller.id, sellingCents });
    const refusalOf = async (amountCents: number) =>
      (await offer(db, await addAccount(db), id, amountCents)).refusal;
    const range = offerRange(sellingCents);
    if (!range) {
      assert.equal(await refusalOf(100), "price too low", `${sellingCents}`);
      continue;
    }
    const { lowest, highest } = range;
    const answered = [lowest - 1, lowest, highest, highest + 1].map(refusalOf);
    assert.deepEqual(
      await Promise.all(answered),
      ["amount", undefined, undefined, "amount"],
      `${sellingCents}`,
    );
  }
};
