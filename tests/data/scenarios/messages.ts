import assert from "node:assert/strict";
import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import {
  blocks,
  conversationParticipants,
  conversations,
  messages,
  notifications,
  orderSteps,
  orders,
  users,
} from "#app/db/schema.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import {
  blockOtherSide,
  listBlockedPeople,
  unblock,
  unblockOtherSide,
} from "#app/features/messages/blocks.server.ts";
import {
  countUnreadMessages,
  findConversation,
  listConversations,
  markConversationAsRead,
  newestMessageId,
  selectMessages,
} from "#app/features/messages/conversations.server.ts";
import { maxMessagesAnHour } from "#app/features/messages/message.rules.ts";
import {
  findConversationAbout,
  findConversationStart,
  sendFirstMessage,
  sendMessage,
} from "#app/features/messages/send-message.server.ts";
import { sendDueBatch } from "#app/features/notifications/due-emails.server.ts";
import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import { findOrderProblem } from "#app/features/order-problems/order-problem-details.server.ts";
import { answerProblem } from "#app/features/order-problems/order-problems.server.ts";
import { handleOrderIntent } from "#app/features/orders/order-details.server.ts";
import { closeAccount } from "#app/features/profile/account-closing.server.ts";
import { exportAccountData } from "#app/features/profile/account-data.server.ts";
import { dailyLimits } from "#app/server/config/daily-limits.ts";
import type { DueEmail } from "#app/server/mail/due-email.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone, editPhone } from "../../harness/fixtures.ts";

const details = { address: "1 Harbour Street", phone: "12345" };
const written = (text: string, formKey: string | null = null) => ({ text, formKey });

async function people(db: Db) {
  const seller = await addAccount(db, { name: "Sella van Mair", userType: "Seller" });
  const buyer = await addAccount(db, { name: "Bea Lind" });
  const phone = await addPhone(db, { sellerId: seller.id, model: "5" });
  return { seller, buyer, phone };
}

async function conversation(db: Db) {
  const all = await people(db);
  const { buyer, phone } = all;
  const { conversationId } = await sendFirstMessage(
    db,
    buyer,
    { phone: phone.id },
    written("Is it scratched?"),
  );
  assert.ok(conversationId);
  return { ...all, conversationId };
}

type Account = Awaited<ReturnType<typeof addAccount>>;

const textsOf = async (db: Db, viewer: Account, id: string) =>
  (await findConversation(db, viewer, id, null))?.messages.map(({ text }) => text);

export const aBuyerAsksAndTheSellerAnswers = async (db: Db) => {
  const { seller, buyer, phone, conversationId } = await conversation(db);
  assert.deepEqual(await sendMessage(db, seller, conversationId, written("No.\n\n  Not at all.")), {
    conversationId,
  });
  const seen = await findConversation(db, buyer, conversationId, null);
  assert.deepEqual(
    seen?.messages.map(({ text, isOwn }) => [text, isOwn]),
    [
      ["Is it scratched?", true],
      ["No.\n\n  Not at all.", false],
    ],
  );
  assert.deepEqual(
    [seen?.other, seen?.productName, seen?.isSeller, seen?.status, seen?.isRemoved, seen?.refusal],
    ["Sella van Mair", "Fairphone 5", false, "available", false, null],
  );
  const forSeller = await findConversation(db, seller, conversationId, null);
  assert.deepEqual([forSeller?.other, forSeller?.isSeller, forSeller?.unread], ["Bea L.", true, 1]);

  // Asking again continues the conversation.
  const again = await sendFirstMessage(db, buyer, { phone: phone.id }, written("Thanks"));
  assert.deepEqual(again, { conversationId });
  assert.equal(await findConversationAbout(db, buyer, { phone: phone.id }), conversationId);
  assert.deepEqual(await textsOf(db, seller, conversationId), [
    "Is it scratched?",
    "No.\n\n  Not at all.",
    "Thanks",
  ]);
};

