import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { orders } from "#app/db/schema.ts";
import { sendFirstMessage } from "#app/features/messages/send-message.server.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { findProfile } from "#app/features/profile/profile.server.ts";
import { buyersInConversations, buyersOfOrders } from "#app/features/reviews/buyer-record.server.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone, addReceivedOrder } from "../../harness/fixtures.ts";

export const countsHowABuyersOrdersOfTheLastYearEnded = async (db: Db) => {
  const [seller, buyer] = [await addAccount(db, { userType: "Seller" }), await addAccount(db)];
  const admin = await addAccount(db, { userType: "Admin" });
  const ordered = async () => {
    const { id } = await addPhone(db, { sellerId: seller.id });
    return (await bookWithoutLimits(db, buyer, id, { address: "", phone: "" })).orderId ?? "";
  };
  assert.deepEqual((await findProfile(db, buyer)).buyerRecord, { completed: 0, cancelled: 0, notPaid: 0 });
  await addReceivedOrder(db, buyer, seller);
  await ordered();
  await cancelOrder(db, buyer, await ordered());
  // Ends that are not by the buyer, or no fault of theirs.
  await cancelOrder(db, seller, await ordered(), { bySeller: true });
  await cancelOrder(db, admin, await ordered());
  const held = await ordered();
  await db.update(orders).set({ heldSince: new Date() }).where(eq(orders.id, held));
  await cancelOrder(db, buyer, held);
  assert.deepEqual((await findProfile(db, buyer)).buyerRecord, { completed: 1, cancelled: 1, notPaid: 0 });
  const old = new Date(Date.now() - 366 * dayMs);
  await db.update(orders).set({ createdAt: old });
  assert.deepEqual((await findProfile(db, buyer)).buyerRecord, { completed: 0, cancelled: 0, notPaid: 0 });
};

export const onlySellersWhoDealWithABuyerSeeTheirRecord = async (db: Db) => {
  const [seller, buyer] = [await addAccount(db, { userType: "Seller" }), await addAccount(db)];
  const stranger = await addAccount(db, { userType: "Seller" });
  const admin = await addAccount(db, { userType: "Admin" });
  await addReceivedOrder(db, buyer, seller);
  const { id } = await addPhone(db, { sellerId: seller.id });
  const question = { text: "Is it still for sale?", formKey: null };
  const { conversationId = "" } = await sendFirstMessage(db, buyer, { phone: id }, question);
  const { orderId = "" } = await bookWithoutLimits(db, buyer, id, { address: "", phone: "" });
  const record = { completed: 1, cancelled: 0, notPaid: 0 };
  assert.deepEqual(await buyersOfOrders(db, seller, [orderId]), { [orderId]: record });
  assert.deepEqual(await buyersInConversations(db, seller, [conversationId]), { [conversationId]: record });
  for (const other of [buyer, stranger, admin]) {
    assert.deepEqual(await buyersOfOrders(db, other, [orderId]), {});
    assert.deepEqual(await buyersInConversations(db, other, [conversationId]), {});
  }
  await cancelOrder(db, seller, orderId, { bySeller: true });
  assert.deepEqual(await buyersOfOrders(db, seller, [orderId]), {});
};
