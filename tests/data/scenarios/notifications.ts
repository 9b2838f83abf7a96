import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { notifications } from "#app/db/schema.ts";
import { undoRemoval } from "#app/features/moderation/undo.server.ts";
import { verifySeller } from "#app/features/moderation/users.server.ts";
import {
  countUnreadNotifications,
  listNotifications,
  markRead,
  openNotification,
} from "#app/features/notifications/notifications.server.ts";
import { bookPhone } from "#app/features/orders/bookings.server.ts";
import { handOver, receive } from "#app/features/orders/order-steps.server.ts";
import { cancelOrder } from "#app/features/orders/orders.server.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";

type Account = Awaited<ReturnType<typeof addAccount>>;

const details = { address: "1 Harbour Street", phone: "+46 70 123 45 67" };

const kindsOf = async (db: Db, viewer: Account) =>
  (await listNotifications(db, viewer, null)).rows.map(({ kind }) => kind);

async function booked(db: Db) {
  const seller = await addAccount(db, { userType: "Seller" });
  const buyer = await addAccount(db);
  const phone = await addPhone(db, { sellerId: seller.id, brandName: "Nokia", model: "G22" });
  const { orderId } = (await bookPhone(db, buyer, phone.id, details)) as { orderId: string };
  return { seller, buyer, phone, orderId };
}

export const bothSidesAreToldOfTheStepsOfAnOrder = async (db: Db) => {
  const { seller, buyer, phone, orderId } = await booked(db);
  // Sent again, and by another buyer.
  await bookPhone(db, buyer, phone.id, details);
  await bookPhone(db, await addAccount(db), phone.id, details);
  for (let times = 0; times < 2; times += 1) await handOver(db, seller, orderId);
  for (let times = 0; times < 2; times += 1) await receive(db, buyer, orderId);
  assert.deepEqual(await kindsOf(db, buyer), ["handed over", "order placed"]);
  assert.deepEqual(await kindsOf(db, seller), ["received", "booked"]);
  const [{ text, path } = { text: "", path: "" }] = (await listNotifications(db, seller, null)).rows;
  assert.deepEqual([text, path], ["The buyer has received your Nokia G22.", `/manage/orders/${orderId}`]);
  assert.equal(await db.$count(notifications), 4);
};

export const theOtherSideIsToldOfACancellation = async (db: Db) => {
  const byBuyer = await booked(db);
  const removalId = (await cancelOrder(db, byBuyer.buyer, byBuyer.orderId)) ?? "";
  assert.deepEqual(await kindsOf(db, byBuyer.seller), ["cancelled", "booked"]);
  await undoRemoval(db, byBuyer.buyer, removalId);
  await undoRemoval(db, byBuyer.buyer, removalId);
  await cancelOrder(db, byBuyer.buyer, byBuyer.orderId);
  assert.deepEqual(await kindsOf(db, byBuyer.seller), ["cancelled", "reinstated", "cancelled", "booked"]);
  assert.deepEqual(await kindsOf(db, byBuyer.buyer), ["order placed"]);

  const bySeller = await booked(db);
  await cancelOrder(db, bySeller.seller, bySeller.orderId, "seller");
  assert.deepEqual(await kindsOf(db, bySeller.buyer), ["cancelled", "order placed"]);
  assert.deepEqual(await kindsOf(db, bySeller.seller), ["booked"]);
};

export const bothSidesAreToldOfACancellationByAnAdministrator = async (db: Db) => {
  const { buyer, seller, orderId } = await booked(db);
  const admin = await addAccount(db, { userType: "Admin" });
  const removalId = (await cancelOrder(db, admin, orderId)) ?? "";
  await undoRemoval(db, admin, removalId);
  assert.deepEqual(await kindsOf(db, buyer), ["reinstated", "cancelled", "order placed"]);
  assert.deepEqual(await kindsOf(db, seller), ["reinstated", "cancelled", "booked"]);
  assert.deepEqual(await kindsOf(db, admin), []);
};

export const anUndoThatFailsTellsNobody = async (db: Db) => {
  const { buyer, seller, phone, orderId } = await booked(db);
  const removalId = (await cancelOrder(db, buyer, orderId)) ?? "";
  await bookPhone(db, await addAccount(db), phone.id, details);
  assert.equal(await undoRemoval(db, buyer, removalId), "order impossible");
  assert.deepEqual(await kindsOf(db, seller), ["booked", "cancelled", "booked"]);
};

export const sellersAreToldThatTheyAreVerified = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const buyer = await addAccount(db);
  for (const { id } of [seller, seller, buyer]) await verifySeller(db, admin, id);
  assert.deepEqual(await kindsOf(db, seller), ["verification"]);
  assert.equal(await db.$count(notifications), 1);
};

export const onlyTheirUserOpensAndReadsNotifications = async (db: Db) => {
  const { seller, buyer, orderId } = await booked(db);
  const [{ id } = { id: "" }] = (await listNotifications(db, seller, null)).rows;
  assert.equal(await openNotification(db, buyer, id), null);
  assert.equal(await markRead(db, buyer, [id]), 0);
  assert.equal(await countUnreadNotifications(db, seller), 1);
  assert.equal(await openNotification(db, seller, id), `/manage/orders/${orderId}`);
  const [first] = await db.select().from(notifications).where(eq(notifications.id, id));
  assert.equal(await openNotification(db, seller, id), `/manage/orders/${orderId}`);
  const [second] = await db.select().from(notifications).where(eq(notifications.id, id));
  assert.deepEqual(first, second);
  assert.equal(await countUnreadNotifications(db, seller), 0);
  assert.equal(await countUnreadNotifications(db, buyer), 1);
  assert.deepEqual([await markRead(db, buyer), await markRead(db, buyer)], [1, 0]);
  assert.equal(await openNotification(db, seller, "nothing"), null);
};
