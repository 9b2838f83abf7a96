import assert from "node:assert/strict";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { listingDrafts, notifications, phones, users } from "#app/db/schema.ts";
import { draftFromListing, findDraft, saveDraft } from "#app/features/listings/drafts.server.ts";
import { imeiIsListedElsewhere } from "#app/features/listings/listing-edit.server.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { type SaleChange, saleChangeNames, saleChangesOf } from "#app/features/listings/sale-change.rules.ts";
import {
  changeSale,
  endPause,
  findPauseEnd,
  pauseAll,
  resumePaused,
} from "#app/features/listings/sale-change.server.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { notifyOfListingsGone } from "#app/features/orders/ended-offers.server.ts";
import { makeOffer } from "#app/features/orders/offers.server.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { isBookableBy } from "#app/features/orders/rebooking.server.ts";
import { sellerRecordColumn } from "#app/features/reviews/seller-record.server.ts";
import { notifySavers } from "#app/features/saved-listings/saved-listing-news.server.ts";
import { listSaved, saveListing } from "#app/features/saved-listings/saved-listings.server.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { assertCountsMatch } from "../../harness/catalog-counts.ts";
import { addAccount, addPhone, removeUser } from "../../harness/fixtures.ts";
import { publish } from "../../harness/publish.ts";
import { browse } from "../../harness/search.ts";

const device = {
  ...{ brandName: "Sony", model: "Xperia 5", ram: "8 GB", rom: "256 GB", camera: "12 MP" },
  ...{ processor: "Snapdragon 865", os: "Android", deviceType: "Smart Phone", battery: "4000 mAh" },
  ...{ image: "https://pictures.example/x.jpg", sellingReason: "Too small.", usedTime: "14" },
  ...{ marketPrice: 94_900, sellingPrice: 34_950, postDate: "2026-11-20" },
} as Parameters<typeof publish>[2];

const details = { address: "", phone: "" };

async function rowOf(db: Db, id: string) {
  const [row] = await db.select().from(phones).where(eq(phones.id, id));
  assert.ok(row);
  return row;
}

async function forSale(db: Db, given: Partial<typeof phones.$inferInsert> = {}) {
  const seller = await addAccount(db, { userType: "Seller" });
  const { id } = await addPhone(db, { ...given, sellerId: seller.id });
  const change = async (what: SaleChange) => (await changeSale(db, seller, [id], what)).length === 1;
  return { seller, id, change, row: () => rowOf(db, id) };
}

/** What pages offer is what is accepted, in each state. */
export const eachChangeIsAcceptedWhereItIsOffered = async (db: Db) => {
  const states: Partial<typeof phones.$inferInsert>[] = [
    { status: "available" },
    { status: "reserved" },
    { status: "sold" },
    { status: "paused" },
    { status: "sold", soldElsewhere: true },
  ];
  const accepted = [];
  for (const state of states) {
    for (const change of saleChangeNames) {
      const { seller, id, row } = await forSale(db, state);
      const before = await row();
      await changeSale(db, seller, [id], change);
      const after = await row();
      const isChanged = after.status !== before.status || after.soldElsewhere !== before.soldElsewhere;
      assert.equal(isChanged, saleChangesOf(before).includes(change), `${state.status} ${change}`);
      if (isChanged) accepted.push([before.status, change, after.status]);
      // Of another, hidden, or with a seller who is suspended or gone: nothing.
      const other = await forSale(db, state);
      assert.deepEqual(await changeSale(db, seller, [other.id], change), []);
      await db.update(phones).set({ hiddenById: "hidden" }).where(eq(phones.id, other.id));
      assert.equal(await other.change(change), false);
      const barred = await forSale(db, state);
      await db.update(users).set({ suspensionId: "suspended" }).where(eq(users.id, barred.seller.id));
      assert.equal(await barred.change(change), false);
    }
  }
  assert.deepEqual(accepted, [
    ["available", "pause", "paused"],
    ["available", "sold elsewhere", "sold"],
    ["paused", "put back", "available"],
    ["paused", "sold elsewhere", "sold"],
    ["sold", "put back", "available"],
  ]);
};

