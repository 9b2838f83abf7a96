import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, priceChanges } from "#app/db/schema.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { selectListings } from "#app/features/catalog/feed.server.ts";
import { findListing } from "#app/features/listings/listing.server.ts";
import type { ListingEdit } from "#app/features/listings/listing-edit.schema.ts";
import {
  editListing,
  findListingToComplete,
  findOwnListing,
} from "#app/features/listings/listing-edit.server.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { findPublishedListing } from "#app/features/listings/listings.server.ts";
import { answerOffer, makeOffer } from "#app/features/orders/offers.server.ts";
import { handleOrderIntent } from "#app/features/orders/order-details.server.ts";
import { closeAccount } from "#app/features/profile/account-closing.server.ts";
import { hourMs } from "#app/time.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone, removeUser } from "../../harness/fixtures.ts";
import { browse } from "../../harness/search.ts";

const details = { address: "", phone: "" };

/** A seller's phone, and a function that saves its form with changes. */
async function forSale(db: Db, given: Partial<typeof phones.$inferInsert> = {}) {
  const seller = await addAccount(db, { userType: "Seller" });
  const { id } = await addPhone(db, { ...given, sellerId: seller.id });
  // Includes the columns that triggers set.
  const phone = await rowOf(db, id);
  const { brandName, model, ram, rom, image, camera, processor, battery, os, deviceType } = phone;
  const { sellingReason, postDate, usedTime, marketCents, sellingCents } = phone;
  const edit: ListingEdit = {
    ...{ brandName, model, ram, rom, image, camera, processor, battery, os, deviceType },
    ...{ sellingReason, postDate, usedTime, marketPrice: marketCents, sellingPrice: sellingCents },
  };
  const save = (changes: Partial<ListingEdit> = {}, imeiHashes: string[] = []) =>
    editListing(db, seller, phone.id, { ...edit, ...changes }, imeiHashes);
  return { seller, phone, edit, save };
}

async function rowOf(db: Db, id: string) {
  const [row] = await db.select().from(phones).where(eq(phones.id, id));
  assert.ok(row);
  return row;
}

const historyOf = async (db: Db, id: string) => (await findListing(db, id))?.prices ?? [];
const pricesOf = async (db: Db, id: string) => (await historyOf(db, id)).map(({ cents }) => cents);

export const changesAllFieldsOfAnAvailableListing = async (db: Db) => {
  const { seller, phone, save } = await forSale(db);
  const other = await rowOf(db, (await addPhone(db)).id);
  const changes: Partial<ListingEdit> = {
    ...{ brandName: "Nokia", model: "G22", ram: "4 GB", rom: "64 GB", os: "Ios", deviceType: "Tablet" },
    ...{ image: "https://pictures.example/g22.jpg", camera: "8 MP", processor: "T606", battery: "5050 mAh" },
    ...{ sellingReason: "Too many.", postDate: "2026-11-19", usedTime: "3" },
    ...{ condition: "Good", batteryHealth: 87, color: "Blue", carrierLock: "unlocked" },
  };
  const details = { repairs: "screen", city: "Austin" };
  assert.equal(await save({ ...changes, ...details, marketPrice: 20_000, sellingPrice: 9_950 }), "saved");
  const { marketCents, sellingCents, ...rest } = await rowOf(db, phone.id);
  assert.deepEqual([marketCents, sellingCents], [20_000, 9_950]);
  assert.deepEqual({ ...rest, ...changes, details }, rest);
  assert.deepEqual(await rowOf(db, other.id), other);
  const shown = await findPublishedListing(db, phone.id);
  assert.deepEqual([shown?.condition, shown?.batteryHealth], ["Good", 87]);
  assert.deepEqual([shown?.repairs, shown?.city, shown?.delivery], ["screen", "Austin", null]);
  const card = (await browse(db, "/tablet")).phones[0];
  assert.equal(card?.condition, "Good");
  // Blank optional fields are cleared.
  assert.equal(await save(changes), "saved");
  const blank = { condition: undefined, batteryHealth: undefined, color: undefined, carrierLock: undefined };
  assert.equal(await save(blank), "saved");
  const own = await findOwnListing(db, seller, phone.id);
  assert.equal(own?.repairs, null);
  assert.deepEqual(
    [own?.condition, own?.batteryHealth, own?.color, own?.carrierLock],
    [null, null, null, null],
  );
  const [apiRow] = await selectListings(db, {}, null, 1);
  assert.ok(apiRow && apiRow.condition === null && !("imeiHash" in apiRow));
};