export const strangersFindNoConversation = async (db: Db) => {
  const { buyer, conversationId } = await conversation(db);
  for (const userType of ["Buyer", "Seller", "Admin"] as const) {
    const stranger = await addAccount(db, { userType });
    assert.equal(await findConversation(db, stranger, conversationId, null), null);
    assert.deepEqual(await selectMessages(db, stranger, conversationId, null, 10), []);
    assert.deepEqual(await sendMessage(db, stranger, conversationId, written("Hello")), {
      refusal: "not found",
    });
    assert.equal(await markConversationAsRead(db, stranger, conversationId, "ffff"), false);
    assert.equal(await blockOtherSide(db, stranger, conversationId), false);
    assert.equal(await unblockOtherSide(db, stranger, conversationId), false);
    assert.deepEqual((await listConversations(db, stranger, null)).rows, []);
    assert.equal(await newestMessageId(db, stranger), null);
  }
  assert.equal((await textsOf(db, buyer, conversationId))?.length, 1);
};

export const conversationsStartAtWhatIsForSale = async (db: Db) => {
  const { seller, buyer, phone } = await people(db);
  const ask = async (viewer: Account, id: string) =>
    (await sendFirstMessage(db, viewer, { phone: id }, written("Hello"))).refusal;
  const target = { phone: phone.id };
  assert.equal(await ask(seller, phone.id), "own listing");
  assert.equal((await findConversationStart(db, seller, target))?.refusal, "own listing");
  assert.equal((await findConversationStart(db, buyer, target))?.refusal, null);
  assert.equal(await ask(buyer, "nothing"), "not found");
  await editPhone(db, phone.id, { status: "sold" });
  assert.equal(await ask(buyer, phone.id), "sold");
  const removed = await addPhone(db, { hiddenById: "removed" });
  assert.equal(await ask(buyer, removed.id), "not found");
  assert.equal(await findConversationStart(db, buyer, { phone: removed.id }), null);
  assert.equal(await db.$count(conversations), 0);
  assert.equal(await db.$count(messages), 0);
  // Other sellers and administrators may ask too.
  const reserved = await addPhone(db, { status: "reserved" });
  assert.equal(await ask(seller, reserved.id), undefined);
  assert.equal(await ask(await addAccount(db, { userType: "Admin" }), reserved.id), undefined);
};

export const bothSidesOfAnOrderCanStart = async (db: Db) => {
  const { seller, buyer, phone } = await people(db);
  const { orderId } = (await bookWithoutLimits(db, buyer, phone.id, details)) as { orderId: string };
  const target = { order: orderId };
  const stranger = await addAccount(db, { userType: "Admin" });
  assert.equal(await findConversationStart(db, stranger, target), null);
  assert.deepEqual(await sendFirstMessage(db, stranger, target, written("Hello")), { refusal: "not found" });
  const start = await findConversationStart(db, seller, target);
  assert.deepEqual([start?.other, start?.refusal], ["Bea L.", null]);
  assert.equal((await findConversationStart(db, buyer, target))?.other, "Sella van Mair");

  const [one, two] = await Promise.all([
    sendFirstMessage(db, seller, target, written("When may I send it?")),
    sendFirstMessage(db, buyer, target, written("When do you send it?")),
  ]);
  assert.ok(one.conversationId);
  assert.deepEqual(one, two);
  assert.equal((await textsOf(db, buyer, one.conversationId))?.length, 2);
  const seen = await findConversation(db, seller, one.conversationId, null);
  assert.deepEqual([seen?.orderId, seen?.status, seen?.isSeller], [orderId, "reserved", true]);
  // It is the conversation about the listing.
  assert.equal(await findConversationAbout(db, buyer, { phone: phone.id }), one.conversationId);
  assert.equal(await findConversationAbout(db, seller, { phone: phone.id }), null);
  assert.equal(await findConversationAbout(db, stranger, target), null);
};

