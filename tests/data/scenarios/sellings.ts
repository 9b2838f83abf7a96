import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, users } from "#app/db/schema.ts";
import { listActivity } from "#app/features/accounts/activity.server.ts";
import { phoneSchema } from "#app/features/phones/phone.schema.ts";
import { addPhone, listSellings, removePhone, restorePhone } from "#app/features/phones/sellings.server.ts";
import { addAccount, addPhone as addPhoneRow } from "../../harness/rows.ts";

const listing = phoneSchema.parse({
  brandName: "Nokia",
  model: "G22",
  ram: "4 GB",
  rom: "128 GB",
  camera: "50 MP",
  processor: "Unisoc T606",
  os: "Android",
  deviceType: "Smart Phone",
  image: "https://example.com/g22.jpg",
  battery: "5050 mAh",
  sellingReason: "It was a gift.",
  marketPrice: "179.99",
  sellingPrice: "89.5",
  postDate: "2026-01-31",
  usedTime: "7",
});

export const publishesAListing = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  await addPhone(db, seller, listing, null);
  const [row, ...others] = await db.select().from(phones);
  assert.deepEqual(others, []);
  assert.ok(row);
  const { marketPrice: _, sellingPrice: _asked, ...facts } = listing;
  const stored = {
    ...facts,
    sellerId: seller.id,
    marketCents: 17_999,
    sellingCents: 8_950,
    status: "available",
  };
  for (const [name, value] of Object.entries(stored)) {
    assert.deepEqual([name, row[name as keyof typeof row]], [name, value]);
  }
};

export const publishesAFormOnce = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const key = "01a1fc5d-2b29-75d6-9e09-afceeb617d04";
  await Promise.all([1, 2, 3].map(() => addPhone(db, seller, listing, key)));
  assert.equal(await db.$count(phones), 1);
  await addPhone(db, await addAccount(db, { userType: "Seller" }), listing, key);
  assert.equal(await db.$count(phones), 2);
  await addPhone(db, seller, listing, null);
  await addPhone(db, seller, listing, null);
  assert.equal(await db.$count(phones), 4);
};

export const listsASellersOwnAndForAnAdministratorAll = async (db: Db) => {
  const [seller, other] = [await addAccount(db, { userType: "Seller" }), await addAccount(db)];
  const admin = await addAccount(db, { userType: "Admin" });
  const own: string[] = [];
  for (let count = 0; count < 27; count += 1) own.push((await addPhoneRow(db, { sellerId: seller.id })).id);
  const others = await addPhoneRow(db, { sellerId: other.id, status: "sold" });
  await addPhoneRow(db, { sellerId: seller.id, removalId: "some removal" });
  const [first, second] = [await listSellings(db, seller, 1), await listSellings(db, seller, 2)];
  assert.deepEqual(
    [...first.rows, ...second.rows].map(({ id }) => id),
    own.reverse(),
  );
  assert.deepEqual([first.pages, second.first], [2, 26]);
  assert.deepEqual(
    (await listSellings(db, other, 1)).rows.map(({ id, sellerName }) => [id, sellerName]),
    [[others.id, other.name]],
  );
  assert.equal((await listSellings(db, admin, 1)).rows[0]?.id, others.id);
  assert.equal((await listSellings(db, admin, 2)).rows.length, 3);
};

export const removesAListingOfOnesOwn = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const stranger = await addAccount(db, { userType: "Seller" });
  const { id } = await addPhoneRow(db, { sellerId: seller.id });
  assert.equal(await removePhone(db, stranger, id), null);
  assert.equal(await removePhone(db, seller, "nothing"), null);
  const removalId = await removePhone(db, seller, id);
  assert.ok(removalId);
  assert.deepEqual((await listSellings(db, seller, 1)).rows, []);
  assert.equal(await removePhone(db, seller, id), null);
  assert.equal(await restorePhone(db, seller, removalId), true);
  assert.equal((await listSellings(db, seller, 1)).rows.length, 1);
  assert.deepEqual((await listActivity(db, 1)).rows, []);
};

export const letsAnAdministratorRemoveAnybodysListing = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const phone = await addPhoneRow(db);
  const removalId = await removePhone(db, admin, phone.id);
  assert.ok(removalId);
  assert.equal(await restorePhone(db, admin, removalId), true);
  const target = `${phone.brandName} ${phone.model}`;
  assert.deepEqual(
    (await listActivity(db, 1)).rows.map(({ act, target }) => [act, target]),
    [
      ["undid deletion", target],
      ["deleted listing", target],
    ],
  );
};

export const neverRemovesAReservedListing = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const { id } = await addPhoneRow(db, { sellerId: seller.id, status: "reserved" });
  assert.deepEqual([await removePhone(db, seller, id), await removePhone(db, admin, id)], [null, null]);
  assert.equal((await listSellings(db, seller, 1)).rows.length, 1);
};

export const leavesAListingRemovedWhoseSellerIsGone = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const { id } = await addPhoneRow(db, { sellerId: seller.id });
  const removalId = await removePhone(db, seller, id);
  assert.ok(removalId);
  await db.update(users).set({ removalId: "some removal" }).where(eq(users.id, seller.id));
  assert.equal(await restorePhone(db, seller, removalId), false);
};
