import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { decisions, listingViews, orders, phones, users } from "#app/db/schema.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { maxSortedSellings, sellingTable } from "#app/features/listings/listing-table.rules.ts";
import { countTabs, listSellings } from "#app/features/listings/listing-tables.server.ts";
import { listPrices } from "#app/features/listings/price-change.server.ts";
import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import { handOver, recordReceipt, undoHandover } from "#app/features/orders/order-steps.server.ts";
import { orderNumber, orderRefusals } from "#app/features/orders/order-texts.ts";
import { findSlips, listToHandOver } from "#app/features/orders/to-hand-over.server.ts";
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
  await recordReceipt(db, buyer, orderId);
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
    "elf-7": [small],
    "shelf 8": [],
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
    for (const shown of ["", "tab=for sale&"])
      assert.deepEqual(await idsOf(db, seller, `${shown}sort=${sort}`), ids, shown + sort);
  const sortedPhones = { oldest: [small, pixel], "price-down": [pixel, small], views: [pixel, small] };
  for (const [sort, ids] of Object.entries(sortedPhones))
    assert.deepEqual(await idsOf(db, seller, `q=128 GB&photo=without&sort=${sort}`), ids, sort);
  // What is found follows the listing.
  await db.update(phones).set({ ownNumber: "Box 12", cover: "photo" }).where(eq(phones.id, small));
  await db.update(phones).set({ status: "paused" }).where(eq(phones.id, small));
  const after = {
    "q=shelf": [],
    "q=box": [small],
    "q=128gb&photo=without": [pixel],
    "q=box&tab=for sale": [],
    "q=iphone&tab=not listed": [small],
  };
  for (const [search, ids] of Object.entries(after))
    assert.deepEqual(await idsOf(db, seller, search), ids, search);
  await removeListing(db, seller, small);
  assert.deepEqual(await idsOf(db, seller, "q=box"), []);
  await db.delete(phones).where(eq(phones.id, pixel));
  assert.deepEqual(await idsOf(db, seller, "q=pixel"), []);
};

export const anOwnNumberIsFoundWithItsSigns = async (db: Db) => {
  const seller = await addAccount(db);
  const add = async (ownNumber: string) =>
    (await addPhone(db, { sellerId: seller.id, model: "Five", ownNumber })).id;
  const [signed, plain, spaced] = [await add("#12"), await add("12-A"), await add("Étage / 12")];
  const found = {
    "#12": [signed],
    "#": [signed],
    "12-a": [plain],
    "12": [plain],
    "Étage 12": [spaced],
    "Étage /": [spaced],
  };
  for (const [q, ids] of Object.entries(found))
    assert.deepEqual(await idsOf(db, seller, `${new URLSearchParams({ q })}`), ids, q);
};

export const noOwnNumberIsFoundInTheSearchOfAnotherSeller = async (db: Db) => {
  const [seller, other] = [await addAccount(db), await addAccount(db)];
  const key = seller.id.replaceAll("-", "");
  const own = await addPhone(db, { sellerId: seller.id, model: "Pixel 8", ownNumber: "my-shelf" });
  const theirs = await addPhone(db, { sellerId: other.id, ownNumber: `x ${key}wshelf` });
  await addCopies(
    db,
    theirs,
    Array.from({ length: maxSortedSellings + 1 }, (_, at) => ({
      id: timeOrderedId(),
      ownNumber: `${String.fromCodePoint(0x400 + at)} ${key}wpixel`,
    })),
  );
  for (const search of ["q=pixel", "q=pixel&sort=price-up", "q=shelf"])
    assert.deepEqual(await idsOf(db, seller, search), [own.id], search);
};

export const whatIsSoldShowsThePriceOfItsOrder = async (db: Db) => {
  const [seller, buyer] = [await addAccount(db), await addAccount(db)];
  const { id } = await addPhone(db, { sellerId: seller.id, sellingCents: 30_000 });
  const { orderId = "" } = await bookWithoutLimits(db, buyer, id, details);
  await db.update(orders).set({ priceCents: 25_000 }).where(eq(orders.id, orderId));
  const cents = async () => (await listSellings(db, seller, null)).rows.map(({ orderCents }) => orderCents);
  await handOver(db, seller, orderId);
  assert.deepEqual(await cents(), [25_000]);
  await recordReceipt(db, buyer, orderId);
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
    Array.from({ length: 230 }, (_, number) => ({
      id: timeOrderedId({ msecs: number + 1 }),
      ownNumber: `A ${number}`,
      sellingCents: 1000 + number,
    })),
  );
  for (const search of ["", "tab=for sale", "tab=for sale&sort=price-up"])
    assert.equal((await idsOf(db, seller, search)).length, 50, search);
  const pagesOf = async (search: string) => {
    const query = parseTableQuery(sellingTable, new URLSearchParams(search));
    const found: (string | null)[] = [];
    for (let cursor: Cursor = null; ; ) {
      const { rows, next, firstNumber } = await listSellings(db, seller, cursor, query);
      assert.equal(firstNumber, found.length + 1, search);
      found.push(...rows.map(({ ownNumber }) => ownNumber));
      if (!next) return found;
      cursor = { after: next };
    }
  };
  const numbers = Array.from({ length: 230 }, (_, number) => `A ${number}`);
  assert.deepEqual(await pagesOf("q=a&tab=for sale&sort=oldest"), numbers);
  assert.deepEqual(await pagesOf("q=a"), [...numbers].reverse());
  // By price, only the newest.
  assert.deepEqual(await pagesOf("q=a&sort=price-up"), numbers.slice(-maxSortedSellings));
  assert.deepEqual(await pagesOf("q=a 22&sort=price-down"), [
    ...numbers.slice(220).reverse(),
    "A 122",
    "A 22",
  ]);
};

