import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { activity, users } from "#app/db/schema.ts";
import { listUsers, verifySeller } from "#app/features/moderation/users.server.ts";
import { addAccount } from "../../harness/fixtures.ts";

export const verifiesExistingSellersOnly = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const buyer = await addAccount(db);
  const gone = await addAccount(db, { userType: "Seller", removalId: "some removal" });
  for (const id of [buyer.id, gone.id, admin.id, "nobody"]) {
    assert.equal(await verifySeller(db, admin, id), null);
  }
  assert.deepEqual(await db.select().from(users).where(eq(users.verified, "yes")), []);
  assert.deepEqual(await db.select().from(activity), []);
};

export const listsUsersInSignUpOrder = async (db: Db) => {
  const ids: string[] = [];
  for (let count = 0; count < 30; count += 1) {
    ids.push((await addAccount(db, { userType: count % 2 ? "Seller" : "Buyer" })).id);
  }
  await addAccount(db, { removalId: "some removal" });
  const [first, second] = [await listUsers(db, 1), await listUsers(db, 2)];
  assert.deepEqual(
    [...first.rows, ...second.rows].map(({ id }) => id),
    ids,
  );
  assert.deepEqual([first.pages, first.first, second.first], [2, 1, 26]);
  const sellers = (await listUsers(db, 1, "Seller")).rows;
  assert.equal(sellers.length, 15);
  assert.ok(sellers.every(({ userType }) => userType === "Seller"));
  assert.ok(sellers.every((seller) => !("passwordHash" in seller)));
};
