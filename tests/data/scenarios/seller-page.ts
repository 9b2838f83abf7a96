import assert from "node:assert/strict";
import { and, eq, isNotNull } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import {
  blocks,
  conversations,
  messages,
  offers,
  orderProblems,
  orderSteps,
  orders,
  users,
} from "#app/db/schema.ts";
import { pageSize } from "#app/features/catalog/search/search.server.ts";
import { findSeller } from "#app/features/catalog/seller.server.ts";
import { sendFirstMessage, sendMessage } from "#app/features/messages/send-message.server.ts";
import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import { answerProblem, decideProblem } from "#app/features/order-problems/order-problems.server.ts";
import { answerOffer, makeOffer } from "#app/features/orders/offers.server.ts";
import { endOverdueOrders } from "#app/features/orders/order-deadlines.server.ts";
import { findOrder } from "#app/features/orders/order-details.server.ts";
import { cancelOrder, extend, handOver, undoHandover } from "#app/features/orders/order-steps.server.ts";
import { changeShop, findProfile } from "#app/features/profile/profile.server.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addCopies, addPhone, removeUser } from "../../harness/fixtures.ts";

export const showsASellersListingsAndSales = async (db: Db) => {
  const createdAt = new Date("2025-01-01T00:00:00Z");
  const { id } = await addAccount(db, { userType: "Seller", name: "Ada", verified: true, createdAt });
  await addPhone(db, { sellerId: id, model: "available" });
  await addPhone(db, { sellerId: id, model: "reserved", status: "reserved" });
  await addPhone(db, { sellerId: id, model: "sold", status: "sold" });
  await addPhone(db, { sellerId: id, model: "removed", hiddenById: "some removal" });
  await addPhone(db, { model: "somebody else's" });
  const found = await findSeller(db, id, null);
  assert.ok(found);
  assert.deepEqual(found.seller, {
    id,
    name: "Ada",
    rating: { average: 0, count: 0 },
    record: {
      sales: 1,
      orders: { handedOver: 0, missed: 0, all: 0, withProblem: 0, returned: 0 },
      handoverMs: null,
      questions: { answered: 0, unanswered: 0 },
    },
    shopText: null,
    returnDays: null,
    sellerVerified: true,
    since: "2025-01",
  });
  assert.deepEqual(
    found.phones.map(({ model, status }) => [model, status]),
    [
      ["reserved", "reserved"],
      ["available", "available"],
    ],
  );
  assert.equal(JSON.stringify(found).includes("@"), false);
};

export const countsTheSalesOfASellerWithManyListings = async (db: Db) => {
  const { id } = await addAccount(db, { userType: "Seller" });
  await addPhone(db, { sellerId: id, status: "sold" });
  const newer = await addPhone(db, { sellerId: id });
  await addCopies(
    db,
    newer,
    Array.from({ length: 1000 }, () => ({ id: timeOrderedId() })),
  );
  assert.equal((await findSeller(db, id, null))?.seller.record.sales, 1);
};

