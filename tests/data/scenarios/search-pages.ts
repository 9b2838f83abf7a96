import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { phones } from "#app/db/schema.ts";
import type { Category } from "#app/features/catalog/category.rules.ts";
import type { searchListings } from "#app/features/catalog/search/search.server.ts";
import { pageSize } from "#app/features/catalog/search/search.server.ts";
import { findPublishedListing } from "#app/features/listings/listings.server.ts";
import { addAccount, addCopies, addPhone } from "../../harness/fixtures.ts";
import { browse } from "../../harness/search.ts";

export const listsEachPhoneInItsCategories = async (db: Db) => {
  await addPhone(db, { model: "Android phone", os: "Android", deviceType: "Smart Phone" });
  await addPhone(db, { model: "iPhone", os: "Ios", deviceType: "Smart Phone" });
  await addPhone(db, { model: "Android tablet", os: "Android", deviceType: "Tablet" });
  await addPhone(db, { model: "iPad", os: "Ios", deviceType: "Tablet" });
  const shown = async (path: Category["path"]) => (await browse(db, path)).phones.map(({ model }) => model);
  assert.deepEqual(await shown("/products"), ["iPad", "Android tablet", "iPhone", "Android phone"]);
  assert.deepEqual(await shown("/android"), ["Android phone"]);
  assert.deepEqual(await shown("/ios"), ["iPhone"]);
  assert.deepEqual(await shown("/tablet"), ["iPad", "Android tablet"]);
};

export const showsStoredFieldsOnACard = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller", verified: true });
  const phone = await addPhone(db, {
    sellerId: seller.id,
    condition: "Good",
    color: "Blue",
    details: { city: "Austin, TX" },
    marketCents: 69_900,
    sellingCents: 34_950,
  });
  const { phones: cards, previous, next } = await browse(db);
  const { id, brandName, model, ram, rom, image, deviceType, createdAt } = phone;
  const facts = {
    marketCents: 69_900,
    sellingCents: 34_950,
    status: "available",
    sellerVerified: true,
    returnDays: null,
  };
  const shown = {
    id,
    brandName,
    model,
    ram,
    rom,
    image,
    cover: null,
    condition: "Good",
    batteryHealth: null,
    color: "Blue",
    carrierLock: null,
    deviceType,
    city: "Austin, TX",
    createdAt,
    usualCents: null,
    ...facts,
  };
  assert.deepEqual(cards, [shown]);
  await db.update(phones).set({ cover: "first photo" }).where(eq(phones.id, id));
  assert.deepEqual((await browse(db)).phones, [{ ...shown, cover: "first photo" }]);
  assert.deepEqual({ previous, next }, { previous: null, next: null });
};

export const hidesSoldPhones = async (db: Db) => {
  const available = await addPhone(db);
  const reserved = await addPhone(db, { status: "reserved" });
  await addPhone(db, { status: "sold" });
  const { phones: cards } = await browse(db);
  assert.deepEqual(
    cards.map(({ id, status }) => ({ id, status })),
    [
      { id: reserved.id, status: "reserved" },
      { id: available.id, status: "available" },
    ],
  );
};

export const pagesForwardsAndBackWithoutLossOrDuplicates = async (db: Db) => {
  const newestFirst = await addListings(db, 60);
  const forwards = await leafThrough(db, null, (page) => page.next && { after: page.next });
  assert.deepEqual(
    forwards.map((page) => page.phones.length),
    [pageSize, pageSize, 60 - 2 * pageSize],
  );
  assert.deepEqual(idsOf(forwards), newestFirst);
  assert.equal(forwards[0]?.previous, null);
  assert.equal(forwards[2]?.next, null);

  const cursor = forwards[2]?.previous;
  assert.ok(cursor);
  const backwards = await leafThrough(
    db,
    { before: cursor },
    (page) => page.previous && { before: page.previous },
  );
  assert.deepEqual(backwards.map(idsOfPage), [idsOfPage(forwards[1]), idsOfPage(forwards[0])]);
  assert.equal(backwards[1]?.previous, null);
  assert.equal(backwards[1]?.next, forwards[0]?.next);
};

