import assert from "node:assert/strict";
import { eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { deviceVariants, reviews, users } from "#app/db/schema.ts";
import { findModel } from "#app/features/catalog/model.server.ts";
import { pageSize } from "#app/features/catalog/search/search.server.ts";
import { modelsOfSitemapPart, sitemapParts } from "#app/features/catalog/sitemap.server.ts";
import { findListing } from "#app/features/listings/listing.server.ts";
import { addAccount, addPhone, editPhone } from "../../harness/fixtures.ts";
import { addSale } from "../../harness/sales.ts";

const iphone = { brandName: "Apple", model: "iPhone 13", os: "Ios", ram: "4 GB", rom: "128 GB" } as const;
const now = new Date("2026-11-22T12:00:00Z");

export const findsAModelInAnySpelling = async (db: Db) => {
  const { id: sellerId } = await addAccount(db, { userType: "Seller" });
  const add = (values: Parameters<typeof addPhone>[1]) => addPhone(db, { sellerId, ...iphone, ...values });
  const first = await add({});
  await add({ brandName: "APPLE", model: "iphone-13", status: "reserved" });
  const last = await add({ processor: "Another" });
  await add({ status: "sold" });
  await add({ hiddenById: "some removal" });
  await add({ model: "iPhone 13 Pro" });
  for (const slug of ["apple-iphone-13", "Apple iPhone 13", "APPLE_IPHONE--13-"]) {
    const page = await findModel(db, slug, null);
    assert.ok(page, slug);
    assert.deepEqual(page.model, {
      ...{ slug: "apple-iphone-13", name: "Apple iPhone 13", brand: "Apple", model: "iPhone 13" },
      ...{ listed: 3, available: 2 },
    });
    assert.equal(page.category.path, "/ios");
    assert.deepEqual(
      page.phones.map(({ status }) => status),
      ["available", "reserved", "available"],
    );
    assert.deepEqual([page.phones[0]?.id, page.phones[2]?.id], [last.id, first.id]);
  }
  for (const slug of ["", "-", "apple", "apple-iphone", "apple-iphone-1", "' or 1=1", "x".repeat(2000)]) {
    assert.equal(await findModel(db, slug, null), null, slug);
  }
};

export const showsTheRatingOfEachSeller = async (db: Db) => {
  const [rated, fresh] = [
    await addAccount(db, { userType: "Seller" }),
    await addAccount(db, { userType: "Seller" }),
  ];
  const hour = 3_600_000;
  const review = { authorRole: "buyer", subjectId: rated.id, text: "" } as const;
  const emailVerifiedAt = new Date(0);
  for (const order of [0, 1, 2, 3]) await addAccount(db, { id: `buyer ${order}`, emailVerifiedAt });
  await db.insert(reviews).values(
    [5, 4, 4, 1].map((stars, order) => ({
      ...{ ...review, stars, authorId: `buyer ${order}`, orderId: `order ${order}` },
      // The last one is not published yet, and another is by a seller.
      publishedAt: new Date(now.getTime() + (order === 3 ? hour : -hour)),
    })),
  );
  await db.insert(reviews).values({
    ...review,
    authorId: "somebody",
    authorRole: "seller",
    stars: 1,
    orderId: "order 4",
    publishedAt: new Date(0),
  });
  for (const sellerId of [rated.id, fresh.id, rated.id]) await addPhone(db, { ...iphone, sellerId });
  const page = await findModel(db, "apple-iphone-13", null, now);
  assert.deepEqual(
    page?.phones.map(({ sellerId, sellerRating }) => [sellerId, sellerRating.count]),
    [
      [rated.id, 3],
      [fresh.id, 0],
      [rated.id, 3],
    ],
  );
  assert.equal(page?.phones[0]?.sellerRating.average.toFixed(1), "4.3");
};

export const findsTheCheapestOffers = async (db: Db) => {
  const { id: sellerId } = await addAccount(db, { userType: "Seller" });
  const add = (sellingCents: number, values: Parameters<typeof addPhone>[1] = {}) =>
    addPhone(db, { sellerId, ...iphone, sellingCents, ...values });
  const cheapest = await add(30_000, { condition: "Good" });
  await add(34_000, { condition: "Good", processor: "Another" });
  const joined = await add(29_000, { condition: "Good", rom: "128GB" });
  const unstated = await add(35_000);
  const big = await add(50_000, { condition: "Excellent", rom: "1 TB" });
  await add(10_000, { condition: "Good", status: "reserved" });
  await add(11_000, { condition: "Fair", status: "sold" });
  await add(12_000, { model: "iPhone 13 Pro" });
  const page = async () => {
    const found = await findModel(db, "apple-iphone-13", null);
    assert.ok(found);
    return found;
  };
  const { cheapest: table, range } = await page();
  assert.deepEqual(range, { lowest: 29_000, highest: 50_000 });
  assert.deepEqual(table.conditions, ["Excellent", "Good", null]);
  assert.deepEqual(
    table.rows.map(({ rom, cells }) => [
      rom,
      ...cells.map((cell) => cell && [cell.id, cell.cents, cell.count]),
    ]),
    [
      ["128 GB", null, [joined.id, 29_000, 3], [unstated.id, 35_000, 1]],
      ["1 TB", [big.id, 50_000, 1], null, null],
    ],
  );
  await editPhone(db, joined.id, { status: "reserved" });
  assert.equal((await page()).cheapest.rows[0]?.cells[1]?.id, cheapest.id);
  for (const { id } of [cheapest, unstated, big]) await editPhone(db, id, { status: "reserved" });
  await editPhone(db, (await page()).cheapest.rows[0]?.cells[0]?.id ?? "", { status: "reserved" });
  assert.deepEqual((await page()).cheapest, { conditions: [], rows: [] });
  assert.equal((await page()).range, null);
};

export const listsPastPricesOfAModel = async (db: Db) => {
  const { id } = await addPhone(db, iphone);
  const sales = async () => (await findModel(db, "apple-iphone-13", null, now))?.sales;
  const sell = (day: string, cents: number, device: Parameters<typeof addPhone>[1] = {}, values = {}) =>
    addSale(db, { ...iphone, ...device }, cents, { createdAt: new Date(day), ...values });
  const none = { isCapped: false, prices: null, months: [] };
  assert.deepEqual(await sales(), { ...none, count: 0, wasSold: false });
  await sell("2026-11-01T00:00:00Z", 40_000);
  await sell("2026-10-31T23:59:59Z", 30_000, { brandName: "APPLE", model: "IPHONE 13" });
  await sell("2026-11-02", 31_000, {}, { status: "cancelled", stage: "handed over" });
  await sell("2026-11-02", 31_000, {}, { stage: "reserved" });
  await sell("2026-11-02", 31_000, { model: "iPhone 13 Pro" });
  assert.deepEqual(await sales(), { ...none, count: 0, wasSold: true });
  await sell("2026-10-01T00:00:00Z", 35_000, { rom: "128gb" });
  await sell("2026-10-02T00:00:00Z", 36_000);
  await sell("2025-12-01T00:00:00Z", 50_000, { model: "iPhone-13" });
  const sides = await sell("2025-11-30T23:59:59Z", 60_000);
  // The second of a pair, and those of somebody who is suspended.
  await sell("2025-11-29T23:59:59Z", 61_000, {}, { ...sides, id: "0" });
  const { seller } = await sell("2026-11-03", 62_000);
  await db.update(users).set({ suspensionId: "decision" }).where(eq(users.id, seller.id));
  const found = await sales();
  assert.deepEqual(found?.prices, { count: 6, median: 38_000, lowest: 30_000, highest: 60_000 });
  assert.deepEqual(
    [found.months.length, found.months[0]?.month, found.months[11]?.month],
    [12, "2025-12", "2026-11"],
  );
  // One or two sales are no median of a month, either.
  assert.deepEqual(
    found.months.flatMap(({ month, count, prices }) => (count > 0 ? [[month, count, prices]] : [])),
    [
      ["2025-12", 1, null],
      ["2026-10", 3, { count: 3, median: 35_000, lowest: 30_000, highest: 36_000 }],
      ["2026-11", 1, null],
    ],
  );
  const monthsAfter = (await findModel(db, "apple-iphone-13", null, new Date("2027-08-15")))?.sales.months;
  assert.deepEqual([monthsAfter?.length, monthsAfter?.[0]?.month], [11, "2026-10"]);
  // A sold-out model keeps its page; one that was never sold has none.
  await editPhone(db, id, { status: "sold" });
  const page = await findModel(db, "apple-iphone-13", null, now);
  assert.ok(page);
  assert.deepEqual([page.model.name, page.model.listed, page.category.path], ["Apple iPhone 13", 0, "/ios"]);
  assert.deepEqual([page.phones, page.cheapest.rows, page.facts], [[], [], []]);
  assert.deepEqual((await findListing(db, id))?.model, { slug: "apple-iphone-13", listed: 0 });
  const { id: removed } = await addPhone(db, { brandName: "Gone", model: "1" });
  assert.deepEqual((await findListing(db, removed))?.model, { slug: "gone-1", listed: 1 });
  await editPhone(db, removed, { hiddenById: "some removal" });
  assert.equal(await findModel(db, "gone-1", null), null);
};

export const readsNewestSalesOnly = async (db: Db) => {
  const counted = sql`with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 1200)`;
  await db.run(sql`insert into users (id, name, email, user_type, email_verified_at, created_at)
    ${counted} select 'b' || n, '', 'b' || n, 'Buyer', 0, 0 from counted`);
  const emailVerifiedAt = new Date(0);
  for (const number of [1, 2, 3]) {
    const { id } = await addAccount(db, { emailVerifiedAt });
    await addPhone(db, { ...iphone, id: `p${number}`, sellerId: id });
  }
  await db.run(sql`insert into orders (id, phone_id, buyer_id, product_name, ram, rom, buyer_name, buyer_address, email, phone, price_cents, stage, status, created_at)
    ${counted} select printf('%05d', n), 'p' || (n % 3 + 1), 'b' || n, 'Apple iPhone 13', '', '', '', '', '', '', 100000 + n, 'received', 'cancelled', ${now.getTime()} from counted`);
  const sales = (await findModel(db, "apple-iphone-13", null, now))?.sales;
  assert.deepEqual([sales?.count, sales?.isCapped, sales?.prices?.lowest], [1000, true, 100_201]);
};

export const collectsSpecificationsOfAModel = async (db: Db) => {
  const { id: sellerId } = await addAccount(db, { userType: "Seller" });
  const add = (values: Parameters<typeof addPhone>[1]) => addPhone(db, { sellerId, ...iphone, ...values });
  for (const camera of ["12 MP", "12 MP", "12MP", "48 MP"]) await add({ camera });
  for (const battery of ["a", "b", "c", "d", "e"]) await add({ battery, rom: "64 GB", camera: "12 MP" });
  const facts = (await findModel(db, "apple-iphone-13", null))?.facts ?? [];
  const said = new Map(facts.map(({ term, values, hasMore }) => [term, [values, hasMore]]));
  assert.deepEqual(said.get("Camera"), [["12 MP", "48 MP"], false]);
  assert.deepEqual(said.get("Storage"), [["64 GB", "128 GB"], false]);
  assert.deepEqual(said.get("OS"), [["Ios"], false]);
  assert.deepEqual(said.get("Battery"), [["4200 mAh", "a", "b", "c"], true]);
};

export const pagesListingsOfAModel = async (db: Db) => {
  const { id: sellerId } = await addAccount(db, { userType: "Seller" });
  const ids: string[] = [];
  for (let added = 0; added < 2 * pageSize + 1; added += 1) {
    const processor = `Processor ${added % 3}`;
    ids.unshift((await addPhone(db, { sellerId, ...iphone, processor })).id);
    if (added % 5 === 0) await addPhone(db, { sellerId });
  }
  const page = async (cursor: Cursor) => {
    const found = await findModel(db, "apple-iphone-13", cursor);
    assert.ok(found);
    return { ids: found.phones.map(({ id }) => id), previous: found.previous, next: found.next };
  };
  const walk = async () => {
    const first = await page(null);
    assert.deepEqual([first.ids, first.previous], [ids.slice(0, pageSize), null]);
    const second = await page({ after: first.next ?? "" });
    assert.deepEqual(second.ids, ids.slice(pageSize, 2 * pageSize));
    const last = await page({ after: second.next ?? "" });
    assert.deepEqual([last.ids, last.next], [ids.slice(2 * pageSize), null]);
    assert.deepEqual(await page({ before: last.previous ?? "" }), second);
    assert.deepEqual(await page({ before: second.previous ?? "" }), first);
    assert.deepEqual((await page({ after: "0" })).ids, []);
  };
  await walk();
  // A model with many listings is read through another index.
  await db
    .update(deviceVariants)
    .set({ listed: 10_000 })
    .where(eq(deviceVariants.modelSlug, "apple-iphone-13"));
  await walk();
};

export const listsEachModelOnceInTheSitemap = async (db: Db) => {
  const { id: sellerId } = await addAccount(db, { userType: "Seller" });
  const add = (values: Parameters<typeof addPhone>[1]) => addPhone(db, { sellerId, ...values });
  await add({ ...iphone, processor: "Sold", status: "sold" });
  await add(iphone);
  await add({ ...iphone, brandName: "APPLE" });
  await add({ brandName: "Nokia", model: "1", status: "sold" });
  await add({ brandName: "小米", model: "13" });
  await add({ brandName: "?", model: "!" });
  const listed = async (part: number) => {
    const slugs: string[] = [];
    for await (const some of modelsOfSitemapPart(db, part)) {
      slugs.push(...some.map((path) => decodeURIComponent(path.replace("/models/", ""))));
    }
    return slugs;
  };
  assert.deepEqual(await sitemapParts(db), { listings: 1, models: 1 });
  assert.deepEqual(await listed(1), ["apple-iphone-13", "小米-13"]);
  const [last] = await db.select().from(deviceVariants).where(eq(deviceVariants.brand, "小米"));
  const moveLastTo = (id: number | undefined) =>
    db.update(deviceVariants).set({ id }).where(eq(deviceVariants.brand, "小米"));
  await moveLastTo(10_001);
  assert.deepEqual(await sitemapParts(db), { listings: 1, models: 2 });
  assert.deepEqual([await listed(1), await listed(2)], [["apple-iphone-13"], ["小米-13"]]);
  // Its words are indexed by the old number, under which the next scenario would find them.
  await moveLastTo(last?.id);
};

export const findsModelsWithLettersBeyondLatin = async (db: Db) => {
  await addPhone(db, { brandName: "小米", model: "Ünïcode" });
  assert.equal((await findModel(db, "小米-ünïcode", null))?.model.slug, "小米-unicode");
  // Slugs of older listings may have accents.
  await db.update(deviceVariants).set({ modelSlug: "小米-ünïcode" });
  assert.equal((await findModel(db, "小米-ünïcode", null))?.model.slug, "小米-ünïcode");
};