export const bothSidesOfAnOrderThatEndedAfterItsHandoverCanStart = async (db: Db) => {
  const { seller, buyer, phone } = await people(db);
  const { orderId } = (await bookWithoutLimits(db, buyer, phone.id, details)) as { orderId: string };
  const target = { order: orderId };
  await handleOrderIntent(db, seller, orderId, "hand over");
  await handleOrderIntent(db, await addAccount(db, { userType: "Admin" }), orderId, "cancel", {
    reason: "Both sides asked.",
  });
  const isOpen = async () => [
    (await findOrderProblem(db, buyer, orderId))?.isOpenToMessages,
    (await findConversationStart(db, seller, target)) !== null,
  ];
  const endedAgo = (days: number) =>
    db
      .update(orderSteps)
      .set({ createdAt: new Date(Date.now() - days * dayMs) })
      .where(eq(orderSteps.kind, "cancelled"));
  await endedAgo(29.9);
  assert.deepEqual(await isOpen(), [true, true]);
  await openProblem(db, buyer, orderId, { kind: "not refunded", text: "$300 paid." });
  await endedAgo(30.1);
  assert.deepEqual(await isOpen(), [true, true]);
  await answerProblem(db, buyer, orderId, { answer: "close", text: "" });
  assert.deepEqual(await isOpen(), [false, false]);
  assert.deepEqual(await sendFirstMessage(db, buyer, target, written("Hello?")), { refusal: "not found" });
  await endedAgo(29.9);
  assert.ok((await sendFirstMessage(db, buyer, target, written("Where do I send it?"))).conversationId);
  // Before a handover, nothing goes back. The conversation stays.
  await db.update(orders).set({ stage: "reserved" });
  assert.deepEqual(await isOpen(), [true, false]);
};

export const firstMessagesAtOnceMakeOneConversation = async (db: Db) => {
  const { buyer, phone } = await people(db);
  const other = await addPhone(db);
  const key = crypto.randomUUID();
  const send = (formKey: string, id = phone.id) =>
    sendFirstMessage(db, buyer, { phone: id }, written("Is it scratched?", formKey));
  const outcomes = await Promise.all([send(key), send(key), send(crypto.randomUUID())]);
  const ids = new Set(outcomes.map(({ conversationId }) => conversationId));
  assert.equal(ids.size, 1);
  assert.equal(await db.$count(conversations), 1);
  assert.equal(await db.$count(messages), 2);
  assert.equal(await db.$count(conversationParticipants), 2);
  // The key of a message that was sent starts no conversation about another listing.
  assert.deepEqual(await send(key, other.id), outcomes[0]);
  assert.equal(await db.$count(conversations), 1);
};

export const messagesSentTwiceAreStoredOnce = async (db: Db) => {
  const { buyer, conversationId } = await conversation(db);
  const key = crypto.randomUUID();
  const send = () => sendMessage(db, buyer, conversationId, written("Hello?", key));
  assert.deepEqual(await Promise.all([send(), send()]), [{ conversationId }, { conversationId }]);
  assert.deepEqual(await textsOf(db, buyer, conversationId), ["Is it scratched?", "Hello?"]);
};

export const readingMarksWhatWasShown = async (db: Db) => {
  const { seller, buyer, conversationId } = await conversation(db);
  await sendMessage(db, buyer, conversationId, written("Are you there?"));
  assert.equal(await countUnreadMessages(db, seller), 2);
  assert.equal(await countUnreadMessages(db, buyer), 0);
  assert.equal((await listConversations(db, seller, null)).rows[0]?.unread, 2);
  const shown = (await findConversation(db, seller, conversationId, null))?.messages;
  // The third comes while the seller reads.
  await sendMessage(db, buyer, conversationId, written("Hello?"));
  assert.equal(await markConversationAsRead(db, seller, conversationId, shown?.at(-1)?.id ?? ""), true);
  assert.equal(await countUnreadMessages(db, seller), 1);
  await sendMessage(db, seller, conversationId, written("Yes"));
  assert.equal(await countUnreadMessages(db, seller), 1);
  // Opening the conversation marks it while the badges are counted.
  assert.equal(await countUnreadMessages(db, seller, `/manage/messages/${conversationId}`), 0);
  assert.equal(await countUnreadMessages(db, seller, "/manage/messages/other"), 1);
  assert.equal(
    await markConversationAsRead(db, seller, conversationId, (await newestMessageId(db, seller)) ?? ""),
    true,
  );
  assert.equal(await countUnreadMessages(db, seller), 0);
  assert.equal(await countUnreadMessages(db, buyer), 1);
};

