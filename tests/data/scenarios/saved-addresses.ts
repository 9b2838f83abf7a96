import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { savedAddresses, users } from "#app/db/schema.ts";
import { maxAddresses } from "#app/features/orders/booking.schema.ts";
import {
  addSavedAddress,
  changeSavedAddress,
  deleteAddress,
  listAddresses,
} from "#app/features/orders/saved-addresses.server.ts";
import { addAccount } from "../../harness/fixtures.ts";

const home = { address: "1 Harbour Street", phone: "+46 70 123" };

export const savesAnAddressOnceAndFiveAtMost = async (db: Db) => {
  const buyer = await addAccount(db);
  assert.deepEqual(
    [await addSavedAddress(db, buyer, home), await addSavedAddress(db, buyer, home)],
    [null, null],
  );
  const numbers = [1, 2, 3, 4, 5, 6].map(String);
  const outcomes = await Promise.all(numbers.map((phone) => addSavedAddress(db, buyer, { ...home, phone })));
  assert.equal(outcomes.filter((refusal) => refusal === null).length, maxAddresses - 1);
  assert.equal(outcomes.filter((refusal) => refusal === "too many").length, 2);
  // One that is saved already needs no place.
  assert.equal(await addSavedAddress(db, buyer, home), null);
  assert.equal((await listAddresses(db, buyer)).length, maxAddresses);
};

export const onlyTheirOwnerSeesAndDeletesAddresses = async (db: Db) => {
  const [buyer, stranger] = [await addAccount(db), await addAccount(db)];
  await addSavedAddress(db, buyer, home);
  const [{ id } = { id: "" }] = await listAddresses(db, buyer);
  assert.deepEqual(await listAddresses(db, stranger), []);
  await deleteAddress(db, stranger, id);
  assert.deepEqual(await listAddresses(db, buyer), [{ id, ...home }]);
  await deleteAddress(db, buyer, id);
  assert.deepEqual(await listAddresses(db, buyer), []);
};

export const onlyTheirOwnerChangesAddresses = async (db: Db) => {
  const [buyer, stranger] = [await addAccount(db), await addAccount(db)];
  const [moved, work] = [
    { ...home, phone: "+46 70 124" },
    { address: "2 Work Street", phone: "" },
  ];
  for (const details of [home, work]) await addSavedAddress(db, buyer, details);
  const [, { id } = { id: "" }] = await listAddresses(db, buyer);
  assert.equal(await changeSavedAddress(db, stranger, id, moved), "unknown");
  assert.equal(await changeSavedAddress(db, buyer, id, work), "saved already");
  assert.deepEqual((await listAddresses(db, buyer))[1], { id, ...home });
  // What is saved again unchanged is no other.
  assert.deepEqual(
    [await changeSavedAddress(db, buyer, id, home), await changeSavedAddress(db, buyer, id, moved)],
    [null, null],
  );
  assert.deepEqual((await listAddresses(db, buyer))[1], { id, ...moved });
  // A stranger may save the same.
  assert.equal(await addSavedAddress(db, stranger, moved), null);
};

export const aRemovedAccountSavesNoAddress = async (db: Db) => {
  const buyer = await addAccount(db);
  await db.update(users).set({ removalId: "x" }).where(eq(users.id, buyer.id));
  assert.equal(await addSavedAddress(db, buyer, home), "account closed");
  assert.equal(await db.$count(savedAddresses), 0);
};
