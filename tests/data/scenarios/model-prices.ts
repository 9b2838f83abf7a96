import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { orders, users, usualPrices } from "#app/db/schema.ts";
import {
  findModelPrices,
  findPricedModels,
  listPricedModels,
} from "#app/features/catalog/model-prices.server.ts";
import { suggest } from "#app/features/catalog/search/suggestions.server.ts";
import { modelsOfSitemapPart } from "#app/features/catalog/sitemap.server.ts";
import { fairPrice, refreshUsualPrices } from "#app/features/listings/fair-price.server.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";
import { addSale, addSales } from "../../harness/sales.ts";

const iphone = { brandName: "Apple", model: "iPhone 13", os: "Ios", ram: "4 GB", rom: "128 GB" } as const;
const slug = "apple-iphone-13";
const prices = (count: number, median: number, lowest: number, highest: number) => ({
  count,
  median,
  lowest,
  highest,
});

export const pricesAreByStorageAndCondition = async (db: Db) => {
  const good = { ...iphone, condition: "Good" } as const;
  for (const cents of [30_000, 31_000, 35_000]) await addSale(db, good, cents);
  await addSale(db, { ...iphone, condition: "Excellent" }, 40_000);
  // The same storage in another spelling, and others.
  await addSale(db, { ...iphone, rom: "128GB" }, 29_000);
  for (const cents of [50_000, 52_000]) await addSale(db, { ...iphone, rom: "256 GB" }, cents);
  await addPhone(db, { ...iphone, rom: "1 TB" });
  await refreshUsualPrices(db);

  const page = await findModelPrices(db, slug);
  assert.deepEqual(page?.storages, [
    {
      storage: "128 GB",
      prices: prices(5, 31_000, 29_000, 40_000),
      conditions: [
        { condition: "Excellent", prices: null },
        { condition: "Good", prices: prices(3, 31_000, 30_000, 35_000) },
        { condition: null, prices: null },
      ],
    },
    { storage: "256 GB", prices: null, conditions: [{ condition: null, prices: null }] },
    { storage: "1 TB", prices: null, conditions: [] },
  ]);
  // The same as beside a listing.
  assert.deepEqual(await fairPrice(db, iphone), page?.storages[0]?.prices);
  assert.deepEqual(page?.sales.prices, page?.storages[0]?.prices);
  assert.deepEqual(
    page?.sales.months.map(({ prices: some }) => some),
    [page?.sales.prices],
  );
};

export const storagesMayDifferMuchInPrice = async (db: Db) => {
  const small = { ...iphone, rom: "64 GB" };
  const one = await addSale(db, small, 15_000);
  const two = await addSale(db, small, 15_500);
  const three = await addSale(db, small, 16_000);
  await addSale(db, { ...iphone, rom: "256 GB" }, 35_000, { seller: one.seller });
  const large = { ...iphone, rom: "1 TB" };
  await addSale(db, large, 80_000, { buyer: two.buyer, seller: one.seller });
  await addSale(db, large, 81_000, { buyer: three.buyer, seller: two.seller });
  await addSale(db, large, 82_000, { buyer: one.buyer, seller: three.seller });
  await refreshUsualPrices(db);
  const page = await findModelPrices(db, slug);
  assert.deepEqual(
    page?.storages.map(({ storage, prices: some }) => [storage, some?.median]),
    [
      ["64 GB", 15_500],
      ["256 GB", undefined],
      ["1 TB", 81_000],
    ],
  );
  assert.deepEqual(page?.sales.prices, prices(6, 48_000, 15_000, 82_000));
  assert.equal(page?.isPriced, true);
};

export const oneRuleSaysWhichPricesAreListed = async (db: Db) => {
  const listed = async () => {
    const models = (await listPricedModels(db)).models.map((model) => model.slug);
    const paths = [];
    for await (const some of modelsOfSitemapPart(db, 1)) paths.push(...some);
    const inSitemap = paths.filter((path) => path.endsWith("/prices"));
    assert.deepEqual(inSitemap.toSorted(), models.map((model) => `/models/${model}/prices`).toSorted());
    for (const model of [slug, "apple-iphone-12"])
      assert.equal((await findModelPrices(db, model))?.isPriced ?? false, models.includes(model), model);
    return models;
  };
  // One sale of each of three storages is a price of none.
  for (const rom of ["64 GB", "128 GB", "256 GB"]) await addSale(db, { ...iphone, rom }, 30_000);
  await refreshUsualPrices(db);
  assert.deepEqual(await listed(), []);
  assert.deepEqual((await findModelPrices(db, slug))?.sales, {
    count: 0,
    isCapped: false,
    prices: null,
    months: [],
  });
  // None of these is for sale.
  await addSales(db, { ...iphone, model: "iPhone 12" }, [20_000, 21_000, 22_000]);
  assert.deepEqual(await listed(), ["apple-iphone-12"]);
};

