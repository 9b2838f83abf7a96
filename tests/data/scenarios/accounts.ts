import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sessions, users } from "#app/db/schema.ts";
import { authenticate, createAccount, raiseToAdmin } from "#app/features/accounts/accounts.server.ts";
import { closeSession, findViewer, openSession } from "#app/features/accounts/sessions.server.ts";
import { addAccount, password } from "../../harness/rows.ts";

const mia = { name: "Mia Sund", email: "Mia@Example.com", password: "secret1", userType: "Buyer" } as const;

export const createsAnAccount = async (db: Db) => {
  const viewer = await createAccount(db, mia);
  const [row, ...others] = await db.select().from(users);
  assert.deepEqual(others, []);
  assert.ok(row);
  assert.deepEqual(viewer, { id: row.id, name: "Mia Sund", email: "Mia@Example.com", userType: "Buyer" });
  assert.match(row.passwordHash ?? "", /^\$2[aby]\$10\$/);
  assert.equal(row.verified, null);
};

export const givesAnAddressToOneAccountOnly = async (db: Db) => {
  assert.ok(await createAccount(db, mia));
  const taken = { ...mia, name: "Another", email: "mIA@example.COM", userType: "Seller" } as const;
  assert.equal(await createAccount(db, taken), null);
  const rows = await db.select({ name: users.name, userType: users.userType }).from(users);
  assert.deepEqual(rows, [{ name: "Mia Sund", userType: "Buyer" }]);
};

export const givesAnAddressToOneOfManyAtOnce = async (db: Db) => {
  const created = await Promise.all(Array.from({ length: 5 }, () => createAccount(db, mia)));
  assert.equal(created.filter(Boolean).length, 1);
  assert.equal((await db.select().from(users)).length, 1);
};

export const authenticatesByAddressAndPassword = async (db: Db) => {
  const viewer = await createAccount(db, mia);
  assert.ok(viewer);
  assert.deepEqual(await authenticate(db, mia), viewer);
  assert.deepEqual(await authenticate(db, { ...mia, email: "mia@example.com" }), viewer);
  assert.equal(await authenticate(db, { ...mia, password: "Secret1" }), null);
  assert.equal(await authenticate(db, { ...mia, email: "nobody@example.com" }), null);
};

export const refusesPasswordsOfAccountsWithoutOne = async (db: Db) => {
  const { email } = await addAccount(db, { passwordHash: null });
  for (const guess of ["", "x".repeat(31), "null", password]) {
    assert.equal(await authenticate(db, { email, password: guess }), null);
  }
};

export const opensASession = async (db: Db) => {
  const account = await addAccount(db, { userType: "Seller" });
  await addAccount(db);
  const id = await openSession(db, account.id, { seconds: 60 });
  assert.match(id, /^[\w-]{43}$/);
  const { name, email } = account;
  assert.deepEqual(await findViewer(db, id), { id: account.id, name, email, userType: "Seller" });
  assert.equal(await findViewer(db, `${id}x`), null);
};

export const replacesABrowsersSession = async (db: Db) => {
  const account = await addAccount(db);
  const elsewhere = await openSession(db, account.id, { seconds: 60 });
  const previous = await openSession(db, account.id, { seconds: 60 });
  const next = await openSession(db, account.id, { seconds: 60, previous });
  assert.notEqual(next, previous);
  assert.equal(await findViewer(db, previous), null);
  assert.equal((await findViewer(db, next))?.id, account.id);
  assert.equal((await findViewer(db, elsewhere))?.id, account.id);
};

export const endsASessionWhenItsTimeIsOver = async (db: Db) => {
  const { id } = await addAccount(db);
  assert.equal(await findViewer(db, await openSession(db, id, { seconds: -1 })), null);
};

export const closesASession = async (db: Db) => {
  const { id } = await addAccount(db);
  const session = await openSession(db, id, { seconds: 60 });
  const other = await openSession(db, id, { seconds: 60 });
  await closeSession(db, session);
  await closeSession(db, session);
  assert.equal(await findViewer(db, session), null);
  assert.equal((await findViewer(db, other))?.id, id);
};

export const readsTheRoleOfThisMoment = async (db: Db) => {
  const { id } = await addAccount(db);
  const session = await openSession(db, id, { seconds: 60 });
  await db.update(users).set({ userType: "Admin" }).where(eq(users.id, id));
  assert.equal((await findViewer(db, session))?.userType, "Admin");
};

export const endsTheSessionsOfARemovedAccount = async (db: Db) => {
  const { id } = await addAccount(db);
  const session = await openSession(db, id, { seconds: 60 });
  await db.delete(users).where(eq(users.id, id));
  assert.equal(await findViewer(db, session), null);
  assert.deepEqual(await db.select().from(sessions), []);
};

export const raisesAnAccountToAdministrator = async (db: Db) => {
  const { id } = await addAccount(db, { email: "Keeper@Example.com" });
  const other = await addAccount(db);
  assert.equal(await raiseToAdmin(db, "nobody@example.com"), false);
  assert.equal(await raiseToAdmin(db, "keeper@example.com"), true);
  const roles = await db.select({ id: users.id, userType: users.userType }).from(users).orderBy(users.id);
  assert.deepEqual(roles, [
    { id, userType: "Admin" },
    { id: other.id, userType: "Buyer" },
  ]);
};
