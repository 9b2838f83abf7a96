import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, photos, users } from "#app/db/schema.ts";
import { feedParts, listingsOfFeed } from "#app/features/catalog/product-feed.server.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";

async function addWithPhotos(db: Db, count: number, values: Parameters<typeof addPhone>[1] = {}) {
  const { id } = await addPhone(db, values);
  const ids = Array.from({ length: count }, (_, position) => `${id}-${position}`);
  const size = { width: 1200, height: 900 };
  for (const [position, photo] of [...ids.entries()].toReversed())
    await db.insert(photos).values({ id: photo, phoneId: id, position, digest: photo, ...size });
  await db.update(phones).set({ cover: ids[0] }).where(eq(phones.id, id));
  return { id, photos: ids };
}

async function feed(db: Db, part: number, perPart?: number) {
  const found = [];
  for await (const some of listingsOfFeed(db, part, perPart)) found.push(...some);
  return found.map(({ id, photos: shown }) => ({ id, photos: shown }));
}

export const theFeedHasWhatMayBeSoldInTheOrderOfItsPhotos = async (db: Db) => {
  const [seller, optedOut, removed] = [await addAccount(db), await addAccount(db), await addAccount(db)];
  const of = { sellerId: seller.id };
  const many = await addWithPhotos(db, 13, of);
  const reserved = await addWithPhotos(db, 1, { ...of, status: "reserved" });
  await addPhone(db, of);
  for (const status of ["sold", "paused"] as const) await addWithPhotos(db, 1, { ...of, status });
  await addWithPhotos(db, 1, { ...of, hiddenById: "decision" });
  await addWithPhotos(db, 1, { sellerId: optedOut.id });
  await db.update(users).set({ inProductFeed: false }).where(eq(users.id, optedOut.id));
  await addWithPhotos(db, 1, { sellerId: removed.id });
  await db.update(users).set({ removalId: "removal" }).where(eq(users.id, removed.id));
  assert.deepEqual(await feed(db, 1), [{ ...many, photos: many.photos.slice(0, 11) }, reserved]);
  assert.equal(await feedParts(db), 1);
};

export const theFeedLeavesOutContactDetailsAndOtherSites = async (db: Db) => {
  const fit = [];
  for (const values of [
    { model: "XR20" },
    { camera: "12 MP, f/1.8" },
    { battery: "3.1 Ah" },
    { model: "3.1 Plus" },
  ])
    fit.push(await addWithPhotos(db, 1, values));
  for (const values of [
    { model: "XR20 call 512-555-0147" },
    { camera: "mail me at a@evil.com" },
    { camera: "https://evil.com" },
    { processor: "see evil.shop" },
    { battery: "WhatsApp: ringer99" },
    { usedTime: "www.evil.example" },
  ])
    await addWithPhotos(db, 1, values);
  assert.deepEqual(await feed(db, 1), fit);
};

export const partsHaveEachListingOnce = async (db: Db) => {
  assert.equal(await feedParts(db, 2), 1);
  const added = [];
  for (let times = 0; times < 5; times += 1) added.push(await addWithPhotos(db, 1));
  assert.equal(await feedParts(db, 2), 3);
  const parts = [await feed(db, 1, 2), await feed(db, 2, 2), await feed(db, 3, 2)];
  assert.deepEqual(
    parts.map((part) => part.length),
    [2, 2, 1],
  );
  assert.deepEqual(parts.flat(), added);
};