export const isEditedByItsSellerOnly = async (db: Db) => {
  const { phone, edit: unchanged } = await forSale(db);
  const intruders: Viewer[] = [
    await addAccount(db, { userType: "Seller" }),
    await addAccount(db, { userType: "Admin" }),
  ];
  for (const intruder of intruders) {
    const edit = { ...unchanged, marketPrice: 1, sellingPrice: 1 };
    assert.equal(await editListing(db, intruder, phone.id, edit, ["hash"]), "unknown listing");
    assert.equal(await findOwnListing(db, intruder, phone.id), null);
  }
  assert.deepEqual(await rowOf(db, phone.id), phone);
  assert.equal(await db.$count(priceChanges), 0);
};

export const locksTheDeviceOnceReserved = async (db: Db) => {
  const { seller, phone, save } = await forSale(db);
  const buyer = await addAccount(db);
  assert.equal(await save({}, ["first hash"]), "saved");
  const { orderId } = (await bookWithoutLimits(db, buyer, phone.id, details)) as { orderId: string };
  for (const change of [
    ...[{ brandName: "Nokia" }, { model: "G22" }, { ram: "4 GB" }, { rom: "64 GB" }],
    ...[{ os: "Ios" as const }, { deviceType: "Tablet" as const }, { removeImei: true }],
  ]) {
    assert.equal(await save({ ...change, sellingPrice: 100 }), "identity locked", JSON.stringify(change));
  }
  assert.equal(await save({}, ["second hash"]), "identity locked");
  assert.equal((await rowOf(db, phone.id)).sellingCents, phone.sellingCents);
  assert.equal(await save({ condition: "Fair", usedTime: "15", sellingPrice: 30_000 }), "saved");
  const reserved = await rowOf(db, phone.id);
  assert.deepEqual(
    [reserved.condition, reserved.imeiHash, reserved.status],
    ["Fair", "first hash", "reserved"],
  );

  await handleOrderIntent(db, seller, orderId, "hand over");
  await handleOrderIntent(db, buyer, orderId, "receive");
  assert.equal(await save({ condition: "Good" }), "sold");
  assert.equal((await rowOf(db, phone.id)).condition, "Fair");
  assert.ok((await removeListing(db, seller, phone.id)).removalId);
  assert.equal(await save(), "unknown listing");
};

export const readsSizesOfOlderListingsWhileReserved = async (db: Db) => {
  const { phone, save } = await forSale(db, { ram: "8GB", rom: "256gb UFS 3.1" });
  await bookWithoutLimits(db, await addAccount(db), phone.id, details);
  assert.equal(await save({ ram: "8 GB", rom: "128 GB" }), "identity locked");
  assert.equal(await save({ ram: "8 GB", rom: "256 GB" }), "saved");
};

export const locksTheDeviceWhenABookingWinsTheRace = async (db: Db) => {
  for (let round = 0; round < 6; round += 1) {
    const { phone, save } = await forSale(db);
    const buyer = await addAccount(db);
    const book = () => bookWithoutLimits(db, buyer, phone.id, details);
    const swap = () => save({ model: "Another device" });
    // The first request usually wins, so the order alternates.
    const outcomes = await Promise.all(round % 2 ? [swap(), book()] : [book(), swap()]);
    const swapped = outcomes.includes("saved");
    const { model, status } = await rowOf(db, phone.id);
    assert.deepEqual([model, status], [swapped ? "Another device" : phone.model, "reserved"]);
    if (!swapped) assert.ok(outcomes.includes("identity locked"));
  }
};

export const recordsThePriceHistory = async (db: Db) => {
  const { phone, save } = await forSale(db, { sellingCents: 40_000 });
  assert.deepEqual(await historyOf(db, phone.id), []);
  assert.equal(await save({ usedTime: "9" }), "saved");
  assert.deepEqual(await historyOf(db, phone.id), []);
  assert.deepEqual(await Promise.all([save({ sellingPrice: 35_000 }), save({ sellingPrice: 35_000 })]), [
    "saved",
    "saved",
  ]);
  const ago = (hours: number) => new Date(Date.now() - hours * hourMs);
  const createdAt = ago(9);
  await db.update(phones).set({ createdAt }).where(eq(phones.id, phone.id));
  await db.update(priceChanges).set({ createdAt: ago(8) });
  // Lasts less than an hour, so it was mistyped.
  assert.equal(await save({ sellingPrice: 3_605_000 }), "saved");
  assert.equal(await save({ sellingPrice: 36_050 }), "saved");
  assert.deepEqual(await pricesOf(db, phone.id), [36_050, 35_000, 40_000]);
  const history = await historyOf(db, phone.id);
  assert.equal(history.at(-1)?.since.getTime(), createdAt.getTime());
  assert.ok(history.every(({ since }) => since instanceof Date));
  assert.deepEqual(await pricesOf(db, "nothing"), []);
  for (let change = 1; change <= 20; change += 1) {
    await save({ sellingPrice: 20_000 + change });
    await db
      .update(priceChanges)
      .set({ createdAt: ago(20 - change) })
      .where(eq(priceChanges.newCents, 20_000 + change));
  }
  const capped = await pricesOf(db, phone.id);
  assert.deepEqual([capped.length, capped[0], capped.at(-1)], [20, 20_020, 20_001]);
};

