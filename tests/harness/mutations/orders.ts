import { eq } from "drizzle-orm";
import {
  blocks,
  conversationParticipants,
  conversations,
  messages,
  offers,
  orderProblemSteps,
  orderProblems,
  orders as orderTable,
  payments,
  photos,
  reviews,
} from "#app/db/schema.ts";
import { blockOtherSide } from "#app/features/messages/blocks.server.ts";
import { newestMessageId } from "#app/features/messages/conversations.server.ts";
import { answerProblem } from "#app/features/order-problems/order-problems.server.ts";
import { handOver } from "#app/features/orders/order-steps.server.ts";
import { saveReview } from "#app/features/reviews/write-review.server.ts";
import { addPhone, addProblem } from "../fixtures.ts";
import { picture } from "../images.ts";
import { type Example, type Examples, rowsWith } from "./example.ts";
import {
  addCompleteOrder,
  addConversation,
  addListing,
  addOffer,
  addOrder,
  addUnpaidOrder,
  buyerOf,
  delivery,
  sellerOf,
} from "./records.ts";

type Side = "seller" | "person";

/** What one side of an order does on its page. */
const orderExample = (side: Side, more: Partial<Example>, isHandedOver = false): Example => ({
  form: "/manage/orders/:orderId",
  of: "owner",
  ...more,
  async prepare(market) {
    const { orderId, ...sides } = await addOrder(market);
    if (isHandedOver) await handOver(market.db, sides.seller.account, orderId);
    const rows = rowsWith(orderTable.id, orderId);
    return { person: sides[side], ids: [orderId], fields: { _id: orderId }, rows };
  },
});

/** What one side of a problem does. @param hasOffer whether the seller has offered a return */
const problemExample = (side: Side, more: Partial<Example>, hasOffer = false): Example => ({
  form: "/manage/orders/:orderId/problem",
  of: "owner",
  ...more,
  async prepare(market) {
    const [seller, person] = [await sellerOf(market), await buyerOf(market)];
    const sides = { seller: seller.account, buyer: person.account };
    const { orderId, problem } = await addProblem(market.db, sides);
    const offer = { answer: "offer", offer: "return", text: "Send it back." } as const;
    if (hasOffer) await answerProblem(market.db, seller.account, orderId, offer);
    const rows = rowsWith(orderProblemSteps.problemId, (await problem()).id);
    return { person: side === "seller" ? seller : person, ids: [orderId], rows };
  },
});

/** A review, or a reply to the other side's, of an order. */
const reviewExample = (more: Partial<Example>, isReviewed: boolean): Example => ({
  form: "/manage/orders/:orderId/reviews",
  of: "owner",
  ...more,
  async prepare(market) {
    const { person, seller, orderId } = await addCompleteOrder(market);
    const rows = rowsWith(reviews.orderId, orderId);
    if (!isReviewed) return { person, ids: [orderId], rows };
    await saveReview(market.db, person.account, orderId, { stars: 4, text: "As described." });
    await market.db.update(reviews).set({ publishedAt: new Date() }).where(rows.where);
    return { person: seller, ids: [orderId], rows };
  },
});

const offerExample = (side: Side, intent: string, more: Partial<Example> = {}): Example => ({
  form: "/manage/offers",
  fields: { intent, amount: "320" },
  of: "owner",
  ...more,
  async prepare(market) {
    const { offerId, phone, ...sides } = await addOffer(market);
    const rows = rowsWith(offers.phoneId, phone.id);
    return { person: sides[side], ids: [offerId], fields: { offer: offerId }, rows };
  },
});

/** What the seller does in a conversation. */
const conversationExample = (more: Partial<Example>, isBlocked = false): Example => ({
  form: "/manage/messages/:conversationId",
  of: "owner",
  ...more,
  async prepare(market) {
    const { seller, conversationId } = await addConversation(market);
    if (isBlocked) await blockOtherSide(market.db, seller.account, conversationId);
    const rows = more.body
      ? rowsWith(messages.conversationId, conversationId)
      : rowsWith(blocks.blockerId, seller.account.id);
    return { person: seller, ids: [conversationId], rows };
  },
});

const booking = (form: string, more: Partial<Example> = {}): Example => ({
  form,
  fields: delivery,
  typed: "address",
  ...more,
  async prepare(market) {
    const { id } = await addPhone(market.db, { os: form.startsWith("/ios") ? "Ios" : "Android" });
    return { ids: [id], body: { phoneId: id }, rows: rowsWith(orderTable.phoneId, id) };
  },
});

const asked = "Is it scratched?";

