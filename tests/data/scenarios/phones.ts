import assert from "node:assert/strict";
import type { Db } from "#app/db/client.server.ts";
import { findPublishedListing } from "#app/features/listings/listings.server.ts";
import { addAccount, addPhone, noDetails } from "../../harness/fixtures.ts";

export const findsAPhoneWithAllFields = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller", name: "Ada Ström" });
  const {
    createdAt: _,
    hiddenById: _hiddenById,
    formKey: _formKey,
    imeiHash: _imeiHash,
    sellerId: _sellerId,
    details: _details,
    ownNumber: _ownNumber,
    pausedUntil: _pausedUntil,
    soldElsewhere: _soldElsewhere,
    ...phone
  } = await addPhone(db, { sellerId: seller.id, status: "sold" });
  const found = await findPublishedListing(db, phone.id);
  assert.deepEqual(found, { ...phone, ...noDetails, sellerName: "Ada Ström", sellerVerified: false });
};

export const findsNoUnknownPhone = async (db: Db) => {
  await addPhone(db);
  for (const id of ["", "nothing", "' OR '1'='1", "%", "x".repeat(10_000)]) {
    assert.equal(await findPublishedListing(db, id), null);
  }
};
