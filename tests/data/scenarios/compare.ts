import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { findComparedListings } from "#app/features/catalog/compare.server.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";

const idsOf = (phones: { id: string }[]) => phones.map(({ id }) => id);

export const comparesEachPhoneOnceInTheOrderOfTheIds = async (db: Db) => {
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.push((await addPhone(db)).id);
  const requested = [3, 0, 3, 4, 0, 1, 2].map((index) => ids[index] ?? "");
  assert.deepEqual(
    idsOf(await findComparedListings(db, requested)),
    [3, 0, 4, 1].map((index) => ids[index]),
  );
  assert.deepEqual(await findComparedListings(db, []), []);
};

export const comparesSoldPhonesButNotRemovedOnes = async (db: Db) => {
  const sold = await addPhone(db, { status: "sold" });
  const removed = await addPhone(db, { hiddenById: "some removal" });
  const hostile = ["", "\u0000", "' OR '1'='1", "x".repeat(5000)];
  for (const unknown of hostile) {
    const found = await findComparedListings(db, [unknown, removed.id, sold.id]);
    assert.deepEqual(
      found.map(({ id, status }) => [id, status]),
      [[sold.id, "sold"]],
    );
  }
};

export const namesTheSellerUnlessTheAccountIsClosed = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller", name: "Ada", verified: true });
  const { id } = await addPhone(db, { sellerId: seller.id });
  const sellerOf = async () => {
    const [phone] = await findComparedListings(db, [id]);
    assert.ok(phone);
    assert.ok(!JSON.stringify(phone).includes(seller.email));
    return [phone.sellerId, phone.sellerName, phone.sellerVerified, phone.sellerHasAccount];
  };
  assert.deepEqual(await sellerOf(), [seller.id, "Ada", true, true]);
  await db.update(users).set({ removalId: "some removal" }).where(eq(users.id, seller.id));
  assert.equal((await sellerOf())[3], false);
};
