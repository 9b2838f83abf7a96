import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { activity, phones, sessions, users } from "#app/db/schema.ts";
import { authenticate, createAccount } from "#app/features/accounts/accounts.server.ts";
import { listActivity } from "#app/features/accounts/activity.server.ts";
import { findViewer, openSession } from "#app/features/accounts/sessions.server.ts";
import { listUsers, removeUser, restoreUser, verifySeller } from "#app/features/accounts/users.server.ts";
import { addAccount, addPhone, password } from "../../harness/rows.ts";

export const verifiesASellerOnce = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const other = await addAccount(db, { userType: "Seller" });
  assert.equal(await verifySeller(db, admin, seller.id), 1);
  assert.equal(await verifySeller(db, admin, seller.id), 0);
  assert.deepEqual(
    (await listUsers(db, 1, "Seller")).rows.map(({ id, verified }) => [id, verified]),
    [
      [seller.id, "yes"],
      [other.id, null],
    ],
  );
  assert.deepEqual(await acts(db), [[admin.email, "verified seller", seller.email]]);
};

export const verifiesNobodyElse = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const buyer = await addAccount(db);
  const gone = await addAccount(db, { userType: "Seller", removalId: "some removal" });
  for (const id of [buyer.id, gone.id, admin.id, "nobody"]) {
    assert.equal(await verifySeller(db, admin, id), 0);
  }
  const verified = await db.select().from(users).where(eq(users.verified, "yes"));
  assert.deepEqual(verified, []);
  assert.deepEqual(await acts(db), []);
};

export const listsUsersInTheOrderOfSigningUp = async (db: Db) => {
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

export const removesAUserWithWhatIsUnsold = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const session = await openSession(db, seller.id, { seconds: 60 });
  const unsold = await addPhone(db, { sellerId: seller.id });
  const reserved = await addPhone(db, { sellerId: seller.id, status: "reserved" });
  const sold = await addPhone(db, { sellerId: seller.id, status: "sold" });
  const others = await addPhone(db);

  assert.ok(await removeUser(db, admin, seller.id));
  assert.equal(await findViewer(db, session), null);
  assert.deepEqual(await db.select().from(sessions), []);
  assert.equal(await authenticate(db, { email: seller.email, password }), null);
  const rows = await db.select({ id: phones.id, removalId: phones.removalId }).from(phones);
  const left = rows.filter(({ removalId }) => removalId === null).map(({ id }) => id);
  assert.deepEqual(left.sort(), [reserved.id, sold.id, others.id].sort());
  assert.ok(!left.includes(unsold.id));
  assert.ok(!(await listUsers(db, 1)).rows.some(({ id }) => id === seller.id));
  assert.deepEqual(await acts(db), [[admin.email, "deleted user", seller.email]]);

  assert.equal(await removeUser(db, admin, seller.id), null);
  assert.ok(await createAccount(db, { ...seller, password: "another1", userType: "Buyer" }));
};

export const keepsAnAdministratorThere = async (db: Db) => {
  const [one, other] = [
    await addAccount(db, { userType: "Admin" }),
    await addAccount(db, { userType: "Admin" }),
  ];
  assert.equal(await removeUser(db, one, one.id), null);
  assert.equal(await removeUser(db, one, "nobody"), null);
  const outcomes = await Promise.all([removeUser(db, one, other.id), removeUser(db, other, one.id)]);
  assert.equal(outcomes.filter(Boolean).length, 1);
  assert.equal((await listUsers(db, 1)).rows.length, 1);
  assert.equal((await db.select().from(activity)).length, 1);
};

export const putsAUserBack = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  await openSession(db, seller.id, { seconds: 60 });
  const phone = await addPhone(db, { sellerId: seller.id });
  const before = await addPhone(db, { sellerId: seller.id, removalId: "an earlier removal" });
  const removalId = await removeUser(db, admin, seller.id);
  assert.ok(removalId);
  assert.equal(await restoreUser(db, admin, removalId), true);
  assert.equal(await restoreUser(db, admin, removalId), false);

  assert.deepEqual((await authenticate(db, { email: seller.email, password }))?.id, seller.id);
  assert.deepEqual(await db.select().from(sessions), []);
  const rows = await db.select({ id: phones.id, removalId: phones.removalId }).from(phones);
  assert.deepEqual(new Map(rows.map(({ id, removalId }) => [id, removalId])).get(phone.id), null);
  assert.equal(rows.find(({ id }) => id === before.id)?.removalId, "an earlier removal");
  assert.deepEqual(await acts(db), [
    [admin.email, "undid deletion", seller.email],
    [admin.email, "deleted user", seller.email],
  ]);
};

export const leavesAUserRemovedWhoseAddressIsTaken = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller", email: "Same@Example.com" });
  const phone = await addPhone(db, { sellerId: seller.id });
  const removalId = await removeUser(db, admin, seller.id);
  assert.ok(removalId);
  const next = await addAccount(db, { email: "same@example.COM" });
  assert.equal(await restoreUser(db, admin, removalId), false);
  assert.equal((await authenticate(db, { email: seller.email, password }))?.id, next.id);
  const [row] = await db.select().from(phones).where(eq(phones.id, phone.id));
  assert.equal(row?.removalId, removalId);
};

async function acts(db: Db) {
  const { rows } = await listActivity(db, 1);
  return rows.map(({ actorEmail, act, target }) => [actorEmail, act, target]);
}