export const aPausedListingIsOnNoList = async (db: Db) => {
  const { seller, id, change } = await forSale(db);
  const [buyer, saver] = [await addAccount(db), await addAccount(db)];
  assert.equal((await browse(db)).count, 1);
  await saveListing(db, saver, id);
  const offer = { amountCents: 30_000, text: "", formKey: null };
  assert.ok((await makeOffer(db, buyer, id, offer)).offerId);
  assert.equal(await change("pause"), true);
  assert.equal(await change("pause"), true);
  assert.equal((await browse(db)).count, 0);
  await assertCountsMatch(db, "paused");
  const booked = await bookWithoutLimits(db, buyer, id, details);
  assert.equal(booked.refusal?.reason, "paused");
  assert.equal((await makeOffer(db, saver, id, offer)).refusal, "not for sale");
  assert.equal((await listSaved(db, saver, null)).rows[0]?.status, "paused");
  await notifySavers(db, isBookableBy);
  await notifyOfListingsGone(db);
  const told = async () =>
    (await db.select().from(notifications))
      .map(({ userId, kind }) => [userId, kind])
      .filter(([userId]) => userId !== seller.id);
  assert.deepEqual(await told(), [
    [saver.id, "saved listing gone"],
    [buyer.id, "offer listing gone"],
  ]);
  assert.equal(await change("put back"), true);
  await notifySavers(db, isBookableBy);
  assert.deepEqual((await told()).at(-1), [saver.id, "saved listing back"]);
  assert.equal((await browse(db)).count, 1);
  assert.equal((await bookWithoutLimits(db, buyer, id, details)).refusal, undefined);
};

export const aBookingAndAPauseExcludeEachOther = async (db: Db) => {
  const { id, change, row } = await forSale(db);
  const buyer = await addAccount(db);
  const [booked, paused] = await Promise.all([bookWithoutLimits(db, buyer, id, details), change("pause")]);
  assert.notEqual(booked.refusal === undefined, paused);
  assert.equal((await row()).status, paused ? "paused" : "reserved");
};

export const whatIsBookedGoesOnWhileAllIsPaused = async (db: Db) => {
  const { seller, id, row } = await forSale(db);
  const [buyer, until] = [await addAccount(db), new Date(Date.now() + dayMs)];
  const others = [await addPhone(db, { sellerId: seller.id }), await addPhone(db, { sellerId: seller.id })];
  const [free = { id: "" }, single = { id: "" }] = others;
  const { orderId = "" } = await bookWithoutLimits(db, buyer, id, details);
  await changeSale(db, seller, [single.id], "pause");
  await pauseAll(db, seller, until);
  assert.deepEqual(await findPauseEnd(db, seller), until);
  const statuses = async () =>
    Promise.all([id, free.id, single.id].map(async (one) => (await rowOf(db, one)).status));
  assert.deepEqual(await statuses(), ["reserved", "paused", "paused"]);
  const { removalId = "" } = await cancelOrder(db, buyer, orderId);
  assert.equal((await row()).status, "paused");
  assert.equal((await undoWithoutLimits(db, buyer, removalId)).result, "undone");
  assert.equal((await row()).status, "reserved");
  await resumePaused(db);
  assert.deepEqual(await statuses(), ["reserved", "paused", "paused"]);
  await resumePaused(db, until);
  // What was paused by itself stays so.
  assert.deepEqual(await statuses(), ["reserved", "available", "paused"]);
  assert.equal(await findPauseEnd(db, seller), null);
  await pauseAll(db, seller, until);
  await endPause(db, seller);
  assert.deepEqual(await statuses(), ["reserved", "available", "paused"]);
};

/** However it comes: published, shown again or approved. */
export const whatGoesOnSaleWhileAllIsPausedIsPausedToo = async (db: Db) => {
  const { seller } = await forSale(db);
  const [admin, until] = [await addAccount(db, { userType: "Admin" }), new Date(Date.now() + dayMs)];
  const deleted = await addPhone(db, { sellerId: seller.id });
  const { removalId = "" } = await removeListing(db, seller, deleted.id);
  const hidden = await addPhone(db, { sellerId: seller.id });
  const hiding = { decision: "hide", reason: "Why", days: "7" } as const;
  const hide = await decide(db, admin, "listing", hidden.id, hiding, null);
  await pauseAll(db, seller, until);
  // Put back on sale by itself, it stays so, whatever hides it for a while.
  const single = await addPhone(db, { sellerId: seller.id, status: "paused", pausedUntil: until });
  await changeSale(db, seller, [single.id], "put back");
  const { removalId: ofSingle = "" } = await removeListing(db, seller, single.id);
  await undoWithoutLimits(db, seller, ofSingle);
  assert.equal((await rowOf(db, single.id)).status, "available");
  const form = crypto.randomUUID();
  const published = await publish(db, seller, device, form);
  assert.equal(await publish(db, seller, device, form), published);
  assert.equal((await undoWithoutLimits(db, seller, removalId)).result, "undone");
  assert.equal((await undoWithoutLimits(db, admin, hide.id ?? "")).result, "undone");
  const all = [published, deleted.id, hidden.id];
  const states = async () => {
    const rows = await Promise.all(all.map((one) => rowOf(db, one)));
    return rows.map(({ hiddenById, status, pausedUntil }) => [hiddenById, status, pausedUntil]);
  };
  assert.deepEqual(await states(), Array(3).fill([null, "paused", until]));
  // What is deleted meanwhile is for sale once it is restored after the pause.
  const { removalId: again = "" } = await removeListing(db, seller, deleted.id);
  await endPause(db, seller);
  await undoWithoutLimits(db, seller, again);
  assert.deepEqual(await states(), Array(3).fill([null, "available", null]));
  const next = await rowOf(db, await publish(db, seller, device, null));
  assert.deepEqual([next.status, next.pausedUntil], ["available", null]);
};

