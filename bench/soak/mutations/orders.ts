import { eq } from "drizzle-orm";
import { reviews } from "#app/db/schema.ts";
import { blockOtherSide } from "#app/features/messages/blocks.server.ts";
import { newestMessageId } from "#app/features/messages/conversations.server.ts";
import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import { answerProblem } from "#app/features/order-problems/order-problems.server.ts";
import { handOver } from "#app/features/orders/order-steps.server.ts";
import { saveReview } from "#app/features/reviews/write-review.server.ts";
import { addPhone } from "../../../tests/harness/fixtures.ts";
import type { Market } from "../market.ts";
import { type MutationCase, type MutationCases, request } from "./mutation-case.ts";
import {
  addCompleteOrder,
  addConversation,
  addListing,
  addOffer,
  addOrder,
  adminOf,
  buyerOf,
  delivery,
} from "./records.ts";

/** A form of one side of an order. */
const orderForm = (side: "seller" | "person", fields: Record<string, string>, isHandedOver = false) =>
  request(async (market) => {
    const { orderId, ...sides } = await addOrder(market);
    if (isHandedOver) await handOver(market.db, sides.seller.account, orderId);
    return { person: sides[side], path: `/manage/orders/${orderId}`, fields };
  });

async function addOpenProblem(market: Market) {
  const order = await addCompleteOrder(market);
  await openProblem(market.db, order.person.account, order.orderId, { kind: "defect", text: "No sound." });
  return order;
}

