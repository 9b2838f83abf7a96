import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { notifications, phones, removals, users } from "#app/db/schema.ts";
import { findListing } from "#app/features/listings/listing.server.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { listSellings } from "#app/features/listings/listing-tables.server.ts";
import { changePrices, findPrices } from "#app/features/listings/price-change.server.ts";
import { canChangePrice } from "#app/features/listings/price-field.rules.ts";
import { changeSale } from "#app/features/listings/sale-change.server.ts";
import { isBookableBy } from "#app/features/orders/rebooking.server.ts";
import { notifySavers } from "#app/features/saved-listings/saved-listing-news.server.ts";
import { saveListing } from "#app/features/saved-listings/saved-listings.server.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { assertCountsMatch } from "../../harness/catalog-counts.ts";
import { type Account, addAccount, addPhone } from "../../harness/fixtures.ts";

const details = { address: "1 Harbour Street", phone: "12345" };

async function shopWith(db: Db, cents: number[]) {
  const seller = await addAccount(db, { userType: "Seller" });
  const ids = [];
  for (const sellingCents of cents) ids.push((await addPhone(db, { sellerId: seller.id, sellingCents })).id);
  return { seller, ids };
}

async function pricesOf(db: Db, ids: string[]) {
  const rows = await db.select({ id: phones.id, cents: phones.sellingCents }).from(phones);
  return ids.map((id) => rows.find((row) => row.id === id)?.cents);
}

/** Lowers each shown price by a dollar. */
async function lower(db: Db, seller: Account, ids: string[], formKey: string | null = null) {
  const listings = await findPrices(db, seller, ids);
  const changes = listings.map(({ id, sellingCents }) => ({
    id,
    shownCents: sellingCents,
    cents: sellingCents - 100,
  }));
  const result = await changePrices(db, seller, changes, formKey);
  return { ...result, outcomes: [...result.outcomes.values()], changes };
}

/** What the listing's page shows: nothing of prices that lasted less than an hour. */
const historyOf = async (db: Db, id: string) =>
  (await findListing(db, id))?.prices.map(({ cents }) => cents) ?? [];

export const manyPricesChangeAndOneUndoTakesThemBack = async (db: Db) => {
  const { seller, ids } = await shopWith(db, [30_000, 40_000]);
  const [saver, other] = [await addAccount(db), await addAccount(db)];
  const [first = "", second = ""] = ids;
  await saveListing(db, saver, first);
  const { removalId, outcomes, changes } = await lower(db, seller, ids, "form");
  assert.deepEqual(outcomes, ["changed", "changed"]);
  assert.deepEqual(await pricesOf(db, ids), [29_900, 39_900]);
  assert.deepEqual(await historyOf(db, first), [29_900]);
  await assertCountsMatch(db, "lowered");
  await notifySavers(db, isBookableBy);
  const told = await db.select().from(notifications).where(eq(notifications.userId, saver.id));
  assert.deepEqual(
    told.map(({ kind }) => kind),
    ["price drop"],
  );
  // The same form again.
  const again = await changePrices(db, seller, changes, "form");
  assert.equal(again.removalId, removalId);
  assert.deepEqual([...again.outcomes.values()], ["changed", "changed"]);
  // The same prices in another form.
  const same = await changePrices(db, seller, changes, "other form");
  assert.deepEqual([same.removalId, ...same.outcomes.values()], [null, "same", "same"]);
  assert.equal((await db.select().from(removals)).length, 1);
  assert.equal((await undoWithoutLimits(db, other, removalId ?? "")).result, "too late");
  for (const _ of ["once", "twice"])
    assert.equal((await undoWithoutLimits(db, seller, removalId ?? "")).result, "undone");
  assert.deepEqual(await pricesOf(db, ids), [30_000, 40_000]);
  assert.deepEqual(await historyOf(db, second), [40_000]);
  await assertCountsMatch(db, "restored");
};