export const whatCountsForNoUsualPriceCountsForNone = async (db: Db) => {
  const { buyer, seller } = await addSale(db, iphone, 30_000);
  // Of a pair, the newest counts; a price far off counts for none.
  await addSale(db, iphone, 33_000, { buyer, seller });
  await addSale(db, iphone, 90_000);
  await addSale(db, iphone, 31_000);
  const all = async () => (await findModelPrices(db, slug))?.storages[0]?.prices ?? null;
  const suspended = await addSale(db, iphone, 32_000);
  assert.deepEqual(await all(), prices(3, 32_000, 31_000, 33_000));
  // Nor do those of suspended sides, without a confirmed address, or not received.
  await db.update(users).set({ suspensionId: "decision" }).where(eq(users.id, suspended.seller.id));
  assert.equal(await all(), null);
  await addSale(db, iphone, 32_000, { buyer: await addAccount(db) });
  await addSale(db, iphone, 32_000, { stage: "handed over" });
  assert.equal(await all(), null);
  await db.update(users).set({ suspensionId: null });
  assert.notEqual(await all(), null);
  // A return takes its sale away.
  await db.update(orders).set({ stage: "handed over" }).where(eq(orders.buyerId, suspended.buyer.id));
  assert.equal(await all(), null);
  assert.equal(await findModelPrices(db, "apple-iphone-99"), null);
};

export const modelsWithPricesAreFoundByWhatPeopleType = async (db: Db) => {
  assert.deepEqual((await listPricedModels(db)).models, []);
  await addSales(db, iphone, [30_000, 31_000, 35_000]);
  await addSales(db, { ...iphone, rom: "256 GB" }, [50_000, 51_000, 52_000]);
  await addPhone(db, { ...iphone, model: "iPhone 13 mini" });
  await addPhone(db, { brandName: "Google", model: "Pixel 8" });
  const iphone13 = { slug, name: "Apple iPhone 13", range: { lowest: 31_000, highest: 51_000 } };
  assert.deepEqual((await listPricedModels(db)).models, [iphone13]);
  const found = async (words: string) => (await findPricedModels(db, words)).models.map(({ name }) => name);
  // Just this one, also with none for sale.
  assert.deepEqual(await found("Apple iPhone 13"), ["Apple iPhone 13"]);
  assert.deepEqual((await findPricedModels(db, "iphone 13 price")).models, [
    iphone13,
    { slug: `${slug}-mini`, name: "Apple iPhone 13 mini", range: null },
  ]);
  for (const typed of ["what is my pixel worth", "how much is a pixel 8 worth", "pixel 8 resale value"])
    assert.deepEqual(await found(typed), ["Google Pixel 8"], typed);
  assert.deepEqual(await found("%"), []);
  for (const typed of ["resale value pixel 8", "pixel 8 resale value 2026", "pixle 8 price"])
    assert.deepEqual(await found(typed), ["Google Pixel 8"], typed);
  for (const typed of ["what is my phone worth", "What’s my phone worth?", "prices"])
    assert.deepEqual(await findPricedModels(db, typed), await listPricedModels(db), typed);

  const suggested = async (words: string) => (await suggest(db, words)).map(({ label, to }) => [label, to]);
  assert.deepEqual(await suggested("pixel 8 price"), [
    ["Google Pixel 8 prices", "/models/google-pixel-8/prices"],
  ]);
  // Mistyped names, which are corrected where they are typed out.
  for (const typed of ["pixle 8 price", "gogle pixel 8 worth"])
    assert.deepEqual(await suggested(typed), await suggested("pixel 8 price"), typed);
  assert.deepEqual(await suggested("pixle 8"), []);
  assert.deepEqual(await suggested("what is my pixel worth"), [
    ["Google Pixel 8 prices", "/models/google-pixel-8/prices"],
  ]);
  for (const typed of ["how much is my pixel 8", "what can i sell my pixel 8 for", "resale value pixel 8"])
    assert.deepEqual(
      await suggested(typed),
      [["Google Pixel 8 prices", "/models/google-pixel-8/prices"]],
      typed,
    );
  assert.deepEqual(await suggested("pixel 8"), [["Google Pixel 8", "/models/google-pixel-8"]]);
};

export const eachPricedModelIsOnOnePage = async (db: Db) => {
  const numbers = Array.from({ length: 57 }, (_, at) => at + 10);
  for (const number of numbers) {
    await addPhone(db, { ...iphone, model: `iPhone ${number}` });
    const few = { changes: 0, medianCents: 30_000, lowestCents: 30_000, highestCents: 30_000 };
    // Several have as many sales.
    const sales = 100 - Math.floor(number / 10);
    await db.insert(usualPrices).values({ device: `apple iphone ${number}`, rom: "131072", sales, ...few });
  }
  await addPhone(db, { brandName: "Google", model: "Pixel 8" });
  for (const read of [
    (cursor: Cursor) => listPricedModels(db, cursor),
    (cursor: Cursor) => findPricedModels(db, "apple", cursor),
  ]) {
    const pages = [await read(null)];
    for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) pages.push(await read({ after: next }));
    assert.deepEqual(
      pages.map(({ models }) => models.length),
      [24, 24, 9],
    );
    assert.deepEqual(
      pages.flatMap(({ models }) => models.map(({ name, range }) => [name, range?.lowest])),
      numbers.map((number) => [`Apple iPhone ${number}`, 30_000]),
    );
    const back = await read({ before: pages[2]?.previous ?? "" });
    assert.deepEqual(back.models, pages[1]?.models);
    assert.equal((await read({ before: back.previous ?? "" })).previous, null);
  }
};
