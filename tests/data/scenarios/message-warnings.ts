import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { conversations, messages, payoutAccounts, signals, users } from "#app/db/schema.ts";
import { newHereDays } from "#app/features/accounts/account.rules.ts";
import { blockOtherSide } from "#app/features/messages/blocks.server.ts";
import { findConversation, listConversations } from "#app/features/messages/conversations.server.ts";
import { sendFirstMessage, sendMessage } from "#app/features/messages/send-message.server.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { reportContent, reportedMessages } from "#app/features/moderation/reports/content-reports.server.ts";
import { searchSignals } from "#app/features/moderation/signals/signal-search.server.ts";
import { findSignals } from "#app/features/moderation/signals/signals.server.ts";
import { counterOffer, makeOffer } from "#app/features/orders/offers.server.ts";
import { cancelOrder, handOver, recordReceipt } from "#app/features/orders/order-steps.server.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";

const details = { address: "1 Harbour Street", phone: "12345" };
const written = (text: string, confirmed: string[] = [], formKey: string | null = null) => ({
  text,
  confirmed,
  formKey,
});
const phoneNumber = "Call me at 512-555-0147";
const giftCard = "I can pay with a gift card";

async function people(db: Db) {
  const seller = await addAccount(db, { name: "Sella Mair", userType: "Seller" });
  const buyer = await addAccount(db, { name: "Bea Lind" });
  const phone = await addPhone(db, { sellerId: seller.id });
  return { seller, buyer, phone };
}

async function conversation(db: Db) {
  const all = await people(db);
  const { conversationId = "" } = await sendFirstMessage(
    db,
    all.buyer,
    { phone: all.phone.id },
    written("Is it scratched?"),
  );
  return { ...all, conversationId };
}

type Account = Awaited<ReturnType<typeof addAccount>>;

const warningsOf = async (db: Db, viewer: Account, id: string) =>
  (await findConversation(db, viewer, id, null))?.messages.map(({ warning }) => warning);

export const aSenderIsAskedOnceAboutEachWarning = async (db: Db) => {
  const { seller, buyer, phone, conversationId } = await conversation(db);
  const asked = async (text: string, confirmed?: string[]) =>
    (await sendMessage(db, buyer, conversationId, written(text, confirmed))).question?.asked;
  assert.deepEqual(await asked(giftCard), ["gift card"]);
  assert.equal(await db.$count(messages), 1);
  // What is added is asked about, too; what was asked is not.
  const both = `${giftCard}. ${phoneNumber}`;
  assert.deepEqual(await asked(both, ["gift card"]), ["contact"]);
  assert.equal(await asked(both, ["gift card", "contact"]), undefined);
  assert.equal(await db.$count(messages), 2);
  assert.equal(await asked("Is it still available?"), undefined);

  const [first, risky, last] = (await warningsOf(db, seller, conversationId)) ?? [];
  assert.match(risky ?? "", /gift cards/);
  assert.deepEqual([first, last], [null, null]);
  // Their own are not explained to the sender, and a hidden one shows nothing.
  assert.deepEqual(await warningsOf(db, buyer, conversationId), [null, null, null]);
  const moderator = await addAccount(db, { userType: "Admin" });
  const [message] = await db.select().from(messages).where(eq(messages.text, both));
  const report = { reason: "fraud", details: "" } as const;
  await reportContent(db, seller, "message", message?.id ?? "", report);
  assert.deepEqual(await reportedMessages(db, seller, conversationId), [message?.id]);
  assert.deepEqual(await reportedMessages(db, buyer, conversationId), []);
  const hide = { decision: "hide", reason: "It is fraud.", days: "7" } as const;
  await decide(db, moderator, "message", message?.id ?? "", hide, null);
  assert.deepEqual(await warningsOf(db, seller, conversationId), [null, null, null]);

  // A first message is one, too; who is refused anyway is not asked.
  const other = await addAccount(db);
  const start = (text: string, confirmed?: string[]) =>
    sendFirstMessage(db, other, { phone: phone.id }, written(text, confirmed));
  assert.deepEqual((await start(giftCard)).question?.asked, ["gift card"]);
  assert.equal(await db.$count(conversations), 1);
  assert.ok((await start(giftCard, ["gift card"])).conversationId);
  await blockOtherSide(db, seller, conversationId);
  assert.equal((await sendMessage(db, buyer, conversationId, written(giftCard))).refusal, "unavailable");
};

