import assert from "node:assert/strict";
import { asc, eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { activity, brands, orders, phones, savedSearches, users, usualPrices } from "#app/db/schema.ts";
import { activityTargetText } from "#app/features/administration/activity-texts.ts";
import { findBrandMerging, mergeBrands } from "#app/features/administration/brand-merging.server.ts";
import { categoryByKey } from "#app/features/catalog/category.rules.ts";
import { findModel, findRespelledModel } from "#app/features/catalog/model.server.ts";
import { searchWithCorrection } from "#app/features/catalog/search/search.server.ts";
import { parseSearchQuery } from "#app/features/catalog/search/search-query.rules.ts";
import { suggest } from "#app/features/catalog/search/suggestions.server.ts";
import { fairPrice, refreshUsualPrices } from "#app/features/listings/fair-price.server.ts";
import type { NewListing } from "#app/features/listings/listing.schema.ts";
import { changeListing, editListing } from "#app/features/listings/listing-edit.server.ts";
import {
  isSavedSearch,
  readSearchToSave,
  saveSearch,
} from "#app/features/saved-searches/saved-searches.server.ts";
import { matchListings } from "#app/features/saved-searches/search-alerts.server.ts";
import { bookWithoutLimits } from "../../harness/bookings.ts";
import { assertCountsMatch } from "../../harness/catalog-counts.ts";
import { addAccount, addPhone, editPhone } from "../../harness/fixtures.ts";
import { publish } from "../../harness/publish.ts";
import { addSale, addSales } from "../../harness/sales.ts";
import { browse } from "../../harness/search.ts";

const edge: NewListing = {
  brandName: "Motorola",
  model: "Edge 40",
  ram: "8 GB",
  rom: "256 GB",
  camera: "50 MP",
  processor: "Dimensity 8020",
  os: "Android",
  deviceType: "Smart Phone",
  image: "https://pictures.example/edge.jpg",
  battery: "4400 mAh",
  sellingReason: "Too large for me.",
  marketPrice: 59_900,
  sellingPrice: 24_950,
  postDate: "2026-11-20",
  usedTime: "14",
};

const products = categoryByKey("products");

const brandNames = async (db: Db) =>
  (await db.select({ name: phones.brandName }).from(phones).orderBy(asc(phones.id))).map(({ name }) => name);

const search = (db: Db, typed: string) =>
  searchWithCorrection(db, products, parseSearchQuery(new URLSearchParams(typed)));

export const spellsABrandAsItWasFirstListed = async (db: Db) => {
  const seller = await addAccount(db);
  const form = "11111111-1111-4111-8111-111111111111";
  for (const brandName of ["Motorola", "motorola", "MOTOROLA", "Ｍｏｔｏｒｏｌａ"])
    await publish(db, seller, { ...edge, brandName }, null);
  await publish(db, seller, { ...edge, brandName: "mOtOrOlA" }, form);
  await publish(db, seller, { ...edge, brandName: "MotorolA" }, form);
  for (const brandName of ["Łódź", "ŁÓDŹ"]) await publish(db, seller, { ...edge, brandName }, null);
  const { choices } = await browse(db);
  assert.deepEqual(choices.brand, [
    ["Motorola", 5],
    ["Łódź", 2],
  ]);
  assert.equal((await browse(db, "/products", { filters: { brand: ["Motorola"] } })).count, 5);
  assert.equal((await findModel(db, "motorola-edge-40", null))?.model.listed, 5);
  const suggested = (await suggest(db, "moto")).map(({ label, count }) => [label, count]);
  assert.deepEqual(suggested, [
    ["Motorola", 5],
    ["Motorola Edge 40", 5],
  ]);
};

export const spellsABrandOnceThatTwoListAtTheSameMoment = async (db: Db) => {
  const [one, other] = [await addAccount(db), await addAccount(db)];
  await Promise.all([
    publish(db, one, { ...edge, brandName: "motorola" }, null),
    publish(db, other, { ...edge, brandName: "MOTOROLA" }, null),
  ]);
  assert.equal(new Set(await brandNames(db)).size, 1);
};

export const keepsABrandsSpellingWhenAListingIsEdited = async (db: Db) => {
  const seller = await addAccount(db);
  await publish(db, seller, edge, null);
  const id = await publish(db, seller, { ...edge, brandName: "Sony", model: "Xperia 5" }, null);
  assert.equal(await editListing(db, seller, id, { ...edge, brandName: "MOTOROLA" }, []), "saved");
  assert.equal(await changeListing(db, seller, id, { brandName: "motorola" }, []), "saved");
  assert.deepEqual(await brandNames(db), ["Motorola", "Motorola"]);
  // Another letter case is no other device.
  await editPhone(db, id, { status: "reserved" });
  assert.equal(await changeListing(db, seller, id, { brandName: "motorola" }, []), "saved");
  assert.equal(await changeListing(db, seller, id, { brandName: "Sony" }, []), "identity locked");
};

export const findsABrandByLinksInAnySpelling = async (db: Db) => {
  const seller = await addAccount(db);
  await publish(db, seller, edge, null);
  await publish(db, seller, { ...edge, brandName: "Sony" }, null);
  for (const typed of ["brand=motorola", "brand=MOTOROLA&brand=Motorola", "brand=moTorola&q=edge"]) {
    const { count, query, choices } = await search(db, typed);
    assert.deepEqual([typed, count, query.filters.brand], [typed, 1, ["Motorola"]]);
    assert.deepEqual(choices.brand, [
      ["Motorola", 1],
      ["Sony", 1],
    ]);
  }
  assert.deepEqual((await search(db, "brand=nobody")).query.filters.brand, ["nobody"]);
};

export const matchesSavedSearchesForABrandInAnySpelling = async (db: Db) => {
  const [seller, searcher] = [await addAccount(db), await addAccount(db)];
  await publish(db, seller, edge, null);
  await matchListings(db);
  const save = async (typed: string) =>
    saveSearch(
      db,
      searcher,
      { name: typed, frequency: "daily" },
      { category: products, query: parseSearchQuery(new URLSearchParams(typed)) },
    );
  for (const typed of ["brand=motorola", "brand=MOTOROLA&rom=256+GB", "brand=Sony"]) await save(typed);
  await publish(db, seller, { ...edge, brandName: "MotoRola" }, null);
  await matchListings(db);
  const found = await db
    .select({ name: savedSearches.name, count: savedSearches.newMatchCount })
    .from(savedSearches)
    .orderBy(asc(savedSearches.id));
  assert.deepEqual(
    found.map(({ name, count }) => [name, count]),
    [
      ["brand=motorola", 1],
      ["brand=MOTOROLA&rom=256+GB", 1],
      ["brand=Sony", 0],
    ],
  );
  // What is saved from an old link is the search that the page shows.
  const { category, query } = await readSearchToSave(db, new URLSearchParams("brand=motorola&brand=Sony"));
  await saveSearch(db, searcher, { name: "old link", frequency: "daily" }, { category, query });
  const shown = (await search(db, "brand=MOTOROLA&brand=Sony")).query;
  assert.equal(await isSavedSearch(db, searcher, { category: products, query: shown }), true);
};

export const mergesTwoSpellingsOfABrand = async (db: Db) => {
  const [seller, searcher, admin] = [
    await addAccount(db),
    await addAccount(db),
    await addAccount(db, { userType: "Admin" }),
  ];
  const kept = await publish(db, seller, edge, null);
  const moved = await publish(db, seller, { ...edge, brandName: "Moto", sellingPrice: 20_000 }, null);
  const razr = await publish(db, seller, { ...edge, brandName: "Moto", model: "Razr 40" }, null);
  await publish(db, seller, { ...edge, brandName: "Moto Labs" }, null);
  await editPhone(db, moved, { status: "sold" });
  const { category, query } = await readSearchToSave(db, new URLSearchParams("brand=Moto"));
  await saveSearch(db, searcher, { name: "Moto", frequency: "daily" }, { category, query });
  await matchListings(db);
  await changeListing(db, seller, razr, { sellingPrice: 19_000 }, []);

  assert.equal(await findBrandMerging(db, { brand: "Nokia", spelling: "Motorola" }), null);
  const merging = await findBrandMerging(db, { brand: "MOTO", spelling: "motorola" });
  assert.deepEqual(merging, { from: "Moto", to: "Motorola", listed: 1 });
  await mergeBrands(db, admin, merging);
  await matchListings(db);
  assert.deepEqual(await brandNames(db), ["Motorola", "Motorola", "Motorola", "Moto Labs"]);
  assert.deepEqual((await browse(db)).choices.brand, [
    ["Motorola", 2],
    ["Moto Labs", 1],
  ]);
  assert.equal((await findModel(db, "motorola-razr-40", null))?.model.listed, 1);
  assert.deepEqual((await search(db, "q=motorola+razr")).count, 1);
  const [logged] = await db.select().from(activity);
  assert.ok(logged);
  assert.deepEqual([logged.action, activityTargetText(logged)], ["merged brands", "Moto into Motorola"]);

  // The old spelling leads to the brand: links, what sellers type, and saved searches.
  const { count, query: shown } = await search(db, "brand=moto");
  assert.deepEqual([count, shown.filters.brand], [2, ["Motorola"]]);
  await publish(db, seller, { ...edge, brandName: "moto", model: "Edge 50" }, null);
  assert.equal((await findModel(db, "motorola-edge-50", null))?.model.listed, 1);
  assert.equal(await changeListing(db, seller, kept, { brandName: "Moto" }, []), "saved");
  await matchListings(db);
  const [saved] = await db.select().from(savedSearches);
  assert.equal(saved?.newMatchCount, 2);
  assert.equal((await findBrandMerging(db, { brand: "moto", spelling: "Motorola" }))?.from, "Motorola");
  await assertCountsMatch(db, "merged");
};

export const respellsABrand = async (db: Db) => {
  const [seller, admin] = [await addAccount(db), await addAccount(db, { userType: "Admin" })];
  await publish(db, seller, { ...edge, brandName: "motorola" }, null);
  const merging = await findBrandMerging(db, { brand: "motorola", spelling: "Motorola" });
  assert.deepEqual(merging, { from: "motorola", to: "Motorola", listed: 1 });
  await mergeBrands(db, admin, merging);
  await publish(db, seller, { ...edge, brandName: "MOTOROLA" }, null);
  assert.deepEqual((await browse(db)).choices.brand, [["Motorola", 2]]);
  assert.equal((await search(db, "q=motorola")).count, 2);
  await assertCountsMatch(db, "respelled");
};

export const movesSalesAndLinksWithAMergedBrand = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const device = { model: "Edge 40", rom: "256 GB" };
  await addSales(db, { ...device, brandName: "Moto" }, [20_000, 30_000, 40_000]);
  await addSales(db, { ...device, brandName: "Moto Labs" }, [50_000, 50_000, 50_000]);
  await addSale(db, { ...device, brandName: "Motorola" }, 31_000);
  const [buyer, seller] = [await addAccount(db), await addAccount(db, { userType: "Seller" })];
  const reserved = await addPhone(db, { ...device, brandName: "Moto", sellerId: seller.id });
  const booked = await bookWithoutLimits(db, buyer, reserved.id, { address: "", phone: "" });
  await refreshUsualPrices(db);
  const usual = async (brandName: string) => {
    const { count = 0, median = null } = (await fairPrice(db, { ...device, brandName })) ?? {};
    return [count, median];
  };
  assert.deepEqual(await usual("Moto"), [3, 30_000]);
  assert.deepEqual(await usual("Motorola"), [0, null]);

  await mergeBrands(db, admin, { from: "Moto", to: "Motorola" });
  await refreshUsualPrices(db);
  const fair = [4, 30_500];
  assert.deepEqual([await usual("Motorola"), await usual("Moto")], [fair, fair]);
  assert.deepEqual(await usual("Moto Labs"), [3, 50_000]);
  const shown = (await findModel(db, "motorola-edge-40", null))?.sales;
  assert.deepEqual([shown?.wasSold, shown?.count], [true, 4]);
  const left = await db.select().from(usualPrices).where(eq(usualPrices.device, "moto edge 40"));
  assert.deepEqual(
    left.map(({ sales }) => sales),
    [0],
  );

  // What was reserved before counts as the same device once it is received.
  const { orderId } = booked as { orderId: string };
  await db.update(users).set({ emailVerifiedAt: new Date() });
  await db.update(orders).set({ stage: "received" }).where(eq(orders.id, orderId));
  await refreshUsualPrices(db);
  assert.equal((await usual("Motorola"))[0], 5);

  assert.equal(await findModel(db, "moto-edge-40", null), null);
  assert.equal(await findRespelledModel(db, "moto-edge-40"), "motorola-edge-40");
  assert.equal(await findRespelledModel(db, "MOTO-Edge-40"), "motorola-edge-40");
  for (const gone of ["moto", "moto-", "moto-razr", "motorola-edge-40", "moto-labs-edge-40", "", "x"])
    assert.equal(await findRespelledModel(db, gone), null, gone);
  await mergeBrands(db, admin, { from: "Moto Labs", to: "Łódź & Co" });
  assert.equal(await findRespelledModel(db, "moto-labs-edge-40"), "lodz-co-edge-40");
  await mergeBrands(db, admin, { from: "Łódź & Co", to: "Motorola" });
  for (const old of ["moto-labs-edge-40", "lodz-co-edge-40"])
    assert.equal(await findRespelledModel(db, old), "motorola-edge-40");
};