export const countsHandoversInTimeAndAnswersWithinADay = async (db: Db) => {
  const [seller, buyer] = [await addAccount(db, { userType: "Seller" }), await addAccount(db)];
  const recordOf = async () => (await findSeller(db, seller.id, null))?.seller.record;
  const ask = async (hoursAgo: number) => {
    const { id } = await addPhone(db, { sellerId: seller.id });
    const question = { text: "Is it still for sale?", formKey: null };
    const { conversationId = "" } = await sendFirstMessage(db, buyer, { phone: id }, question);
    const createdAt = new Date(Date.now() - hoursAgo * 3_600_000);
    await db.update(conversations).set({ createdAt }).where(eq(conversations.id, conversationId));
    return conversationId;
  };
  const ordered = async () => {
    const { id } = await addPhone(db, { sellerId: seller.id });
    return (await bookWithoutLimits(db, buyer, id, { address: "", phone: "" })).orderId ?? "";
  };
  await ask(2);
  await ask(30);
  await sendMessage(db, seller, await ask(2), { text: "Yes.", formKey: null });
  await sendMessage(db, seller, await ask(30), { text: "Yes, still.", formKey: null });
  await handOver(db, seller, await ordered());
  await ordered();
  await cancelOrder(db, buyer, await ordered());
  const late = await ordered();
  await db
    .update(orders)
    .set({ deadlineAt: new Date(0) })
    .where(eq(orders.id, late));
  await endOverdueOrders(db);
  // What the seller cancels counts, what the buyer or an administrator cancels does not.
  await cancelOrder(db, seller, await ordered(), { bySeller: true });
  const forBuyer = (await cancelOrder(db, await addAccount(db, { userType: "Admin" }), await ordered()))
    .removalId;
  assert.ok(forBuyer);
  // Nor does what is cancelled because the buyer has left, by the seller or, at the deadline, by Ringback.
  for (const bySeller of [true, false]) {
    const leaving = await addAccount(db);
    const { id } = await addPhone(db, { sellerId: seller.id });
    const details = { address: "", phone: "" };
    const abandoned = (await bookWithoutLimits(db, leaving, id, details)).orderId ?? "";
    await removeUser(db, await addAccount(db, { userType: "Admin" }), leaving.id);
    await db
      .update(orders)
      .set({ deadlineAt: new Date(0) })
      .where(eq(orders.id, abandoned));
    await (bySeller ? cancelOrder(db, seller, abandoned, { bySeller }) : endOverdueOrders(db));
    assert.equal((await findOrder(db, seller, abandoned))?.status, "cancelled");
  }
  // Why an administrator cancels after the handover is not decided here: it counts for nobody.
  const refused = await ordered();
  await handOver(db, seller, refused);
  await cancelOrder(db, await addAccount(db, { userType: "Admin" }), refused, {
    reason: "Both sides asked.",
  });
  const record = await recordOf();
  assert.deepEqual(record?.orders, { handedOver: 1, missed: 2, all: 2, withProblem: 0, returned: 0 });
  assert.deepEqual(record?.questions, { answered: 1, unanswered: 2 });
};

export const saysHowLongASellerUsuallyTakesToHandOver = async (db: Db) => {
  const [seller, buyer] = [await addAccount(db, { userType: "Seller" }), await addAccount(db)];
  const usual = async () => (await findSeller(db, seller.id, null))?.seller.record.handoverMs;
  const handOverAfter = async (days: number) => {
    const { id } = await addPhone(db, { sellerId: seller.id });
    const { orderId = "" } = await bookWithoutLimits(db, buyer, id, { address: "", phone: "" });
    await handOver(db, seller, orderId);
    const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
    assert.ok(order);
    const createdAt = new Date(order.createdAt.getTime() + days * dayMs);
    await db
      .update(orderSteps)
      .set({ createdAt })
      .where(and(eq(orderSteps.orderId, orderId), eq(orderSteps.kind, "handed over")));
    return orderId;
  };
  await handOverAfter(2);
  await handOverAfter(30);
  assert.equal(await usual(), null);
  const undone = await handOverAfter(1);
  assert.equal(await usual(), 2 * dayMs);
  await db.update(orderSteps).set({ createdAt: new Date() }).where(eq(orderSteps.orderId, undone));
  assert.equal((await undoHandover(db, seller, undone)).refusal, null);
  assert.equal(await usual(), null);
};

export const showsWhatASellerSaysOfTheShop = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const shown = async () => (await findSeller(db, seller.id, null))?.seller.shopText;
  await changeShop(db, seller, { shopText: "Tested twice.\nShipped daily." });
  assert.equal(await shown(), "Tested twice.\nShipped daily.");
  await changeShop(db, seller, { shopText: " " });
  assert.equal(await shown(), null);
  // My account asks those who sell; a buyer does from the first listing on.
  const buyer = await addAccount(db);
  const asked = async (viewer: typeof buyer) => (await findProfile(db, viewer)).shopText;
  await addPhone(db);
  assert.deepEqual([await asked(seller), await asked(buyer)], ["", null]);
  await addPhone(db, { sellerId: buyer.id });
  assert.equal(await asked(buyer), "");
  await removeUser(db, await addAccount(db, { userType: "Admin" }), seller.id);
  await changeShop(db, seller, { shopText: "After the end" });
  const [row] = await db.select().from(users).where(eq(users.id, seller.id));
  assert.equal(row?.shopText, null);
};