export const whatWasReadStaysRead = async (db: Db) => {
  const { seller, buyer, conversationId } = await conversation(db);
  const another = await conversation(db);
  await sendMessage(db, buyer, conversationId, written("Hello?"));
  const [first, last] = (await selectMessages(db, seller, conversationId, null, 9)).toReversed();
  const [foreign] = await selectMessages(db, another.seller, another.conversationId, null, 1);
  for (const id of ["0", "not-an-id", "ffff", foreign?.id ?? ""]) {
    assert.equal(await markConversationAsRead(db, seller, conversationId, id), false);
  }
  assert.equal(await countUnreadMessages(db, seller), 2);
  const unreadNotifications = and(eq(notifications.userId, seller.id), isNull(notifications.readAt));
  assert.equal(await db.$count(notifications, unreadNotifications), 1);
  assert.equal(await markConversationAsRead(db, seller, conversationId, last?.id ?? ""), true);
  assert.equal(await markConversationAsRead(db, seller, conversationId, first?.id ?? ""), true);
  assert.equal(await countUnreadMessages(db, seller), 0);
};

export const messagesThatAreReadSoonGetNoEmail = async (db: Db) => {
  const { seller, buyer, conversationId } = await conversation(db);
  await db.update(users).set({ emailVerifiedAt: new Date() });
  const emailsIn = async (minutes: number) => {
    const to: string[] = [];
    const send = async ({ write }: DueEmail) => {
      to.push((await write()).to);
      return true;
    };
    const route = {
      origin: "https://ringback.example",
      secrets: ["a secret of thirty-two characters"],
      send,
    };
    await sendDueBatch(db, route, { now: new Date(Date.now() + minutes * 60_000) });
    return to;
  };
  assert.deepEqual(await emailsIn(4), []);
  assert.deepEqual(await emailsIn(6), [seller.email]);
  await markConversationAsRead(db, seller, conversationId, (await newestMessageId(db, seller)) ?? "");
  await sendMessage(db, buyer, conversationId, written("Hello?"));
  assert.deepEqual(await emailsIn(4), []);
  await markConversationAsRead(db, seller, conversationId, (await newestMessageId(db, seller)) ?? "");
  assert.deepEqual(await emailsIn(6), []);
  const rows = await db.select().from(notifications).orderBy(notifications.id);
  assert.deepEqual(
    rows.map(({ emailOutcome }) => emailOutcome),
    ["sent", "read before"],
  );
};

export const aConversationNotifiesOnceUntilItIsRead = async (db: Db) => {
  const { seller, buyer, conversationId } = await conversation(db);
  await sendMessage(db, buyer, conversationId, written("Are you there?"));
  const of = (viewer: Account) =>
    db
      .select()
      .from(notifications)
      .where(and(eq(notifications.userId, viewer.id), eq(notifications.kind, "message")));
  const [first, ...others] = await of(seller);
  assert.deepEqual(others, []);
  assert.deepEqual([first?.subject, first?.path], ["Fairphone 5", `/manage/messages/${conversationId}`]);
  assert.deepEqual(await of(buyer), []);
  await markConversationAsRead(db, seller, conversationId, (await newestMessageId(db, seller)) ?? "");
  assert.equal(await db.$count(notifications, isNull(notifications.readAt)), 0);
  await sendMessage(db, buyer, conversationId, written("One more thing"));
  assert.equal((await of(seller)).length, 2);
};