export const listsAnImeiOnce = async (db: Db) => {
  const [one, other] = [await forSale(db), await forSale(db)];
  const outcomes = await Promise.all([one.save({}, ["new", "old"]), other.save({}, ["new", "old"])]);
  assert.deepEqual(outcomes.toSorted(), ["imei taken", "saved"]);
  const [holder, late] = outcomes[0] === "saved" ? [one, other] : [other, one];
  assert.equal((await rowOf(db, holder.phone.id)).imeiHash, "new");
  assert.equal((await rowOf(db, late.phone.id)).imeiHash, null);
  assert.equal(await holder.save({}, ["new", "old"]), "saved");
  // An empty field keeps the IMEI, a hash with an older secret is recognized, and the checkbox clears it.
  assert.equal(await holder.save({ condition: "Good" }), "saved");
  assert.equal(await late.save({}, ["newer", "new"]), "imei taken");
  assert.equal(await holder.save({ removeImei: true }), "saved");
  assert.equal(await late.save({}, ["newer", "new"]), "saved");
  assert.equal((await findOwnListing(db, late.seller, late.phone.id))?.hasImei, true);
};

export const clearsTheImeiOfARestoredDuplicate = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const [first, second, third] = [await forSale(db), await forSale(db), await forSale(db)];
  await first.save({}, ["hash"]);
  const deleted = (await removeListing(db, first.seller, first.phone.id)).removalId ?? "";
  assert.equal(await second.save({}, ["hash"]), "saved");
  assert.equal((await undoWithoutLimits(db, first.seller, deleted)).result, "undone");
  assert.equal((await rowOf(db, first.phone.id)).imeiHash, null);

  const removed = (await removeUser(db, admin, second.seller.id)) ?? "";
  assert.equal(await third.save({}, ["hash"]), "saved");
  assert.equal((await undoWithoutLimits(db, admin, removed)).result, "undone");
  assert.equal((await rowOf(db, second.phone.id)).imeiHash, null);

  assert.equal(await first.save({}, ["hash"]), "imei taken");
  await removeListing(db, third.seller, third.phone.id);
  assert.equal(await first.save({}, ["hash"]), "saved");
  // Without a duplicate it is restored unchanged.
  const again = (await removeListing(db, first.seller, first.phone.id)).removalId ?? "";
  assert.equal((await undoWithoutLimits(db, first.seller, again)).result, "undone");
  assert.equal((await rowOf(db, first.phone.id)).imeiHash, "hash");
};

export const requestsTheConditionOfNewListings = async (db: Db) => {
  const { seller, phone, save } = await forSale(db, { brandName: "Nokia", model: "G22" });
  const prompt = { id: phone.id, name: "Nokia G22" };
  assert.deepEqual(await findListingToComplete(db, seller, phone.id), { ...prompt, hasPhotos: false });
  await db.update(phones).set({ cover: "photo" }).where(eq(phones.id, phone.id));
  assert.deepEqual(await findListingToComplete(db, seller, phone.id), { ...prompt, hasPhotos: true });
  assert.equal(await findListingToComplete(db, await addAccount(db), phone.id), null);
  await save({ condition: "Good" });
  assert.equal(await findListingToComplete(db, seller, phone.id), null);
};

export const deletesTheHistoryOfAClosedAccount = async (db: Db) => {
  const { seller, save } = await forSale(db);
  const { phone: others, save: saveOthers } = await forSale(db);
  await save({ sellingPrice: 10_000 });
  await saveOthers({ sellingPrice: 10_000 });
  const passwordHash = seller.passwordHash ?? "";
  assert.equal(await closeAccount(db, seller, { passwordHash }), "closed");
  assert.deepEqual(
    (await db.select().from(priceChanges)).map(({ phoneId }) => phoneId),
    [others.id],
  );
};

export const anOpenOfferLocksTheModel = async (db: Db) => {
  const { phone, save } = await forSale(db, { sellingCents: 40_000 });
  const buyer = await addAccount(db);
  const { offerId } = await makeOffer(db, buyer, phone.id, { amountCents: 30_000, text: "", formKey: null });
  assert.equal(await save({ model: "Another device" }), "identity locked");
  assert.equal(await save({ usedTime: "9" }), "saved");
  await answerOffer(db, buyer, offerId ?? "", "withdrawn");
  assert.equal(await save({ model: "Another device" }), "saved");
};