/** What a buyer and a seller do with each other. */
export const orders = {
  book: [
    request(async (market) => ({
      person: await buyerOf(market),
      path: `/products/${(await addPhone(market.db)).id}/book`,
      fields: delivery,
    })),
    request(async (market) => ({
      person: await buyerOf(market),
      path: "/bookings",
      method: "POST",
      body: { phoneId: (await addPhone(market.db)).id },
    })),
  ],
  "change delivery": [
    orderForm("person", { intent: "delivery", ...delivery }),
    request(async (market) => {
      const { person, orderId } = await addOrder(market);
      const body = { buyerAddress: delivery.address, phone: delivery.phone };
      return { person, path: `/bookings/delivery/${orderId}`, method: "PUT", body };
    }),
  ],
  "advance order": [
    orderForm("seller", { intent: "hand over" }),
    orderForm("person", { intent: "receive" }, true),
  ],
  "cancel order": [
    orderForm("person", { intent: "cancel" }),
    request(async (market) => {
      const { person, orderId } = await addOrder(market);
      return { person, path: "/manage?index", fields: { _id: orderId } };
    }),
    request(async (market) => {
      const { orderId } = await addOrder(market);
      return { person: await adminOf(market), path: "/manage/orders", fields: { _id: orderId } };
    }),
    request(async (market) => {
      const { person, orderId } = await addOrder(market);
      return { person, path: `/bookings/delete/${orderId}`, method: "DELETE" };
    }),
  ],
  "order problem": [
    request(async (market) => {
      const { person, orderId } = await addCompleteOrder(market);
      const fields = { intent: "open", kind: "defect", text: "No sound." };
      return { person, path: `/manage/orders/${orderId}/problem`, fields };
    }),
    request(async (market) => {
      const { person, orderId } = await addCompleteOrder(market);
      const body = { kind: "defect", text: "No sound." };
      return { person, path: `/bookings/problem/${orderId}`, method: "POST", body };
    }),
    request(async (market) => {
      const { seller, orderId } = await addOpenProblem(market);
      const fields = { intent: "answer", answer: "offer", offer: "repair", text: "By Friday." };
      return { person: seller, path: `/manage/orders/${orderId}/problem`, fields };
    }),
    request(async (market) => {
      const { person, seller, orderId } = await addOpenProblem(market);
      const offer = { answer: "offer", offer: "return", text: "Send it back." } as const;
      await answerProblem(market.db, seller.account, orderId, offer);
      const body = { answer: "accept" };
      return { person, path: `/bookings/problem/${orderId}`, method: "PUT", body };
    }),
  ],
  review: [
    request(async (market) => {
      const { person, orderId } = await addCompleteOrder(market);
      const fields = { intent: "review", stars: "5", text: "All good" };
      return { person, path: `/manage/orders/${orderId}/reviews`, fields };
    }),
    // The second review of an order publishes both.
    request(async (market) => {
      const { person, seller, orderId } = await addCompleteOrder(market);
      await saveReview(market.db, person.account, orderId, { stars: 5, text: "All good" });
      return { person: seller, path: `/bookings/review/${orderId}`, method: "PUT", body: { stars: 4 } };
    }),
    request(async (market) => {
      const { seller, orderId } = await addPublishedReview(market);
      const fields = { intent: "reply", reply: "Thank you!" };
      return { person: seller, path: `/manage/orders/${orderId}/reviews`, fields };
    }),
    request(async (market) => {
      const { seller, orderId } = await addPublishedReview(market);
      const body = { reply: "Thank you!" };
      return { person: seller, path: `/bookings/reply/${orderId}`, method: "PUT", body };
    }),
  ],
  message: [
    request(async (market) => ({
      person: await buyerOf(market),
      path: `/manage/messages/new?phone=${(await addListing(market)).phone.id}`,
      fields: { text: "Is it scratched?", formKey: crypto.randomUUID() },
    })),
    request(async (market) => {
      const { person, conversationId } = await addConversation(market);
      const fields = { text: "Is it scratched?", formKey: crypto.randomUUID() };
      return { person, path: `/manage/messages/${conversationId}`, fields };
    }),
    request(async (market) => ({
      person: await buyerOf(market),
      path: "/messages",
      method: "POST",
      body: { phoneId: (await addListing(market)).phone.id, text: "Is it scratched?" },
    })),
    request(async (market) => {
      const { seller, conversationId } = await addConversation(market);
      return { person: seller, path: `/messages/${conversationId}`, method: "POST", body: { text: "No." } };
    }),
  ],
  offer: [
    request(async (market) => {
      const fields = { intent: "offer", amount: "300", text: "", formKey: crypto.randomUUID() };
      return {
        person: await buyerOf(market),
        path: `/phones/${(await addListing(market)).phone.id}/offer`,
        fields,
      };
    }),
    request(async (market) => {
      const { seller, offerId } = await addOffer(market);
      const fields = { intent: "counter", offer: offerId, amount: "320", formKey: crypto.randomUUID() };
      return { person: seller, path: "/manage/offers", fields };
    }),
    request(async (market) => ({
      person: await buyerOf(market),
      path: "/offers",
      method: "POST",
      body: { phoneId: (await addListing(market)).phone.id, amount: 300 },
    })),
    request(async (market) => {
      const { seller, offerId } = await addOffer(market);
      return { person: seller, path: `/offers/${offerId}`, method: "PUT", body: { answer: "accept" } };
    }),
  ],
  "mark as read": [
    request(async (market) => {
      const { seller, conversationId } = await addConversation(market);
      const body = { lastReadId: await newestMessageId(market.db, seller.account) };
      return { person: seller, path: `/messages/read/${conversationId}`, method: "PUT", body };
    }),
  ],
  block: [
    blockCase((path) => ({ path: `/manage${path("")}`, fields: { intent: "block" } })),
    blockCase((path) => ({ path: path("block/"), method: "PUT" })),
    blockCase((path) => ({ path: `/manage${path("")}`, fields: { intent: "unblock" } }), true),
    blockCase((path) => ({ path: path("block/"), method: "DELETE" }), true),
  ],
} satisfies MutationCases;

function blockCase(
  requestOf: (
    path: (operation: string) => string,
  ) => Omit<Awaited<ReturnType<MutationCase["prepare"]>>, "person">,
  isBlocked = false,
): MutationCase {
  return request(async (market) => {
    const { seller, conversationId = "" } = await addConversation(market);
    if (isBlocked) await blockOtherSide(market.db, seller.account, conversationId);
    return { person: seller, ...requestOf((operation) => `/messages/${operation}${conversationId}`) };
  });
}

async function addPublishedReview(market: Market) {
  const order = await addCompleteOrder(market);
  await saveReview(market.db, order.person.account, order.orderId, { stars: 4, text: "As described." });
  await market.db.update(reviews).set({ publishedAt: new Date() }).where(eq(reviews.orderId, order.orderId));
  return order;
}