export const oneWrongPriceKeepsNoOtherFromChanging = async (db: Db) => {
  const { seller, ids } = await shopWith(db, [10_000, 20_000, 30_000, 40_000]);
  const stranger = await shopWith(db, [50_000]);
  const [stale = "", booked = "", deleted = "", free = ""] = ids;
  const change = (id: string, shownCents: number) => ({ id, shownCents, cents: shownCents + 100 });
  await bookWithoutLimits(db, await addAccount(db), booked, details);
  await removeListing(db, seller, deleted);
  const { outcomes } = await changePrices(
    db,
    seller,
    [
      change(stale, 9_000),
      change(booked, 20_000),
      change(deleted, 30_000),
      change(stranger.ids[0] ?? "", 50_000),
      change(free, 40_000),
    ],
    null,
  );
  assert.deepEqual(
    [...outcomes.values()],
    ["stale", "reserved", "unknown listing", "unknown listing", "changed"],
  );
  assert.deepEqual(await pricesOf(db, [...ids, ...stranger.ids]), [10_000, 20_000, 30_000, 40_100, 50_000]);
};

/** What the table offers is what is accepted. */
export const eachPriceChangesWhereItIsOffered = async (db: Db) => {
  const states: Partial<typeof phones.$inferInsert>[] = [
    { status: "available" },
    { status: "paused" },
    { status: "reserved" },
    { status: "sold" },
    { status: "sold", soldElsewhere: true },
  ];
  for (const state of states) {
    const { seller, ids } = await shopWith(db, [30_000]);
    await db.update(phones).set(state).where(eq(phones.sellerId, seller.id));
    const [row] = (await listSellings(db, seller, null)).rows;
    assert.ok(row);
    const [priced] = await findPrices(db, seller, ids);
    assert.equal(priced?.refusal === null, canChangePrice(row), `${row.status} page`);
    const { outcomes } = await lower(db, seller, ids);
    assert.equal(outcomes[0] === "changed", canChangePrice(row), row.status);
  }
  const { seller, ids } = await shopWith(db, [30_000]);
  await db.update(users).set({ suspensionId: "suspended" }).where(eq(users.id, seller.id));
  await db.update(phones).set({ hiddenById: "suspended" }).where(eq(phones.sellerId, seller.id));
  assert.deepEqual((await lower(db, seller, ids)).outcomes, []);
};

export const anUndoOfPricesLeavesWhatHasChangedSince = async (db: Db) => {
  const { seller, ids } = await shopWith(db, [10_000, 20_000, 30_000, 40_000, 50_000]);
  const [booked = "", changed = "", deleted = "", free = "", elsewhere = ""] = ids;
  const { removalId } = await lower(db, seller, ids);
  await changeSale(db, seller, [elsewhere], "sold elsewhere");
  await bookWithoutLimits(db, await addAccount(db), booked, details);
  const later = await lower(db, seller, [changed]);
  const removed = await removeListing(db, seller, deleted);
  assert.equal((await undoWithoutLimits(db, seller, removalId ?? "")).result, "undone");
  assert.deepEqual(await pricesOf(db, ids), [9_900, 19_800, 30_000, 40_000, 50_000]);
  await undoWithoutLimits(db, seller, removed.removalId ?? "");
  assert.deepEqual(await historyOf(db, deleted), [30_000]);
  assert.deepEqual(await historyOf(db, free), [40_000]);
  // The later change has an undo of its own, unless nothing of it is left.
  await bookWithoutLimits(db, await addAccount(db), changed, details);
  assert.equal((await undoWithoutLimits(db, seller, later.removalId ?? "")).result, "impossible");
};

export const aBookingHasThePriceThatItsBuyerSaw = async (db: Db) => {
  const { seller, ids } = await shopWith(db, [10_000]);
  const [id = ""] = ids;
  const buyer = await addAccount(db);
  const [booked, { outcomes }] = await Promise.all([
    bookWithoutLimits(db, buyer, id, details, { shownCents: 10_000 }),
    lower(db, seller, ids),
  ]);
  assert.equal(booked.refusal === undefined, outcomes[0] !== "changed");
};