/** What a buyer and a seller do with each other. */
export const orders = {
  book: [
    booking("/products/:phoneId/book", { rest: "POST /bookings" }),
    booking("/android/:phoneId/book", { triedOnce: true }),
    booking("/ios/:phoneId/book", { triedOnce: true }),
    booking("/tablet/:phoneId/book", { triedOnce: true }),
    booking("/phones/:phoneId/book", { triedOnce: true }),
  ],
  "change delivery": [
    orderExample("person", {
      rest: "PUT /bookings/delivery/{id}",
      fields: { intent: "delivery", ...delivery },
      body: { buyerAddress: delivery.address, phone: delivery.phone },
    }),
  ],
  "advance order": [
    orderExample("seller", {
      rest: "PUT /bookings/steps/{id}",
      fields: { intent: "hand over" },
      body: { step: "hand over" },
    }),
    orderExample("person", { fields: { intent: "receive" } }, true),
    {
      rest: "POST /bookings/{id}/payment",
      of: "owner",
      // In a market without a payment provider.
      isRead: true,
      async prepare(market) {
        const { person, orderId } = await addUnpaidOrder(market);
        return { person, ids: [orderId], rows: rowsWith(payments.orderId, orderId) };
      },
    },
  ],
  "cancel order": [
    orderExample("person", { fields: { intent: "cancel" }, of: "owner or administrator" }),
    orderExample("person", {
      form: "/manage",
      rest: "DELETE /bookings/delete/{id}",
      of: "owner or administrator",
      refused: { form: 303 },
    }),
  ],
  "order problem": [
    {
      form: "/manage/orders/:orderId/problem",
      rest: "POST /bookings/problem/{id}",
      fields: { intent: "open", kind: "not arrived", text: "Nothing came." },
      body: { kind: "not arrived", text: "Nothing came." },
      typed: "text",
      of: "owner",
      async prepare(market) {
        const { person, orderId } = await addOrder(market);
        return { person, ids: [orderId], rows: rowsWith(orderProblems.orderId, orderId) };
      },
    },
    problemExample("person", {
      rest: "PUT /bookings/problem/{id}",
      fields: { intent: "answer", answer: "close", text: "" },
      body: { answer: "close" },
    }),
    problemExample("person", { fields: { intent: "answer", answer: "ask", text: "We can’t agree." } }),
    problemExample("seller", {
      fields: { intent: "answer", answer: "offer", offer: "return", text: "Send it back." },
    }),
    problemExample(
      "person",
      { rest: "PUT /bookings/problem/{id}", body: { answer: "accept" }, form: undefined },
      true,
    ),
    {
      rest: "POST /problems/photos/{id}",
      of: "owner",
      async prepare(market) {
        const person = await buyerOf(market);
        const { problem } = await addProblem(market.db, { buyer: person.account, isAsked: true });
        const { id } = await problem();
        return { person, ids: [id], file: await picture(), rows: rowsWith(photos.problemId, id) };
      },
    },
  ],
  review: [
    reviewExample(
      {
        rest: "PUT /bookings/review/{id}",
        fields: { intent: "review", stars: "5", text: "All good" },
        body: { stars: 5, text: "All good" },
        typed: "text",
      },
      false,
    ),
    // The second review of an order publishes both.
    {
      rest: "PUT /bookings/review/{id}",
      body: { stars: 4 },
      of: "owner",
      async prepare(market) {
        const { person, seller, orderId } = await addCompleteOrder(market);
        await saveReview(market.db, person.account, orderId, { stars: 5, text: "All good" });
        return { person: seller, ids: [orderId], rows: rowsWith(reviews.orderId, orderId) };
      },
    },
    reviewExample(
      {
        rest: "PUT /bookings/reply/{id}",
        fields: { intent: "reply", reply: "Thank you!" },
        body: { reply: "Thank you!" },
      },
      true,
    ),
  ],
  message: [
    {
      form: "/manage/messages/new",
      rest: "POST /messages",
      fields: { text: asked },
      hasKey: true,
      of: "owner",
      async prepare(market) {
        const { person, orderId, phone } = await addOrder(market);
        const body = { bookingId: orderId, text: asked };
        return { person, query: `?order=${orderId}`, body, rows: rowsWith(conversations.phoneId, phone.id) };
      },
    },
    {
      form: "/manage/messages/new",
      rest: "POST /messages",
      fields: { text: asked },
      hasKey: true,
      typed: "text",
      async prepare(market) {
        const { phone } = await addListing(market);
        const body = { phoneId: phone.id, text: asked };
        return { query: `?phone=${phone.id}`, body, rows: rowsWith(conversations.phoneId, phone.id) };
      },
    },
    conversationExample({
      rest: "POST /messages/{id}",
      fields: { text: asked },
      hasKey: true,
      body: { text: asked },
      typed: "text",
    }),
  ],
  offer: [
    {
      form: "/phones/:phoneId/offer",
      rest: "POST /offers",
      fields: { intent: "offer", amount: "300", text: "" },
      hasKey: true,
      typed: "amount",
      async prepare(market) {
        const { phone } = await addListing(market);
        const body = { phoneId: phone.id, amount: 300 };
        return { ids: [phone.id], body, rows: rowsWith(offers.phoneId, phone.id) };
      },
    },
    offerExample("seller", "counter", { hasKey: true }),
    offerExample("seller", "accept", { rest: "PUT /offers/{id}", body: { answer: "accept" } }),
    offerExample("seller", "refuse"),
    offerExample("person", "withdraw"),
    {
      form: "/manage/messages/:conversationId",
      fields: { intent: "withdraw" },
      of: "owner",
      async prepare(market) {
        const { person, phone, offerId } = await addOffer(market);
        const [{ id } = { id: "" }] = await market.db
          .select()
          .from(conversations)
          .where(eq(conversations.phoneId, phone.id));
        return { person, ids: [id], fields: { offer: offerId }, rows: rowsWith(offers.phoneId, phone.id) };
      },
    },
  ],
  "mark as read": [
    {
      rest: "PUT /messages/read/{id}",
      of: "owner",
      async prepare(market) {
        const { seller, conversationId } = await addConversation(market);
        const body = { lastReadId: await newestMessageId(market.db, seller.account) };
        const rows = rowsWith(conversationParticipants.conversationId, conversationId);
        return { person: seller, ids: [conversationId], body, rows };
      },
    },
  ],
  block: [
    conversationExample({ rest: "PUT /messages/block/{id}", fields: { intent: "block" } }),
    conversationExample({ rest: "DELETE /messages/block/{id}", fields: { intent: "unblock" } }, true),
  ],
} satisfies Examples;