export const blockedPeopleCannotWrite = async (db: Db) => {
  const { seller, buyer, phone, conversationId } = await conversation(db);
  assert.equal(await blockOtherSide(db, seller, conversationId), true);
  assert.equal(await blockOtherSide(db, seller, conversationId), true);
  const send = (viewer: Account) => sendMessage(db, viewer, conversationId, written("Hello"));
  assert.deepEqual(await send(buyer), { refusal: "unavailable" });
  assert.deepEqual(await send(seller), { refusal: "blocked by you" });
  assert.equal((await findConversation(db, buyer, conversationId, null))?.refusal, "unavailable");
  const other = await addPhone(db, { sellerId: seller.id });
  for (const { id } of [phone, other]) {
    const outcome = await sendFirstMessage(db, buyer, { phone: id }, written("Hello"));
    assert.deepEqual(outcome, { refusal: "unavailable" });
  }
  assert.equal(await db.$count(conversations), 1);
  assert.deepEqual(
    (await listBlockedPeople(db, seller)).map(({ name }) => name),
    ["Bea L."],
  );
  assert.deepEqual(await listBlockedPeople(db, buyer), []);
  // Only the one who has blocked can take it back.
  await unblock(db, buyer, seller.id);
  assert.equal(await unblockOtherSide(db, buyer, conversationId), true);
  assert.deepEqual(await send(buyer), { refusal: "unavailable" });
  assert.equal(await unblockOtherSide(db, seller, conversationId), true);
  assert.deepEqual(await send(buyer), { conversationId });
};

export const aClosedAccountBlocksNobody = async (db: Db) => {
  const { seller, conversationId } = await conversation(db);
  await db.update(users).set({ removalId: "closed" }).where(eq(users.id, seller.id));
  await blockOtherSide(db, seller, conversationId);
  assert.equal(await db.$count(blocks), 0);
};

export const formerMembersCannotBeWrittenTo = async (db: Db) => {
  const { seller, buyer, phone, conversationId } = await conversation(db);
  await db.update(users).set({ removalId: "removed" }).where(eq(users.id, seller.id));
  const seen = await findConversation(db, buyer, conversationId, null);
  assert.deepEqual([seen?.other, seen?.refusal], ["Former member", "unavailable"]);
  assert.equal((await listConversations(db, buyer, null)).rows[0]?.other, "Former member");
  for (const outcome of [
    await sendMessage(db, buyer, conversationId, written("Hello")),
    await sendFirstMessage(db, buyer, { phone: phone.id }, written("Hello")),
  ]) {
    assert.deepEqual(outcome, { refusal: "unavailable" });
  }
};

export const removedAndSoldListingsKeepTheirConversations = async (db: Db) => {
  const { seller, buyer, phone, conversationId } = await conversation(db);
  await editPhone(db, phone.id, { status: "sold" });
  assert.equal((await findConversation(db, buyer, conversationId, null))?.status, "sold");
  assert.deepEqual(await sendFirstMessage(db, buyer, { phone: phone.id }, written("Hello")), {
    conversationId,
  });
  await editPhone(db, phone.id, { status: "available" });
  await removeListing(db, seller, phone.id);
  const seen = await findConversation(db, buyer, conversationId, null);
  assert.deepEqual([seen?.isRemoved, seen?.productName, seen?.messages.length], [true, "Fairphone 5", 2]);
  assert.deepEqual(await sendMessage(db, buyer, conversationId, written("Hello?")), { conversationId });
};

