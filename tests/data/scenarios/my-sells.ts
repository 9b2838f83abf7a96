import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { decisions, listingViews, orders, phones } from "#app/db/schema.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { sellingTable } from "#app/features/listings/listing-table.rules.ts";
import { countTabs, listSellings } from "#app/features/listings/listing-tables.server.ts";
import { handOver, receive, undoHandover } from "#app/features/orders/order-steps.server.ts";
import { findToHandOver, listToHandOver } from "#app/features/orders/to-hand-over.server.ts";
import { listSellerNumbers, sumUpListings } from "#app/features/statistics/seller-numbers.server.ts";
import { parseTableQuery } from "#app/server/forms/table-query.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { type Account, addAccount, addCopies, addPhone } from "../../harness/fixtures.ts";

const details = { address: "1 Harbour Street", phone: "12345" };

/** The ids of a page of My Sells, as its query string describes it. */
async function idsOf(db: Db, seller: Account, search: string) {
  const query = parseTableQuery(sellingTable, new URLSearchParams(search));
  return (await listSellings(db, seller, null, query)).rows.map(({ id }) => id);
}

export const eachListingIsInOneTab = async (db: Db) => {
  const [seller, buyer] = [await addAccount(db), await addAccount(db)];
  const { id } = await addPhone(db, { sellerId: seller.id });
  const isIn = async (tab: string, message: string) => {
    assert.deepEqual(await idsOf(db, seller, `tab=${tab}`), [id], message);
    const counts = Object.entries(await countTabs(db, seller)).filter(([, listings]) => listings !== 0);
    assert.deepEqual(counts, [[tab, 1]], message);
  };
  await isIn("for sale", "published");
  const { orderId = "" } = await bookWithoutLimits(db, buyer, id, details);
  await isIn("to hand over", "booked");
  await handOver(db, seller, orderId);
  await isIn("handed over", "handed over");
  await undoHandover(db, seller, orderId);
  await isIn("to hand over", "not handed over after all");
  await handOver(db, seller, orderId);
  await receive(db, buyer, orderId);
  await isIn("sold", "received");
  const { removalId = "" } = await removeListing(db, seller, id);
  assert.deepEqual(await idsOf(db, seller, ""), []);
  assert.deepEqual(Object.values(await countTabs(db, seller)).filter(Boolean), []);
  assert.equal((await undoWithoutLimits(db, seller, removalId)).result, "undone");
  await isIn("sold", "restored");
  const other = await addPhone(db, { sellerId: seller.id });
  await db.insert(decisions).values({
    ...{
      id: "hide",
      kind: "hide",
      targetKind: "listing",
      targetId: other.id,
      target: "",
      ownerId: seller.id,
    },
    reason: "",
  });
  await db.update(phones).set({ hiddenById: "hide" }).where(eq(phones.id, other.id));
  assert.deepEqual(await idsOf(db, seller, "tab=not listed"), [other.id]);
};

export const sellersFindTheirListings = async (db: Db) => {
  const [seller, other] = [await addAccount(db), await addAccount(db)];
  const add = async (given: Partial<typeof phones.$inferInsert>) =>
    (await addPhone(db, { sellerId: seller.id, ...given })).id;
  const apple = { brandName: "Apple", model: "iPhone 13", processor: "A15" };
  const small = await add({ ...apple, rom: "128 GB", ownNumber: "SHELF-7", sellingCents: 30_000 });
  const large = await add({ ...apple, rom: "256 GB", cover: "photo", sellingCents: 20_000 });
  const pixel = await add({ brandName: "Google", model: "Pixel 8", rom: "128 GB", sellingCents: 40_000 });
  await addPhone(db, { sellerId: other.id, ...apple, ownNumber: "SHELF-7" });
  const found = {
    iphone: [large, small],
    "13 iph": [large, small],
    "128gb": [pixel, small],
    "iphone 128 GB": [small],
    "iphone 128": [small],
    "256": [large],
    "pixel 8": [pixel],
    "shelf-": [small],
    "7": [small],
    "7 shelf": [small],
    helf: [small],
    "8 shelf": [],
    "samsung 1 TB": [],
    [Array.from({ length: 28 }, (_, number) => number).join(" ")]: [],
    "%": [],
    '"': [],
  };
  for (const [words, ids] of Object.entries(found)) {
    assert.deepEqual(await idsOf(db, seller, `${new URLSearchParams({ q: words })}`), ids, words);
    const inTab = new URLSearchParams({ q: words, tab: "for sale" });
    assert.deepEqual(await idsOf(db, seller, `${inTab}`), ids, words);
  }
  assert.deepEqual(await idsOf(db, seller, "tab=for sale&photo=without"), [pixel, small]);
  await db.insert(listingViews).values([
    { phoneId: small, views: 3 },
    { phoneId: pixel, views: 5 },
  ]);
  const sorted = {
    "": [pixel, large, small],
    oldest: [small, large, pixel],
    "price-up": [large, small, pixel],
    views: [pixel, small, large],
  };
  for (const [sort, ids] of Object.entries(sorted))
    assert.deepEqual(await idsOf(db, seller, `tab=for sale&sort=${sort}`), ids, sort);
};