/** Exact models come first, also on the pages after the first, and on the way back. */
export const leafsThroughExactModelsFirst = async (db: Db) => {
  const copies = (count: number) => Array.from({ length: count }, () => ({}));
  const pro = await addPhone(db, { brandName: "Apple", model: "iPhone 13 Pro" });
  await addCopies(db, pro, copies(29));
  const exact = await addPhone(db, { brandName: "Apple", model: "iPhone 13" });
  await addCopies(db, exact, copies(29));
  await addCopies(db, pro, copies(10));
  const search = { words: "iphone 13", sort: "relevance" as const };
  const pages = [];
  for (let after: string | null = ""; after !== null; ) {
    const page: Page = await browse(db, "/products", { ...search, cursor: after ? { after } : null });
    pages.push(page);
    after = page.next;
  }
  const models = pages.flatMap(({ phones }) => phones.map(({ model }) => model));
  assert.deepEqual(models, [...Array(30).fill("iPhone 13"), ...Array(40).fill("iPhone 13 Pro")]);
  assert.equal(new Set(idsOf(pages)).size, 70);
  const before = pages.at(-1)?.previous ?? "";
  assert.deepEqual(
    idsOfPage(await browse(db, "/products", { ...search, cursor: { before } })),
    idsOfPage(pages[1]),
  );
};

export const hasNoEmptyLastPage = async (db: Db) => {
  await addListings(db, 2 * pageSize);
  const pages = await leafThrough(db, null, (page) => page.next && { after: page.next });
  assert.deepEqual(
    pages.map((page) => page.phones.length),
    [pageSize, pageSize],
  );
};

export const hidesRemovedListings = async (db: Db) => {
  const { id } = await addPhone(db, { hiddenById: "some removal" });
  assert.deepEqual((await browse(db)).phones, []);
  assert.equal(await findPublishedListing(db, id), null);
};

export const continuesAfterARemovedPhone = async (db: Db) => {
  const newestFirst = await addListings(db, pageSize + 2);
  const { next } = await browse(db);
  assert.ok(next);
  await db.delete(phones).where(eq(phones.id, newestFirst[pageSize - 1] ?? ""));
  const { phones: rest } = await browse(db, "/products", { cursor: { after: next } });
  assert.deepEqual(
    rest.map(({ id }) => id),
    newestFirst.slice(pageSize),
  );
};

export const continuesAfterAChangedPrice = async (db: Db) => {
  const { id: sellerId } = await addAccount(db, { userType: "Seller" });
  const cheapestFirst: string[] = [];
  for (let cents = 10_000; cheapestFirst.length < pageSize + 2; cents += 100) {
    cheapestFirst.push((await addPhone(db, { sellerId, sellingCents: cents })).id);
  }
  const { next } = await browse(db, "/products", { sort: "price-up" });
  assert.ok(next);
  const marked = cheapestFirst[pageSize - 1] ?? "";
  await db.update(phones).set({ sellingCents: 100 }).where(eq(phones.id, marked));
  const after = await browse(db, "/products", { sort: "price-up", cursor: { after: next } });
  assert.deepEqual(
    after.phones.map(({ id }) => id),
    cheapestFirst.slice(pageSize),
  );
  const before = await browse(db, "/products", {
    sort: "price-up",
    cursor: { before: after.previous ?? "" },
  });
  assert.deepEqual(
    before.phones.map(({ id }) => id),
    [marked, ...cheapestFirst.slice(0, pageSize - 1)],
  );
};

export const acceptsAnyCursor = async (db: Db) => {
  await addPhone(db);
  const sorts = ["newest", "price-up", "price-down", "saving"] as const;
  for (const sort of sorts) {
    for (const place of ["0", "9007199254740993", "9999999999999999"]) {
      for (const cursor of [{ after: place }, { before: place }]) {
        const page = await browse(db, "/products", { sort, cursor });
        assert.ok(page.phones.length <= 1, JSON.stringify(cursor));
        if (page.phones.length === 0) assert.deepEqual([page.previous, page.next], [null, null]);
      }
    }
  }
};

async function addListings(db: Db, count: number): Promise<string[]> {
  const { id: sellerId } = await addAccount(db, { userType: "Seller" });
  const ids: string[] = [];
  for (let added = 0; added < count; added += 1) ids.push((await addPhone(db, { sellerId })).id);
  return ids.reverse();
}

type Page = Awaited<ReturnType<typeof searchListings>>;

async function leafThrough(db: Db, first: Cursor, onward: (page: Page) => Cursor | "") {
  const pages: Page[] = [];
  for (let cursor: Cursor | "" | undefined = first; cursor !== undefined; ) {
    const page = await browse(db, "/products", { cursor: cursor || null });
    pages.push(page);
    assert.ok(pages.length < 10, "The list has no end.");
    cursor = onward(page) || undefined;
  }
  return pages;
}

const idsOfPage = (page: Page | undefined) => page?.phones.map(({ id }) => id);
const idsOf = (pages: Page[]) => pages.flatMap((page) => page.phones.map(({ id }) => id));