export const accountsHaveLimits = async (db: Db) => {
  const { buyer, seller, conversationId } = await conversation(db);
  const [first] = await db.select().from(messages);
  const filled = Array.from({ length: maxMessagesAnHour - 1 }, (_, count) => ({
    conversationId,
    senderId: buyer.id,
    text: `Message ${count}`,
    createdAt: first?.createdAt,
  }));
  for (let start = 0; start < filled.length; start += 15) {
    await db.insert(messages).values(filled.slice(start, start + 15));
  }
  assert.deepEqual(await sendMessage(db, buyer, conversationId, written("Hello")), {
    refusal: "too many messages",
  });
  assert.deepEqual(await sendMessage(db, seller, conversationId, written("Hello")), { conversationId });
  const minutesAgo = (minutes: number) =>
    db.update(messages).set({ createdAt: new Date(Date.now() - minutes * 60_000) });
  const writeAgain = async () => (await sendMessage(db, buyer, conversationId, written("Hello"))).refusal;
  await minutesAgo(59);
  assert.equal(await writeAgain(), "too many messages");
  await minutesAgo(61);
  assert.equal(await writeAgain(), "too many in conversation");
  await minutesAgo(23 * 60);
  assert.equal(await writeAgain(), "too many in conversation");
  await minutesAgo(24 * 60);
  assert.deepEqual(await sendMessage(db, buyer, conversationId, written("Hello")), { conversationId });

  const asked = Array.from({ length: dailyLimits.MAX_NEW_CONVERSATIONS_A_DAY - 1 }, (_, count) => ({
    phoneId: `phone ${count}`,
    buyerId: buyer.id,
    productName: "Fairphone 5",
  }));
  for (let start = 0; start < asked.length; start += 15) {
    await db.insert(conversations).values(asked.slice(start, start + 15));
  }
  const phone = await addPhone(db);
  assert.deepEqual(await sendFirstMessage(db, buyer, { phone: phone.id }, written("Hello")), {
    refusal: "too many conversations",
  });
};

export const longConversationsHavePages = async (db: Db) => {
  const { buyer, conversationId } = await conversation(db);
  const rows = Array.from({ length: 1000 }, (_, count) => ({
    conversationId,
    senderId: buyer.id,
    text: `Message ${count}`,
  }));
  for (let start = 0; start < rows.length; start += 15) {
    await db.insert(messages).values(rows.slice(start, start + 15));
  }
  const newest = await findConversation(db, buyer, conversationId, null);
  assert.deepEqual(
    [newest?.messages.length, newest?.messages[0]?.text, newest?.messages.at(-1)?.text, newest?.newer],
    [50, "Message 950", "Message 999", null],
  );
  const older = await findConversation(db, buyer, conversationId, { after: newest?.older ?? "" });
  assert.deepEqual([older?.messages[0]?.text, older?.messages.at(-1)?.text], ["Message 900", "Message 949"]);
  const back = await findConversation(db, buyer, conversationId, { before: older?.newer ?? "" });
  assert.deepEqual(back?.messages, newest?.messages);
};

export const conversationsAreSortedByTheirNewestMessage = async (db: Db) => {
  const { seller, buyer, phone, conversationId } = await conversation(db);
  const ids: string[] = [];
  for (let count = 0; count < 27; count += 1) {
    const asking = await addAccount(db, { name: `Asker ${count}` });
    const sent = await sendFirstMessage(db, asking, { phone: phone.id }, written(`Question ${count}`));
    ids.push(sent.conversationId ?? "");
  }
  await sendMessage(db, buyer, conversationId, written("x".repeat(2000)));
  const first = await listConversations(db, seller, null);
  assert.deepEqual(
    [first.rows.length, first.rows[0]?.conversationId, first.rows[0]?.excerpt.length],
    [25, conversationId, 200],
  );
  assert.deepEqual([first.rows[1]?.excerpt, first.rows[1]?.isOwn], ["Question 26", false]);
  const second = await listConversations(db, seller, { after: first.next ?? "" });
  assert.deepEqual(
    second.rows.map((row) => row.conversationId),
    [ids[2], ids[1], ids[0]],
  );
  assert.equal(await countUnreadMessages(db, seller), 29);
};