export const whatIsSoldShowsThePriceOfItsOrder = async (db: Db) => {
  const [seller, buyer] = [await addAccount(db), await addAccount(db)];
  const { id } = await addPhone(db, { sellerId: seller.id, sellingCents: 30_000 });
  const { orderId = "" } = await bookWithoutLimits(db, buyer, id, details);
  await db.update(orders).set({ priceCents: 25_000 }).where(eq(orders.id, orderId));
  const cents = async () => (await listSellings(db, seller, null)).rows.map(({ orderCents }) => orderCents);
  await handOver(db, seller, orderId);
  assert.deepEqual(await cents(), [25_000]);
  await receive(db, buyer, orderId);
  assert.deepEqual(await cents(), [25_000]);
  assert.equal((await sumUpListings(db, seller)).soldCents, 25_000);
  assert.equal((await listSellerNumbers(db, seller, null)).rows[0]?.sellingCents, 25_000);
};

export const aPageOfMySellsHasFiftyListings = async (db: Db) => {
  const seller = await addAccount(db);
  const phone = await addPhone(db, { sellerId: seller.id });
  await addCopies(
    db,
    phone,
    Array.from({ length: 230 }, () => ({ id: crypto.randomUUID() })),
  );
  // More than are read by the index of their device, and then sorted.
  for (const search of ["", "tab=for sale", "tab=for sale&sort=price-up", "q=fairphone&tab=for sale"])
    assert.equal((await idsOf(db, seller, search)).length, 50, search);
};

export const whatIsBookedIsListedByItsDeadline = async (db: Db) => {
  const [seller, buyer, other] = [await addAccount(db), await addAccount(db), await addAccount(db)];
  const book = async () => {
    const { id } = await addPhone(db, { sellerId: seller.id, ownNumber: crypto.randomUUID() });
    return (await bookWithoutLimits(db, buyer, id, details)).orderId ?? "";
  };
  const [later, sooner, held, gone] = [await book(), await book(), await book(), await book()];
  const set = (id: string, values: Partial<typeof orders.$inferInsert>) =>
    db.update(orders).set(values).where(eq(orders.id, id));
  await set(sooner, { deadlineAt: new Date(1_000) });
  await set(held, { deadlineAt: new Date(0), heldSince: new Date() });
  await handOver(db, seller, gone);
  const { rows: listed } = await listToHandOver(db, seller, null);
  assert.deepEqual(
    listed.map(({ id, isOnHold }) => [id, isOnHold]),
    [
      [sooner, false],
      [later, false],
      [held, true],
    ],
  );
  assert.equal(listed[0]?.buyerAddress, details.address);
  const next = await listToHandOver(db, seller, { after: `0 ${"1000".padStart(15, "0")}.${sooner}` });
  assert.deepEqual([next.firstNumber, ...next.rows.map(({ id }) => id)], [2, later, held]);
  assert.equal((await listToHandOver(db, other, null)).rows.length, 0);
  // Slips are of the seller's own orders.
  const slips = async (viewer: Account) =>
    (await findToHandOver(db, viewer, [later, sooner, gone, "x"])).length;
  assert.deepEqual([await slips(seller), await slips(buyer), await slips(other)], [2, 0, 0]);
};
