import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, sessions, tickets, users } from "#app/db/schema.ts";
import { catalogRevision } from "#app/features/catalog/feed.server.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { bookWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";

export const changesWithTheLists = async (db: Db) => {
  const seen = new Set([await catalogRevision(db)]);
  const seller = await addAccount(db, { userType: "Seller" });
  const buyer = await addAccount(db);
  const { id } = await addPhone(db, { sellerId: seller.id });
  const isNew = async (what: string) => {
    const mark = await catalogRevision(db);
    assert.ok(!seen.has(mark), what);
    seen.add(mark);
  };
  await isNew("a phone was added");
  const booked = await bookWithoutLimits(db, buyer, id, { address: "", phone: "" });
  await isNew("a phone was booked");
  assert.ok(booked.refusal === undefined);
  await cancelOrder(db, buyer, booked.orderId);
  await isNew("an order was cancelled");
  await db.update(users).set({ name: "Another" }).where(eq(users.id, seller.id));
  await isNew("a seller was renamed");
  await db.update(phones).set({ sellingCents: 100 }).where(eq(phones.id, id));
  await isNew("a price was changed");
  await db.update(phones).set({ hiddenById: "some removal" }).where(eq(phones.id, id));
  await isNew("a phone was removed");
  await db.delete(phones).where(eq(phones.id, id));
  await isNew("a phone was deleted for good");
};

export const isUnchangedByOtherWrites = async (db: Db) => {
  const { id, sellerId } = await addPhone(db);
  const before = await catalogRevision(db);
  const buyer = await addAccount(db);
  await db.insert(tickets).values({ name: "", email: "", details: "" });
  await db.insert(sessions).values({ id: "session", userId: buyer.id, expiresAt: new Date() });
  await bookWithoutLimits(db, { ...buyer, id: sellerId }, id, { address: "", phone: "" });
  assert.equal(await catalogRevision(db), before);
};
