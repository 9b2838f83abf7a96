import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, users } from "#app/db/schema.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { bookWithoutLimits } from "../../harness/bookings.ts";
import { assertCountsMatch } from "../../harness/catalog-counts.ts";
import { addAccount, addCopies, addPhone, editPhone } from "../../harness/fixtures.ts";
import { browse } from "../../harness/search.ts";

export const countsFollowEachChange = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller", verified: true });
  const other = await addAccount(db, { userType: "Seller" });
  const buyer = await addAccount(db);
  const own = [];
  for (const os of ["Android", "Ios", "Android"] as const) {
    own.push((await addPhone(db, { sellerId: seller.id, os })).id);
  }
  for (const status of ["available", "reserved", "sold"] as const) {
    await addPhone(db, { sellerId: other.id, status, deviceType: "Tablet" });
  }
  const [first = "", , third = ""] = own;
  await assertCountsMatch(db, "phones were added");
  const set = async (what: string, values: Partial<typeof phones.$inferInsert>, ids: string[] = [first]) => {
    for (const id of ids) await editPhone(db, id, values);
    await assertCountsMatch(db, what);
  };
  const booked = await bookWithoutLimits(db, buyer, first, { address: "", phone: "" });
  await assertCountsMatch(db, "a phone was booked");
  assert.ok(booked.refusal === undefined);
  await cancelOrder(db, buyer, booked.orderId);
  await assertCountsMatch(db, "an order was cancelled");
  await set("brand, model and processor were changed", { brandName: "A", model: "B 1", processor: "Ç" });
  await set("ram and rom were changed", { ram: "1 GB", rom: "2 TB" });
  await set("its condition was said", { condition: "Good" });
  await set("condition and price were changed", { condition: "Fair", sellingCents: 30_000 });
  await set("its condition is no longer said", { condition: null });
  await set("its condition was said again", { condition: "Excellent" });
  await set("the system was changed", { os: "Ios" });
  await set("the type was changed", { deviceType: "Tablet" });
  await set("the price was changed", { sellingCents: 1 });
  await set("the market price was changed", { marketCents: 900_000_000 });
  await set("phones were reserved", { status: "reserved" }, own);
  await set("a reserved phone was changed", { model: "C" });
  await set("a phone was changed and freed at once", { model: "D", status: "available" });
  await set("a phone was sold", { status: "sold" });
  await set("a sold phone was changed", { model: "E", sellingCents: 2 });
  await set("phones came back", { status: "available" }, own);
  await set("phones were removed", { hiddenById: "some removal" }, own);
  await set("a removed phone was reserved", { status: "reserved" });
  await set("phones were restored", { hiddenById: null }, own);
  await set("nothing was changed", { model: "E" });
  await set("a phone was renumbered", { number: 100 }, [third]);
  await set("a phone has strange prices", { sellingCents: -5, marketCents: 2 ** 40 }, [third]);
  await set("its battery was measured", { batteryHealth: 87 }, [third]);
  await set("its battery and its model were changed", { batteryHealth: 92, model: "Other" }, [third]);
  for (const verified of [false, true, false]) {
    await db.update(users).set({ verified });
    await assertCountsMatch(db, `sellers were ${verified ? "verified" : "no longer verified"}`);
  }
  await db.update(users).set({ verified: true }).where(eq(users.id, seller.id));
  await db.update(users).set({ removalId: "some removal" }).where(eq(users.id, seller.id));
  await assertCountsMatch(db, "a seller was removed");
  await db.batch([
    db.update(phones).set({ status: "reserved" }).where(eq(phones.id, first)),
    db.update(phones).set({ status: "available" }),
    db.update(phones).set({ status: "reserved", condition: "Good" }).where(eq(phones.id, third)),
    db.update(users).set({ verified: false }).where(eq(users.id, seller.id)),
    db.update(phones).set({ sellingCents: 7 }),
    db.update(users).set({ verified: true }),
  ]);
  await assertCountsMatch(db, "much was changed at once");
  await db.delete(phones).where(eq(phones.id, first));
  await assertCountsMatch(db, "a phone was deleted for good");
  await db.delete(phones);
  await assertCountsMatch(db, "all were");
  assert.equal((await browse(db)).count, 0);
};

/** A seller with a thousand listings is verified and removed within a few seconds. */
export const countsFollowTheVerificationOfASeller = async (db: Db) => {
  const { id: sellerId } = await addAccount(db, { userType: "Seller" });
  const phone = await addPhone(db, { sellerId });
  const prices = Array.from({ length: 1000 }, (_, at) => ({ sellingCents: (at * 7919) % 50_000 }));
  await addCopies(db, phone, prices);
  await db.update(users).set({ verified: true }).where(eq(users.id, sellerId));
  assert.equal((await browse(db, "/android", { filters: { verified: ["yes"] }, words: "fair" })).count, 1001);
  await assertCountsMatch(db, "a seller of many was verified");
  await db.update(phones).set({ hiddenById: "some removal" });
  assert.equal((await browse(db)).count, 0);
  await assertCountsMatch(db, "all listings were removed");
};

/** Sellers publish, edit and remove while buyers book and cancel. */
export const countsConcurrentChanges = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const buyers = await Promise.all([addAccount(db), addAccount(db), addAccount(db)]);
  const phones = [];
  for (let number = 0; number < 12; number += 1) {
    phones.push(await addPhone(db, { sellerId: seller.id, condition: number % 2 ? "Good" : "Fair" }));
  }
  await Promise.all([
    ...phones.flatMap(({ id }) =>
      buyers.map(async (buyer) => {
        const booked = await bookWithoutLimits(db, buyer, id, { address: "", phone: "" });
        if (booked.refusal === undefined && buyer === buyers[0]) await cancelOrder(db, buyer, booked.orderId);
      }),
    ),
    ...phones.slice(0, 6).map(({ id }) => removeListing(db, seller, id)),
    ...phones.slice(3, 9).map(({ id }) => editPhone(db, id, { rom: "1 TB", batteryHealth: 86 })),
    ...phones.map(() => addPhone(db, { sellerId: seller.id, model: "The same" })),
    db.update(users).set({ verified: true }).where(eq(users.id, seller.id)),
  ]);
  await assertCountsMatch(db, "much happened at once");
  assert.equal((await browse(db, "/products", { words: "the same" })).count, 12);
};