export const aRepeatedMessageThatWasConfirmedIsSentOnce = async (db: Db) => {
  const { buyer, conversationId } = await conversation(db);
  const message = written(giftCard, ["gift card"], crypto.randomUUID());
  const sent = await Promise.all([1, 2, 3].map(() => sendMessage(db, buyer, conversationId, message)));
  assert.deepEqual(sent, [{ conversationId }, { conversationId }, { conversationId }]);
  // Nor is the sender asked again, as by the form of a page that was gone back to.
  const again = written(giftCard, [], message.formKey);
  assert.deepEqual(await sendMessage(db, buyer, conversationId, again), { conversationId });
  assert.equal(await db.$count(messages), 2);
};

export const contactDetailsAreOrdinaryBetweenTheSidesOfAnOrder = async (db: Db) => {
  const { seller, buyer, phone, conversationId } = await conversation(db);
  const asked = async (viewer: Account) =>
    (await sendMessage(db, viewer, conversationId, written(phoneNumber))).question?.asked;
  assert.deepEqual(await asked(seller), ["contact"]);
  const booking = await bookWithoutLimits(db, buyer, phone.id, details);
  assert.ok(booking.orderId);
  for (const viewer of [seller, buyer]) assert.equal(await asked(viewer), undefined);
  assert.deepEqual(await warningsOf(db, buyer, conversationId), [null, null, null]);

  // The lines follow the order: a cancellation and its Undo.
  const { removalId = "" } = await cancelOrder(db, buyer, booking.orderId);
  assert.deepEqual(await asked(seller), ["contact"]);
  assert.match((await warningsOf(db, buyer, conversationId))?.at(1) ?? "", /until it’s booked/);
  assert.equal((await undoWithoutLimits(db, buyer, removalId)).result, "undone");
  assert.equal(await asked(seller), undefined);
};

export const payingOutsideIsWarnedOfWhereThePaymentIsProtected = async (db: Db) => {
  const { seller, buyer, phone, conversationId } = await conversation(db);
  const cash = "Can I pay cash?";
  const ask = async () => (await sendMessage(db, buyer, conversationId, written(cash))).question;
  assert.equal(await ask(), undefined);
  await db
    .insert(payoutAccounts)
    .values({ userId: seller.id, accountId: "account", state: "ready", updatedAt: new Date() });
  assert.deepEqual((await ask())?.asked, ["payment"]);
  assert.match((await warningsOf(db, seller, conversationId))?.at(1) ?? "", /Pay only on Ringback/);
  // An order that was booked without protection stays so.
  await bookWithoutLimits(db, buyer, phone.id, details);
  assert.equal(await ask(), undefined);
};

export const theSellerOfTheListingDecidesWhetherPaymentIsProtected = async (db: Db) => {
  // Whichever of the two is stored first.
  for (const isFirst of [true, false]) {
    const [one, other] = [await people(db), await people(db)];
    const [paid, unpaid] = isFirst ? [one, other] : [other, one];
    await db
      .insert(payoutAccounts)
      .values({ userId: paid.seller.id, accountId: paid.seller.id, state: "ready", updatedAt: new Date() });
    for (const { buyer, seller, phone, expected } of [
      { ...paid, expected: ["payment"] },
      { ...unpaid, expected: undefined },
    ]) {
      const cash = written("Can I pay cash?");
      const offered = await makeOffer(db, await addAccount(db), phone.id, { amountCents: 30_000, ...cash });
      assert.deepEqual(offered.question?.asked, expected);
      const target = { phone: phone.id };
      assert.deepEqual((await sendFirstMessage(db, buyer, target, cash)).question?.asked, expected);
      const { conversationId = "" } = await sendFirstMessage(db, buyer, target, written("Is it scratched?"));
      assert.deepEqual((await sendMessage(db, buyer, conversationId, cash)).question?.asked, expected);
      // Ordinary only where the payment is protected.
      const early = written("I ship it once I see the payment.");
      const asked = (await sendMessage(db, seller, conversationId, early)).question?.asked;
      assert.deepEqual(asked, expected ? undefined : ["payment"]);
    }
  }
};