export const firstListingsAreApprovedIntoAPause = async (db: Db) => {
  const [moderator, seller] = [await addAccount(db, { userType: "Admin" }), await addAccount(db)];
  const until = new Date(Date.now() + dayMs);
  const before = await publish(db, seller, device, null, true);
  await pauseAll(db, seller, until);
  assert.deepEqual(await findPauseEnd(db, seller), until);
  const after = await publish(db, seller, device, null, true);
  for (const id of [before, after]) {
    assert.notEqual((await rowOf(db, id)).hiddenById, null);
    await decide(db, moderator, "listing", id, { decision: "approve", reason: "", days: "7" }, null);
    const { hiddenById, status, pausedUntil } = await rowOf(db, id);
    assert.deepEqual([hiddenById, status, pausedUntil], [null, "paused", until]);
  }
  assert.equal((await browse(db)).count, 0);
  await resumePaused(db, until);
  assert.equal((await browse(db)).count, 2);
};

export const whatHidesAPausedListingEndsWithoutListingIt = async (db: Db) => {
  const { seller, id, change, row } = await forSale(db);
  const admin = await addAccount(db, { userType: "Admin" });
  await change("pause");
  const { removalId = "" } = await removeListing(db, seller, id);
  assert.equal((await undoWithoutLimits(db, seller, removalId)).result, "undone");
  assert.equal((await row()).status, "paused");
  const userRemoval = (await removeUser(db, admin, seller.id)) ?? "";
  assert.equal((await row()).hiddenById, userRemoval);
  assert.equal((await undoWithoutLimits(db, admin, userRemoval)).result, "undone");
  assert.deepEqual([(await row()).hiddenById, (await row()).status], [null, "paused"]);
};

/** Otherwise sellers could give themselves sales. */
export const whatWasSoldElsewhereIsNoSaleHere = async (db: Db) => {
  const { seller, id, change, row } = await forSale(db, { imeiHash: "hash" });
  assert.equal(await change("sold elsewhere"), true);
  assert.deepEqual([(await row()).status, (await row()).imeiHash], ["sold", "hash"]);
  const [counted] = await db
    .select({ record: sellerRecordColumn() })
    .from(users)
    .where(eq(users.id, seller.id));
  assert.equal(counted?.record.sales, 0);
  const { removalId } = await removeListing(db, seller, id);
  assert.ok(removalId);
};

/** Its IMEI comes back with it, unless the next owner lists the device. */
export const whatIsSoldElsewhereKeepsItsImeiForTheWayBack = async (db: Db) => {
  const listed = await forSale(db, { imeiHash: "hash", ownNumber: "A", batteryHealth: 87 });
  const before = (await db.select().from(phones).where(eq(phones.id, listed.id)))[0];
  const after = async (id = listed.id) => (await db.select().from(phones).where(eq(phones.id, id)))[0];
  const isTaken = async () => {
    const [{ count = 0 } = {}] = await db
      .select({ count: sql<number>`count(*)` })
      .from(users)
      .where(and(eq(users.id, listed.seller.id), imeiIsListedElsewhere(db, "another", ["hash"])));
    return count > 0;
  };
  assert.equal(await isTaken(), true);
  assert.equal(await listed.change("sold elsewhere"), true);
  assert.equal(await isTaken(), false);
  assert.equal(await listed.change("put back"), true);
  assert.deepEqual(await after(), before);
  // The next owner lists it, and sells it elsewhere, too.
  assert.equal(await listed.change("sold elsewhere"), true);
  const next = await addPhone(db, { sellerId: listed.seller.id, imeiHash: "hash" });
  assert.equal(await listed.change("put back"), true);
  assert.deepEqual([(await after())?.status, (await after())?.imeiHash], ["available", null]);
  await db.update(phones).set({ status: "sold", soldElsewhere: true, imeiHash: "hash" });
  // Of two that come back at once, one has it.
  assert.equal((await changeSale(db, listed.seller, [listed.id, next.id], "put back")).length, 2);
  const back = await db.select({ imeiHash: phones.imeiHash }).from(phones).orderBy(phones.id);
  assert.deepEqual(
    back.map(({ imeiHash }) => imeiHash),
    ["hash", null],
  );
};