export const anOrderInWhichTheBuyerDidNotDoTheirPartIsNoMark = async (db: Db) => {
  const details = { address: "", phone: "" };
  const moderator = await addAccount(db, { moderatorSince: new Date() });
  const block = (by: { id: string }, of: { id: string }) =>
    db.insert(blocks).values({ blockerId: by.id, blockedId: of.id });
  const cases: Record<string, [missed: number, run: (deal: Deal) => Promise<unknown>]> = {
    "nothing happened": [1, async () => null],
    "the buyer gave more time and answered nothing": [
      0,
      async ({ buyer, seller, orderId }) => {
        await extend(db, buyer, orderId);
        const { conversationId = "" } = await sendFirstMessage(
          db,
          seller,
          { order: orderId },
          { text: "Where to?", formKey: null },
        );
        assert.ok(conversationId);
      },
    ],
    "the buyer gave more time and answered": [
      1,
      async ({ buyer, seller, orderId }) => {
        await extend(db, buyer, orderId);
        const question = { text: "Where to?", formKey: null };
        const { conversationId = "" } = await sendFirstMessage(db, seller, { order: orderId }, question);
        await sendMessage(db, buyer, conversationId, { text: "To me.", formKey: null });
      },
    ],
    "nobody asked the buyer": [1, ({ buyer, orderId }) => extend(db, buyer, orderId)],
    "the buyer blocked": [0, ({ buyer, seller }) => block(buyer, seller)],
    "the seller blocked": [1, ({ buyer, seller }) => block(seller, buyer)],
    "both blocked": [
      0,
      async ({ buyer, seller }) => {
        await block(seller, buyer);
        await block(buyer, seller);
      },
    ],
    "the seller blocked and cancelled": [
      1,
      async ({ buyer, seller, orderId }) => {
        await block(seller, buyer);
        await cancelOrder(db, seller, orderId, { bySeller: true });
      },
    ],
    "the buyer blocked, the seller cancelled": [
      0,
      async ({ buyer, seller, orderId }) => {
        await block(buyer, seller);
        await cancelOrder(db, seller, orderId, { bySeller: true });
      },
    ],
    "the buyer did not pay": [
      0,
      async ({ seller, orderId }) => {
        await openProblem(db, seller, orderId, { kind: "not paid", text: "No money came." });
        await answerProblem(db, seller, orderId, { answer: "ask", text: "" });
        const [problem] = await db.select().from(orderProblems).where(eq(orderProblems.orderId, orderId));
        const decision = { decision: "returned", reason: "Nothing was paid." } as const;
        assert.equal(await decideProblem(db, moderator, problem?.id ?? "", decision), "done");
      },
    ],
    "the buyer cancelled": [0, ({ buyer, orderId }) => cancelOrder(db, buyer, orderId)],
    "the seller took the handover back and cancelled": [
      1,
      async ({ seller, orderId }) => {
        await handOver(db, seller, orderId);
        assert.equal((await undoHandover(db, seller, orderId)).refusal, null);
        assert.ok((await cancelOrder(db, seller, orderId, { bySeller: true })).removalId);
      },
    ],
  };
  for (const [what, [missed, run]] of Object.entries(cases)) {
    const deal = await newDeal();
    await run(deal);
    await db
      .update(orders)
      .set({ deadlineAt: new Date(0) })
      .where(eq(orders.id, deal.orderId));
    await endOverdueOrders(db);
    assert.equal((await findOrder(db, deal.seller, deal.orderId))?.status, "cancelled", what);
    const record = (await findSeller(db, deal.seller.id, null))?.seller.record;
    assert.deepEqual([record?.orders.missed, record?.orders.handedOver], [missed, 0], what);
    assert.equal((await findOrder(db, deal.seller, deal.orderId))?.isMissed, missed === 1, what);
  }

  async function newDeal() {
    const [seller, buyer] = [await addAccount(db, { userType: "Seller" }), await addAccount(db)];
    const { id } = await addPhone(db, { sellerId: seller.id });
    return { seller, buyer, orderId: (await bookWithoutLimits(db, buyer, id, details)).orderId ?? "" };
  }
  type Deal = Awaited<ReturnType<typeof newDeal>>;
};

