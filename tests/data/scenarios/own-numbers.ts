import assert from "node:assert/strict";
import type { Db } from "#app/db/client.server.ts";
import { listingSchema } from "#app/features/listings/listing.schema.ts";
import { changeListing, findOwnListing } from "#app/features/listings/listing-edit.server.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { publishListing } from "#app/features/listings/publishing.server.ts";
import { readSellings } from "#app/features/listings/sellings.server.ts";
import { makeOffer, selectOwnOffers } from "#app/features/orders/offers.server.ts";
import { findOrder } from "#app/features/orders/order-details.server.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { type Account, addAccount, addPhone } from "../../harness/fixtures.ts";
import { validListing } from "../../harness/listing-form.ts";

const taken = ["You have another listing with this number."];

/** Publishes a listing with a number; the id, or why it was refused. */
async function publish(db: Db, seller: Account, ownNumber: string, formKey: string | null = null) {
  const phone = listingSchema.parse({ ...validListing, ownNumber });
  const outcome = await publishListing(db, seller, phone, { formKey });
  return "id" in outcome ? outcome.id : outcome.refusal.fieldErrors?.ownNumber;
}

const numberOf = async (db: Db, seller: Account, id: string) =>
  (await findOwnListing(db, seller, id))?.ownNumber;

export const aSellerUsesANumberOnce = async (db: Db) => {
  const [seller, other] = [await addAccount(db), await addAccount(db)];
  const id = await publish(db, seller, " A-17 ", "6b0c7f0e-0000-4000-8000-000000000001");
  assert.equal(await numberOf(db, seller, String(id)), "A-17");
  assert.deepEqual(await publish(db, seller, "a-17"), taken);
  // The same form again, and another seller.
  assert.equal(await publish(db, seller, "A-17", "6b0c7f0e-0000-4000-8000-000000000001"), id);
  assert.equal(typeof (await publish(db, other, "A-17")), "string");
  const second = await publish(db, seller, "");
  assert.equal(await changeListing(db, seller, String(second), { ownNumber: "A-17" }, []), "number taken");
  assert.equal(await changeListing(db, seller, String(second), { ownNumber: "B" }, []), "saved");
  assert.equal(await changeListing(db, seller, String(second), { sellingPrice: 20_000 }, []), "saved");
  assert.equal(await numberOf(db, seller, String(second)), "B");
  assert.equal(await changeListing(db, seller, String(second), { ownNumber: undefined }, []), "saved");
  assert.equal(await numberOf(db, seller, String(second)), null);
};

export const oneOfTwoTabsGetsANumber = async (db: Db) => {
  const seller = await addAccount(db);
  const outcomes = await Promise.all([publish(db, seller, "A"), publish(db, seller, "A")]);
  assert.deepEqual(outcomes.filter((outcome) => typeof outcome === "string").length, 1);
  assert.deepEqual(
    outcomes.find((outcome) => typeof outcome !== "string"),
    taken,
  );
};

export const aDeletedListingGivesItsNumberUp = async (db: Db) => {
  const seller = await addAccount(db);
  const deleted = String(await publish(db, seller, "A"));
  const { removalId = "" } = await removeListing(db, seller, deleted);
  const next = String(await publish(db, seller, "A"));
  assert.equal(await numberOf(db, seller, next), "A");
  assert.equal((await undoWithoutLimits(db, seller, removalId)).result, "undone");
  assert.equal(await numberOf(db, seller, deleted), null);
};

export const nobodyElseSeesTheNumber = async (db: Db) => {
  const [seller, buyer] = [await addAccount(db), await addAccount(db)];
  const admin = await addAccount(db, { userType: "Admin" });
  const { id } = await addPhone(db, { sellerId: seller.id, ownNumber: "A" });
  const [own] = await (await readSellings(db, seller, seller.id))(null, 1);
  assert.equal(own?.ownNumber, "A");
  const [read] = await (await readSellings(db, admin, seller.id))(null, 1);
  assert.equal(read?.ownNumber, null);
  await makeOffer(db, buyer, id, { amountCents: (own?.sellingCents ?? 0) - 1_000, text: "", formKey: null });
  const onOffer = async (viewer: Account) => (await selectOwnOffers(db, viewer, null, 1))[0]?.ownNumber;
  assert.deepEqual(await Promise.all([seller, buyer].map(onOffer)), ["A", null]);
  const { orderId = "" } = await bookWithoutLimits(db, buyer, id, { address: "", phone: "" });
  const seen = async (viewer: Account) => (await findOrder(db, viewer, orderId))?.ownNumber;
  assert.deepEqual(await Promise.all([seller, buyer, admin].map(seen)), ["A", null, null]);
};
