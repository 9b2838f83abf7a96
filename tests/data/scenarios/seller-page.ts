import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { users } from "#app/db/schema.ts";
import { pageSize } from "#app/features/catalog/search/search.server.ts";
import { findSeller } from "#app/features/catalog/seller.server.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";

export const showsASellersListingsAndSales = async (db: Db) => {
  const createdAt = new Date("2025-01-01T00:00:00Z");
  const { id } = await addAccount(db, { userType: "Seller", name: "Ada", verified: "yes", createdAt });
  await addPhone(db, { sellerId: id, model: "available" });
  await addPhone(db, { sellerId: id, model: "reserved", status: "reserved" });
  await addPhone(db, { sellerId: id, model: "sold", status: "sold" });
  await addPhone(db, { sellerId: id, model: "removed", removalId: "some removal" });
  await addPhone(db, { model: "somebody else's" });
  const found = await findSeller(db, id, null);
  assert.ok(found);
  assert.deepEqual(found.seller, {
    id,
    name: "Ada",
    rating: { average: 0, count: 0 },
    sellerVerified: "yes",
    since: "2025-01",
  });
  assert.equal(found.sold, 1);
  assert.deepEqual(
    found.phones.map(({ model, status }) => [model, status]),
    [
      ["reserved", "reserved"],
      ["available", "available"],
    ],
  );
  assert.equal(JSON.stringify(found).includes("@"), false);
};

export const showsExistingSellersOnly = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  assert.deepEqual((await findSeller(db, seller.id, null))?.phones, []);
  await db.update(users).set({ removalId: "some removal" }).where(eq(users.id, seller.id));
  assert.equal(await findSeller(db, seller.id, null), null);

  const buyer = await addAccount(db);
  await addPhone(db, { sellerId: buyer.id, removalId: "some removal" });
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