export const anAnsweredOfferIsNoUnansweredQuestion = async (db: Db) => {
  const [seller, buyer] = [await addAccount(db, { userType: "Seller" }), await addAccount(db)];
  for (const answer of ["accepted", "refused", null] as const) {
    const { id } = await addPhone(db, { sellerId: seller.id, sellingCents: 40_000 });
    const made = await makeOffer(db, buyer, id, { amountCents: 30_000, text: "", formKey: null });
    if (answer) await answerOffer(db, seller, made.offerId ?? "", answer);
  }
  // Nor is one that was withdrawn, or whose device was booked.
  const offer = async () => {
    const { id } = await addPhone(db, { sellerId: seller.id, sellingCents: 40_000 });
    return { id, ...(await makeOffer(db, buyer, id, { amountCents: 30_000, text: "", formKey: null })) };
  };
  await answerOffer(db, buyer, (await offer()).offerId ?? "", "withdrawn");
  await bookWithoutLimits(db, await addAccount(db), (await offer()).id, { address: "", phone: "" });
  const ago = new Date(Date.now() - 30 * 3_600_000);
  for (const table of [conversations, messages, offers, orders])
    await db.update(table).set({ createdAt: ago });
  await db.update(offers).set({ answeredAt: ago }).where(isNotNull(offers.answer));
  const record = (await findSeller(db, seller.id, null))?.seller.record;
  assert.deepEqual(record?.questions, { answered: 2, unanswered: 1 });
};

export const showsExistingSellersOnly = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  assert.deepEqual((await findSeller(db, seller.id, null))?.phones, []);
  await db.update(users).set({ removalId: "some removal" }).where(eq(users.id, seller.id));
  assert.equal(await findSeller(db, seller.id, null), null);

  const buyer = await addAccount(db);
  await addPhone(db, { sellerId: buyer.id, hiddenById: "some removal" });
  assert.equal(await findSeller(db, buyer.id, null), null);
  // Buyers may sell too.
  await addPhone(db, { sellerId: buyer.id });
  assert.equal((await findSeller(db, buyer.id, null))?.phones.length, 1);

  for (const id of ["", "nobody", "' OR '1'='1"]) assert.equal(await findSeller(db, id, null), null);
};

export const pagesASellersListings = async (db: Db) => {
  const { id: sellerId } = await addAccount(db, { userType: "Seller" });
  const ids: string[] = [];
  for (let added = 0; added < 2 * pageSize + 1; added += 1)
    ids.unshift((await addPhone(db, { sellerId })).id);
  const page = async (cursor: Cursor) => {
    const found = await findSeller(db, sellerId, cursor);
    assert.ok(found);
    return { ids: found.phones.map(({ id }) => id), previous: found.previous, next: found.next };
  };
  const first = await page(null);
  assert.deepEqual(first, { ids: ids.slice(0, pageSize), previous: null, next: ids[pageSize - 1] });
  const second = await page({ after: first.next ?? "" });
  assert.deepEqual(second.ids, ids.slice(pageSize, 2 * pageSize));
  const last = await page({ after: second.next ?? "" });
  assert.deepEqual(last, { ids: ids.slice(2 * pageSize), previous: ids[2 * pageSize], next: null });
  assert.deepEqual(await page({ before: last.previous ?? "" }), second);
  assert.deepEqual(await page({ before: second.previous ?? "" }), first);
};
