import assert from "node:assert/strict";
import { eq, inArray, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, users } from "#app/db/schema.ts";
import { categoryByPath } from "#app/features/catalog/category.rules.ts";
import { newestListed } from "#app/features/catalog/feed.server.ts";
import { similarTo } from "#app/features/catalog/similar.server.ts";
import { listingsOfPart, sitemapParts, urlsPerPart } from "#app/features/catalog/sitemap.server.ts";
import { findListing } from "#app/features/listings/listing.server.ts";
import { addAccount, addPhone, noDetails } from "../../harness/fixtures.ts";

export const readsTheFieldsOfAListingsPageOnly = async (db: Db) => {
  const seller = await addAccount(db, {
    userType: "Seller",
    name: "Ada Ström",
    verified: true,
    createdAt: new Date("2024-03-31T23:30:00Z"),
  });
  const {
    createdAt: _createdAt,
    hiddenById: _hiddenById,
    formKey: _formKey,
    imeiHash: _imeiHash,
    details: _details,
    ownNumber: _ownNumber,
    pausedUntil: _pausedUntil,
    soldElsewhere: _soldElsewhere,
    ...shown
  } = await addPhone(db, { sellerId: seller.id, status: "sold" });
  const found = { ...(await findListing(db, shown.id)), similar: await similarTo(db, shown.id) };
  const ofSeller = {
    sellerName: "Ada Ström",
    sellerVerified: true,
    sellerSince: "2024-03",
    sellerHasAccount: true,
    sellerRating: { average: 0, count: 0 },
    sellerRecord: {
      sales: 1,
      orders: { handedOver: 0, missed: 0, all: 0, withProblem: 0, returned: 0 },
      handoverMs: null,
      questions: { answered: 0, unanswered: 0 },
    },
  };
  assert.deepEqual(found, {
    listing: { ...shown, ...noDetails, hasImei: false, ...ofSeller },
    similar: [],
    photos: [],
    prices: [],
    fair: null,
    model: null,
  });
};

export const findsNoRemovedOrUnknownListing = async (db: Db) => {
  const { id } = await addPhone(db, { hiddenById: "some removal" });
  for (const requested of [id, "", "nothing", "' OR '1'='1", "x".repeat(10_000)]) {
    assert.equal(await findListing(db, requested), null);
  }
};

export const marksListingsOfClosedAccounts = async (db: Db) => {
  const { id, sellerId } = await addPhone(db, { status: "sold" });
  await db.update(users).set({ removalId: "some removal" }).where(eq(users.id, sellerId));
  assert.equal((await findListing(db, id))?.listing.sellerHasAccount, false);
};

export const listsAvailableSimilarDevicesFirst = async (db: Db) => {
  const mine = { brandName: "Nokia", sellingCents: 30_000 };
  const it = await addPhone(db, { ...mine, model: "itself" });
  const add = (model: string, other: Partial<typeof phones.$inferInsert>) =>
    addPhone(db, { ...mine, model, ...other });
  await add("sold", { status: "sold" });
  await add("removed", { hiddenById: "some removal" });
  await add("an iPhone", { os: "Ios" });
  await add("a tablet", { deviceType: "Tablet" });
  await add("reserved", { status: "reserved" });
  await add("far off", { sellingCents: 90_000 });
  await add("near", { sellingCents: 31_000 });
  const names = async () => (await similarTo(db, it.id)).map(({ model }) => model);
  assert.deepEqual(await names(), ["near", "far off", "reserved"]);

  await add("another brand", { brandName: "Sony" });
  assert.deepEqual(await names(), ["near", "far off", "another brand", "reserved"]);
  await add("nearer", { sellingCents: 29_500 });
  assert.deepEqual(await names(), ["nearer", "near", "far off", "another brand"]);

  // Also for a phone that is no longer listed.
  await db.update(phones).set({ status: "sold" }).where(eq(phones.id, it.id));
  assert.deepEqual(await names(), ["nearer", "near", "far off", "another brand"]);

  // Photos count more than the price, and less than the brand.
  await db
    .update(phones)
    .set({ cover: "photo" })
    .where(inArray(phones.model, ["far off", "another brand"]));
  assert.deepEqual(await names(), ["far off", "nearer", "near", "another brand"]);
};

export const findsSimilarDevicesByIndexesOnly = async (db: Db) => {
  const { id } = await addPhone(db);
  const plan = await db.all<{ detail: string }>(sql`explain query plan ${similarTo(db, id).getSQL()}`);
  const steps = plan.map(({ detail }) => detail);
  assert.equal(steps.filter((step) => /catalog_category_price/.test(step)).length, 2, steps.join("\n"));
  assert.deepEqual(
    steps.filter((step) => /^SCAN (phones|it)\b/.test(step) && !/USING (COVERING )?INDEX/.test(step)),
    [],
  );
};

export const listsEachListingOnceInTheSitemap = async (db: Db) => {
  assert.deepEqual(await sitemapParts(db), { listings: 0, models: 0 });
  const [first, second, third, sold, removed] = [
    await addPhone(db),
    await addPhone(db, { status: "reserved" }),
    await addPhone(db),
    await addPhone(db, { status: "sold" }),
    await addPhone(db, { hiddenById: "some removal" }),
  ];
  // As if so many had been added in between.
  const places = [
    [second, urlsPerPart],
    [sold, urlsPerPart + 1],
    [removed, 2 * urlsPerPart],
    [third, 2 * urlsPerPart + 1],
  ] as const;
  for (const [{ id }, number] of places) await db.update(phones).set({ number }).where(eq(phones.id, id));
  assert.equal((await sitemapParts(db)).listings, 3);
  const idsOf = async (part: number) => {
    const ids: string[] = [];
    for await (const some of listingsOfPart(db, part)) ids.push(...some);
    return ids;
  };
  assert.deepEqual(await idsOf(1), [first.id, second.id]);
  assert.deepEqual(await idsOf(2), []);
  assert.deepEqual(await idsOf(3), [third.id]);
};

export const listsNewestListingsInAFeed = async (db: Db) => {
  await addPhone(db, { model: "Android phone" });
  await addPhone(db, { model: "Android tablet", deviceType: "Tablet" });
  await addPhone(db, { model: "iPad", os: "Ios", deviceType: "Tablet" });
  await addPhone(db, { model: "iPhone", os: "Ios" });
  await addPhone(db, { model: "sold", status: "sold" });
  await addPhone(db, { model: "removed", hiddenById: "some removal" });
  const listedTypes = async (path: string) =>
    (await newestListed(db, categoryByPath(path))).map(({ model }) => model);
  assert.deepEqual(await listedTypes("/products"), ["iPhone", "iPad", "Android tablet", "Android phone"]);
  assert.deepEqual(await listedTypes("/android"), ["Android phone"]);
  assert.deepEqual(await listedTypes("/ios"), ["iPhone"]);
  assert.deepEqual(await listedTypes("/tablet"), ["iPad", "Android tablet"]);
};