export const closedAccountsLeaveTheirMessages = async (db: Db) => {
  const { seller, buyer, phone, conversationId } = await conversation(db);
  await sendMessage(db, seller, conversationId, written("No."));
  await blockOtherSide(db, buyer, conversationId);
  const close = (viewer: Account) => closeAccount(db, viewer, { passwordHash: viewer.passwordHash ?? "" });
  assert.equal(await close(seller), "closed");
  const seen = await findConversation(db, buyer, conversationId, null);
  assert.deepEqual(
    [seen?.other, seen?.isRemoved, seen?.productName, seen?.refusal],
    ["Former member", true, "Fairphone 5", "unavailable"],
  );
  assert.deepEqual(
    seen?.messages.map(({ text }) => text),
    ["Is it scratched?", "No."],
  );
  assert.deepEqual(await listBlockedPeople(db, buyer), []);
  assert.equal(await findConversation(db, seller, conversationId, null), null);
  assert.deepEqual(await sendFirstMessage(db, buyer, { phone: phone.id }, written("Hello")), {
    refusal: "unavailable",
  });
  // Nobody can read it any more.
  assert.equal(await close(buyer), "closed");
  assert.equal(await db.$count(messages), 0);
  assert.equal(await db.$count(conversations), 0);
  assert.equal(await db.$count(conversationParticipants), 0);
};

export const dataHasTheConversationsAndTheirMessages = async (db: Db) => {
  const { seller, buyer, conversationId } = await conversation(db);
  await sendMessage(db, seller, conversationId, written("Not at all."));
  await blockOtherSide(db, buyer, conversationId);
  let text = "";
  for await (const part of exportAccountData(db, buyer)) text += part;
  const data = JSON.parse(text);
  const [own] = data.conversations;
  assert.deepEqual([own.id, own.productName, own.with], [conversationId, "Fairphone 5", "Sella van Mair"]);
  assert.equal(data.conversations.length, 1);
  for (const [messages, words] of [
    [data.messagesSent, "Is it scratched?"],
    [data.messagesReceived, "Not at all."],
  ]) {
    assert.deepEqual(
      messages.map((message: typeof own) => [message.conversationId, message.text]),
      [[conversationId, words]],
    );
  }
  assert.equal(data.blockedPeople[0].name, "Sella van Mair");
  assert.ok(!text.includes(seller.email) && !text.includes(seller.id));
};

export const aClosedAccountWritesNothing = async (db: Db) => {
  const { buyer, phone, conversationId } = await conversation(db);
  await db.update(users).set({ removalId: "closed" }).where(eq(users.id, buyer.id));
  const before = await db.$count(messages);
  await sendMessage(db, buyer, conversationId, written("Still there?"));
  await sendFirstMessage(
    db,
    await addAccount(db, { removalId: "closed" }),
    { phone: phone.id },
    written("Hello"),
  );
  assert.deepEqual([await db.$count(messages), await db.$count(conversations)], [before, 1]);
};

export const aConversationHasSoManyMessagesADay = async (db: Db) => {
  const { seller, buyer, conversationId } = await conversation(db);
  const limits = { MAX_MESSAGES_A_DAY: 3, MAX_NEW_CONVERSATIONS_A_DAY: 20 };
  const send = (viewer: Account, text: string, formKey: string | null = null) =>
    sendMessage(db, viewer, conversationId, { text, formKey }, limits);
  const refusal = async () => (await findConversation(db, buyer, conversationId, null, limits))?.refusal;
  await db.delete(messages).where(eq(messages.senderId, buyer.id));
  for (const text of ["One", "Two"]) assert.deepEqual(await send(buyer, text), { conversationId });
  assert.equal(await refusal(), null);
  const key = crypto.randomUUID();
  const outcomes = await Promise.all([send(buyer, "Three", key), send(buyer, "Four"), send(buyer, "Five")]);
  assert.equal(outcomes.filter(({ refusal }) => refusal === "too many in conversation").length, 2);
  assert.equal(await db.$count(messages, eq(messages.senderId, buyer.id)), 3);
  assert.equal(await refusal(), "too many in conversation");
  // The other side can answer, and tomorrow both can.
  assert.deepEqual(await send(seller, "Yes"), { conversationId });
  await db.update(messages).set({ createdAt: new Date(Date.now() - dayMs) });
  assert.deepEqual(await send(buyer, "Six"), { conversationId });
};