/** A migration, which folds ASCII letters alone, has left two spellings and their keys. */
export const mergesLetterCasesThatNoMigrationFolds = async (db: Db) => {
  const [seller, admin] = [await addAccount(db), await addAccount(db, { userType: "Admin" })];
  for (const brandName of ["Öko", "öko"]) {
    await addPhone(db, { brandName, model: "Edge 40", sellerId: seller.id });
    await db.update(brands).set({ key: brandName }).where(eq(brands.name, brandName));
  }
  for (const brandName of ["Öko", "öko"]) {
    const { count, query } = await search(db, `brand=${brandName}`);
    assert.deepEqual([count, query.filters.brand], [1, [brandName]]);
  }
  const merging = await findBrandMerging(db, { brand: "Öko", spelling: "öko" });
  assert.deepEqual(merging, { from: "Öko", to: "öko", listed: 1 });
  await mergeBrands(db, admin, merging);
  await publish(db, seller, { ...edge, brandName: "ÖKO" }, null);
  assert.deepEqual((await browse(db)).choices.brand, [["öko", 3]]);
  assert.equal((await search(db, "brand=Öko")).count, 3);
  const respelling = await findBrandMerging(db, { brand: "öko", spelling: "Öko" });
  assert.deepEqual(respelling, { from: "öko", to: "Öko", listed: 3 });
  await mergeBrands(db, admin, respelling);
  assert.deepEqual((await browse(db)).choices.brand, [["Öko", 3]]);
};