/** What was chosen with it, but doesn't change, takes no IMEI from it. */
export const whatComesBackKeepsItsImeiBesideWhatDoesNot = async (db: Db) => {
  const { seller } = await forSale(db);
  const other = await addAccount(db);
  const soldElsewhere = { imeiHash: "hash", status: "sold", soldElsewhere: true } as const;
  const deleted = await addPhone(db, { ...soldElsewhere, sellerId: seller.id });
  await db.update(phones).set({ hiddenById: "removal" }).where(eq(phones.id, deleted.id));
  const hidden = await addPhone(db, { ...soldElsewhere, sellerId: other.id, hiddenById: "decision" });
  const ofOther = await addPhone(db, { ...soldElsewhere, sellerId: other.id });
  const back = await addPhone(db, { ...soldElsewhere, sellerId: seller.id });
  const chosen = [deleted.id, hidden.id, ofOther.id, back.id];
  assert.deepEqual(await changeSale(db, seller, chosen, "put back"), [back.id]);
  assert.equal((await rowOf(db, back.id)).imeiHash, "hash");
  // What is paused and has it keeps it beside an older one that comes back.
  const older = await addPhone(db, { ...soldElsewhere, imeiHash: "next", sellerId: seller.id });
  const paused = await addPhone(db, { imeiHash: "next", status: "paused", sellerId: seller.id });
  assert.equal((await changeSale(db, seller, [older.id, paused.id], "put back")).length, 2);
  const hashes = [(await rowOf(db, older.id)).imeiHash, (await rowOf(db, paused.id)).imeiHash];
  assert.deepEqual(hashes, [null, "next"]);
};

export const sellersCopyAListingIntoADraft = async (db: Db) => {
  const { seller, id } = await forSale(db, {
    ...{ status: "sold", condition: "Good", batteryHealth: 87, details: { city: "Austin" } },
    ...{ ownNumber: "A", imeiHash: "hash", cover: "photo" },
  });
  const other = await addAccount(db);
  assert.deepEqual(await draftFromListing(db, other, id, null), { refusal: "unknown listing" });
  const copy = async (formKey: string) => {
    const draft = await draftFromListing(db, seller, id, formKey);
    return "id" in draft ? draft.id : draft.refusal;
  };
  const formKey = crypto.randomUUID();
  const draftId = await copy(formKey);
  const typed = (await findDraft(db, seller, draftId))?.typed ?? {};
  assert.deepEqual(
    [typed.brandName, typed.rom, typed.condition, typed.batteryHealth, typed.city, typed.sellingPrice],
    ["Fairphone", "256 GB", "Good", "87", "Austin", "349.5"],
  );
  for (const name of ["ownNumber", "imei", "imeiHash", "image", "cover"])
    assert.equal(typed[name], undefined);
  // Pressed twice on one page, it keeps what was typed since.
  await db.update(listingDrafts).set({ typed: { model: "Typed" } });
  assert.deepEqual(await Promise.all([copy(formKey), copy(formKey)]), [draftId, draftId]);
  assert.deepEqual((await findDraft(db, seller, draftId))?.typed, { model: "Typed" });
  const next = await copy(crypto.randomUUID());
  assert.notEqual(next, draftId);
  assert.equal((await findDraft(db, seller, next))?.typed.model, typed.model);
  // Later and elsewhere, it is the copy that nothing was added to; else there would be a heap of them.
  assert.equal(await copy(crypto.randomUUID()), next);
  await saveDraft(db, seller, next, { ...typed, color: "Blue" });
  const another = await copy(crypto.randomUUID());
  assert.notEqual(another, next);
  assert.deepEqual((await findDraft(db, seller, another))?.typed, typed);
};