export const offersAreAskedAboutLikeMessages = async (db: Db) => {
  const { seller, buyer, phone } = await people(db);
  const offer = (confirmed?: string[]) =>
    makeOffer(db, buyer, phone.id, { amountCents: 30_000, ...written(giftCard, confirmed) });
  assert.deepEqual((await offer()).question?.asked, ["gift card"]);
  const { offerId = "" } = await offer(["gift card"]);
  assert.ok(offerId);
  const counter = (viewer: Account, confirmed?: string[]) =>
    counterOffer(db, viewer, offerId, { amountCents: 32_000, ...written(phoneNumber, confirmed) });
  assert.equal((await counter(await addAccount(db))).refusal, "not found");
  assert.deepEqual((await counter(seller)).question?.asked, ["contact"]);
  // Nobody is asked about what is refused anyway.
  const refusal = async (amountCents: number) =>
    (await counterOffer(db, seller, offerId, { amountCents, ...written(phoneNumber) })).refusal;
  assert.deepEqual([await refusal(30_000), await refusal(900_000)], ["counter amount", "counter amount"]);
  assert.equal((await offer()).refusal, "open offer");
  assert.ok((await counter(seller, ["contact"])).offerId);
};

export const repeatedWarningsAreASignal = async (db: Db) => {
  const sender = await addAccount(db);
  const send = async (text: string) =>
    sendFirstMessage(db, sender, { phone: (await addPhone(db)).id }, written(text, ["gift card", "link"]));
  const figures = async () =>
    (await db.select().from(signals).where(eq(signals.targetId, sender.id))).flatMap(({ found }) =>
      found.flatMap(({ kind, figure }) => (kind === "warned messages" ? [figure] : [])),
    );
  for (const text of [giftCard, "Steam cards are fine as well", "Hello", "Is it black?"]) await send(text);
  await send("See shop.example/phones/1");
  await searchSignals(db, new Date(), "shop.example");
  assert.deepEqual(await figures(), []);
  await send("I only have a giftcard");
  await searchSignals(db, new Date(), "shop.example");
  assert.deepEqual(await figures(), [3]);
  // Where the site's own address is not set, a link to it counts.
  await searchSignals(db);
  assert.deepEqual(await figures(), [4]);
  // It stays beside newer signals, when older messages are not read again.
  await db.update(messages).set({ text: "Is it black or rather a dark blue? I cannot tell." });
  await searchSignals(db, new Date(), "shop.example");
  assert.deepEqual(await figures(), [4]);
  const shown = await findSignals(db, "seller", sender.id, sender.id);
  assert.ok(shown.some(({ kind }) => kind === "warned messages"));
};

export const manyOrdinaryMessagesHideNoRepeatedWarnings = async (db: Db) => {
  const sender = await addAccount(db);
  for (let times = 0; times < 3; times += 1)
    await sendFirstMessage(db, sender, { phone: (await addPhone(db)).id }, written(giftCard, ["gift card"]));
  // Newer than these: more people than a run looks at, who may know each other's numbers.
  const seller = await addAccount(db, { userType: "Seller" });
  for (let times = 0; times < 25; times += 1) {
    const buyer = await addAccount(db);
    const phone = await addPhone(db, { sellerId: seller.id });
    const { orderId = "" } = await bookWithoutLimits(db, buyer, phone.id, details);
    await sendFirstMessage(db, buyer, { order: orderId }, written(phoneNumber));
  }
  await searchSignals(db, new Date(), "shop.example");
  const found = await findSignals(db, "seller", sender.id, sender.id);
  assert.ok(found.some(({ kind }) => kind === "warned messages"));
};

export const youngAccountsWithoutACompletedOrderAreNewHere = async (db: Db) => {
  const { seller, buyer, phone, conversationId } = await conversation(db);
  const isNew = async (viewer: Account) => {
    const [listed] = (await listConversations(db, viewer, null)).rows;
    const shown = await findConversation(db, viewer, conversationId, null);
    assert.equal(listed?.otherIsNew, shown?.otherIsNew);
    return shown?.otherIsNew;
  };
  assert.deepEqual([await isNew(buyer), await isNew(seller)], [true, true]);
  const joined = new Date(Date.now() - (newHereDays + 1) * dayMs);
  await db.update(users).set({ createdAt: joined }).where(eq(users.id, seller.id));
  assert.deepEqual([await isNew(buyer), await isNew(seller)], [false, true]);
  await db.update(users).set({ createdAt: new Date() }).where(eq(users.id, seller.id));
  const booking = await bookWithoutLimits(db, buyer, phone.id, details);
  assert.ok(booking.orderId);
  assert.equal(await isNew(buyer), true);
  await handOver(db, seller, booking.orderId);
  await recordReceipt(db, buyer, booking.orderId);
  assert.deepEqual([await isNew(buyer), await isNew(seller)], [false, false]);
  // Who has left is not new.
  await db.update(users).set({ removalId: "gone" }).where(eq(users.id, buyer.id));
  assert.equal(await isNew(seller), false);
};