export const aSortedSearchSaysWhetherItFoundMore = async (db: Db) => {
  const seller = await addAccount(db);
  const oldest = await addPhone(db, { sellerId: seller.id, ownNumber: "A 0", sellingCents: 100 });
  const copy = (at: number) => ({ id: timeOrderedId(), ownNumber: `A ${at}`, sellingCents: 100 + at });
  const query = parseTableQuery(sellingTable, new URLSearchParams("q=a&tab=for sale&sort=price-up"));
  const pages = async () => [
    await listSellings(db, seller, null, query),
    await listPrices(db, seller, null, query),
  ];
  await addCopies(
    db,
    oldest,
    Array.from({ length: maxSortedSellings - 1 }, (_, at) => copy(at + 1)),
  );
  for (const { rows, isCut, next } of await pages())
    assert.deepEqual([rows.length, rows[0]?.ownNumber, isCut, next], [maxSortedSellings, "A 0", false, null]);
  await addCopies(db, oldest, [copy(maxSortedSellings)]);
  for (const { rows, isCut, next } of await pages())
    assert.deepEqual([rows.length, rows[0]?.ownNumber, isCut, next], [maxSortedSellings, "A 1", true, null]);
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
  assert.equal(listed[0]?.recipient, [buyer.name, details.address, details.phone].join("\n"));
  const [numbered] = await db
    .select()
    .from(phones)
    .innerJoin(orders, eq(orders.phoneId, phones.id))
    .where(eq(orders.id, later));
  for (const [q, ids] of [
    [numbered?.phones.ownNumber ?? "", [later]],
    ["fairphone", [sooner, later, held]],
    ["samsung", []],
  ] as const) {
    const found = await listToHandOver(db, seller, null, { filters: { q, tab: "to hand over" } });
    assert.deepEqual(
      found.rows.map(({ id }) => id),
      ids,
      q,
    );
  }
  const next = await listToHandOver(db, seller, { after: `0 ${"1000".padStart(15, "0")}.${sooner}` });
  assert.deepEqual([next.firstNumber, ...next.rows.map(({ id }) => id)], [2, later, held]);
  assert.equal((await listToHandOver(db, other, null)).rows.length, 0);
  // Slips are of the seller's own orders.
  const slips = async (viewer: Account) => {
    const { slips, leftOut } = await findSlips(db, viewer, [later, sooner, gone, "x"]);
    return [slips.map(({ id }) => id), leftOut.map((text) => text.replace(/^No slip for .*, order /, ""))];
  };
  const handedOver = `${orderNumber(gone)}: You’ve already handed it over.`;
  assert.deepEqual(await slips(seller), [[later, sooner], [handedOver]]);
  for (const stranger of [buyer, other]) assert.deepEqual(await slips(stranger), [[], []]);
};

/** What is offered for a device that is booked is what is accepted. */
export const whatCannotBeHandedOverHasNoSlip = async (db: Db) => {
  const [seller, buyer, suspended] = [await addAccount(db), await addAccount(db), await addAccount(db)];
  const book = async (by: Account) => {
    const { id } = await addPhone(db, { sellerId: seller.id });
    return (await bookWithoutLimits(db, by, id, details)).orderId ?? "";
  };
  const [fine, disputed, barred] = [await book(buyer), await book(buyer), await book(suspended)];
  await openProblem(db, buyer, disputed, { kind: "other terms", text: "Cash only." });
  await db.update(users).set({ suspensionId: "0" }).where(eq(users.id, suspended.id));
  const { rows } = await listToHandOver(db, seller, null);
  const reasons = Object.fromEntries(rows.map(({ id, reason }) => [id, reason]));
  const refused = {
    [fine]: null,
    [disputed]: orderRefusals["other terms"],
    [barred]: orderRefusals["on hold"],
  };
  assert.deepEqual(reasons, refused);
  for (const { id, reason } of rows) {
    const { refusal } = await handOver(db, seller, id);
    assert.equal(refusal && orderRefusals[refusal], reason);
  }
};

export const aSearchOfWhatIsBookedLeavesOutNothing = async (db: Db) => {
  const [seller, buyer] = [await addAccount(db), await addAccount(db)];
  const booked: string[] = [];
  for (let at = 0; at <= maxSortedSellings; at += 1) {
    const { id } = await addPhone(db, { sellerId: seller.id });
    booked.push((await bookWithoutLimits(db, buyer, id, details)).orderId ?? "");
  }
  const [oldest = ""] = booked;
  await db
    .update(orders)
    .set({ deadlineAt: new Date(1_000) })
    .where(eq(orders.id, oldest));
  const query = { filters: { q: "fairphone", tab: "to hand over" } } as const;
  const first = await listToHandOver(db, seller, null, query);
  assert.equal(first.rows[0]?.id, oldest);
  const second = await listToHandOver(db, seller, { after: first.next ?? "" }, query);
  assert.equal(second.firstNumber, first.rows.length + 1);
  assert.deepEqual([...first.rows, ...second.rows].map(({ id }) => id).sort(), booked.sort());
};
