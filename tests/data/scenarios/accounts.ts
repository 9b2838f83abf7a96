import assert from "node:assert/strict";
import { hash } from "bcryptjs";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sessions, signUpAddresses, users } from "#app/db/schema.ts";
import { findAccount, promoteToAdmin } from "#app/features/accounts/accounts.server.ts";
import { authenticate, checkPassword, resetPassword } from "#app/features/accounts/passwords.server.ts";
import {
  AccountChangedError,
  closeOtherSessions,
  closeSession,
  findViewer,
  openSession,
} from "#app/features/accounts/sessions.server.ts";
import { createAccount } from "#app/features/accounts/sign-up.server.ts";
import { endSessions } from "#app/features/administration/user-actions.server.ts";
import { addAccount, beginRecovery, password } from "../../harness/fixtures.ts";

const mia = { name: "Mia Sund", email: "Mia@Example.com", password: "secret1", userType: "Buyer" } as const;

const notSuspended = { suspensionId: null, suspendedUntil: null, moderatorSince: null, sessionVersion: 0 };

export const createsAnAccount = async (db: Db) => {
  const viewer = await createAccount(db, mia);
  const [row, ...others] = await db.select().from(users);
  assert.deepEqual(others, []);
  assert.ok(row);
  assert.deepEqual(viewer, {
    id: row.id,
    name: "Mia Sund",
    email: "Mia@Example.com",
    userType: "Buyer",
    ...notSuspended,
  });
  assert.match(row.passwordHash ?? "", /^\$2[aby]\$10\$/);
  assert.equal(row.verified, false);
};

export const createsOneAccountPerEmail = async (db: Db) => {
  assert.ok(await createAccount(db, mia));
  const taken = { ...mia, name: "Another", email: "mIA@example.COM", userType: "Seller" } as const;
  assert.equal(await createAccount(db, taken), null);
  const rows = await db.select({ name: users.name, userType: users.userType }).from(users);
  assert.deepEqual(rows, [{ name: "Mia Sund", userType: "Buyer" }]);
};

export const createsOneAccountForConcurrentSignUps = async (db: Db) => {
  const created = await Promise.all(Array.from({ length: 5 }, () => createAccount(db, mia)));
  assert.equal(created.filter(Boolean).length, 1);
  assert.equal((await db.select().from(users)).length, 1);
};

export const signUpStoresAllOrNothing = async (db: Db) => {
  const address = { addressHash: "hash" };
  const taken = await openSession(db, await addAccount(db), { seconds: 60 });
  await assert.rejects(createAccount(db, mia, { ...address, session: { id: taken, seconds: 60 } }));
  assert.equal(await findAccount(db, mia.email), null);
  assert.equal(await db.$count(signUpAddresses), 0);
  const viewer = await createAccount(db, mia, { ...address, session: { id: "new", seconds: 60 } });
  assert.deepEqual(await findViewer(db, "new"), viewer);
  assert.equal(await db.$count(signUpAddresses, eq(signUpAddresses.userId, viewer?.id ?? "")), 1);
};

export const authenticatesByEmailAndPassword = async (db: Db) => {
  const viewer = await createAccount(db, mia);
  assert.ok(viewer);
  for (const email of [mia.email, "mia@example.com"]) {
    assert.deepEqual(await authenticate(db, { ...mia, email }), { viewer });
  }
  assert.deepEqual(await authenticate(db, { ...mia, password: "Secret1" }), { refusal: "wrong" });
  assert.deepEqual(await authenticate(db, { ...mia, email: "nobody@example.com" }), { refusal: "wrong" });
};

export const authenticatesByAPasswordHashedAsItWasTyped = async (db: Db) => {
  // A decomposed letter, a ligature and a full-width digit, hashed before passwords had a normal form.
  const typed = "pa\u0308sswo\uFB01\uFF11";
  const normal = typed.normalize("NFKC");
  assert.notEqual(normal, typed);
  const old = await addAccount(db, { passwordHash: await hash(typed, 4) });
  const logIn = async (email: string, secret: string) => {
    const { viewer, refusal } = await authenticate(db, { email, password: secret });
    return refusal ?? viewer.id;
  };
  assert.equal(await logIn(old.email, typed), old.id);
  assert.equal(await checkPassword(db, old, typed), old.passwordHash);
  for (const wrong of [normal, `${typed}x`, typed.normalize("NFC")]) {
    assert.equal(await logIn(old.email, wrong), "wrong");
  }
  // A new hash is of the normal form, however it was typed.
  const anew = await createAccount(db, { ...mia, password: typed });
  for (const form of [typed, normal]) assert.equal(await logIn(mia.email, form), anew?.id);
};

export const refusesPasswordsForAccountsWithoutOne = async (db: Db) => {
  const { email } = await addAccount(db, { passwordHash: null });
  for (const guess of ["", "x".repeat(31), "null", password]) {
    assert.deepEqual(await authenticate(db, { email, password: guess }), { refusal: "wrong" });
  }
};

export const revealsARemovedAccountOnlyWithItsPassword = async (db: Db) => {
  const email = "Gone@Example.com";
  await addAccount(db, { email, removalId: "first", passwordHash: await hash("long ago 1", 4) });
  await addAccount(db, { email, removalId: "second" });
  assert.deepEqual(await authenticate(db, { email: "gone@example.com", password }), { refusal: "disabled" });
  assert.deepEqual(await authenticate(db, { email, password: "Wr0ngPassword" }), { refusal: "wrong" });
  // The newest account of an address counts, and an active one before removed ones.
  assert.deepEqual(await authenticate(db, { email, password: "long ago 1" }), { refusal: "wrong" });
  const anew = await createAccount(db, { ...mia, email, password: "another1" });
  await addAccount(db, { email, removalId: "third" });
  assert.deepEqual(await authenticate(db, { email, password }), { refusal: "wrong" });
  assert.deepEqual(await authenticate(db, { email, password: "another1" }), { viewer: anew });
};

export const opensASession = async (db: Db) => {
  const account = await addAccount(db, { userType: "Seller" });
  await addAccount(db);
  const id = await openSession(db, account, { seconds: 60 });
  assert.match(id, /^[\w-]{43}$/);
  const { name, email } = account;
  assert.deepEqual(await findViewer(db, id), {
    id: account.id,
    name,
    email,
    userType: "Seller",
    ...notSuspended,
  });
  assert.equal(await findViewer(db, `${id}x`), null);
};

export const replacesTheSessionOfABrowser = async (db: Db) => {
  const account = await addAccount(db);
  const elsewhere = await openSession(db, account, { seconds: 60 });
  const previous = await openSession(db, account, { seconds: 60 });
  const next = await openSession(db, account, { seconds: 60, previous });
  assert.notEqual(next, previous);
  assert.equal(await findViewer(db, previous), null);
  assert.equal((await findViewer(db, next))?.id, account.id);
  assert.equal((await findViewer(db, elsewhere))?.id, account.id);
};

export const expiresASession = async (db: Db) => {
  const account = await addAccount(db);
  assert.equal(await findViewer(db, await openSession(db, account, { seconds: -1 })), null);
};

const hour = 60 * 60 * 1000;
const ago = (hours: number) => new Date(Date.now() - hours * hour);

export const expiresAnUnusedSession = async (db: Db) => {
  const account = await addAccount(db);
  const session = await openSession(db, account, { seconds: 30 * 24 * 3600 });
  await db.update(sessions).set({ createdAt: ago(8 * 24), lastSeenAt: ago(7 * 24 - 1) });
  assert.equal((await findViewer(db, session))?.id, account.id);
  await db.update(sessions).set({ lastSeenAt: ago(7 * 24 + 1) });
  assert.equal(await findViewer(db, session), null);
  const next = await openSession(db, account, { seconds: 60 });
  assert.deepEqual(await db.select({ id: sessions.id }).from(sessions), [{ id: next }]);
};

export const recordsSessionUseOnceAnHour = async (db: Db) => {
  const account = await addAccount(db);
  const session = await openSession(db, account, { seconds: 3600, device: "Chrome on Android" });
  const seen = async () => {
    assert.equal((await findViewer(db, session))?.id, account.id);
    const [row] = await db.select().from(sessions);
    assert.equal(row?.device, "Chrome on Android");
    return row.lastSeenAt.getTime();
  };
  assert.ok((await seen()) > Date.now() - 60_000);
  const recently = ago(0.9);
  await db.update(sessions).set({ createdAt: ago(30), lastSeenAt: recently });
  assert.equal(await seen(), recently.getTime());
  await db.update(sessions).set({ lastSeenAt: ago(1.1) });
  assert.ok((await seen()) > Date.now() - 60_000);
};

export const expiresOldSessionsByTheirStart = async (db: Db) => {
  const { id } = await addAccount(db);
  const opened = { id: "old", userId: id, expiresAt: new Date(Date.now() + 24 * hour) };
  await db.insert(sessions).values({ ...opened, createdAt: ago(6 * 24) });
  assert.equal((await findViewer(db, "old"))?.id, id);
  await db.update(sessions).set({ createdAt: ago(8 * 24), lastSeenAt: new Date(0) });
  assert.equal(await findViewer(db, "old"), null);
};

export const closesASession = async (db: Db) => {
  const account = await addAccount(db);
  const session = await openSession(db, account, { seconds: 60 });
  const other = await openSession(db, account, { seconds: 60 });
  await closeSession(db, session);
  await closeSession(db, session);
  assert.equal(await findViewer(db, session), null);
  assert.equal((await findViewer(db, other))?.id, account.id);
};

export const readsTheCurrentRole = async (db: Db) => {
  const account = await addAccount(db);
  const session = await openSession(db, account, { seconds: 60 });
  await db.update(users).set({ userType: "Admin" }).where(eq(users.id, account.id));
  assert.equal((await findViewer(db, session))?.userType, "Admin");
};

export const endsTheSessionsOfARemovedAccount = async (db: Db) => {
  const account = await addAccount(db);
  const session = await openSession(db, account, { seconds: 60 });
  await db.delete(users).where(eq(users.id, account.id));
  assert.equal(await findViewer(db, session), null);
  assert.deepEqual(await db.select().from(sessions), []);
};

export const raisesAnAccountToAdministrator = async (db: Db) => {
  const account = await addAccount(db, { email: "Keeper@Example.com" });
  const other = await addAccount(db);
  const before = await openSession(db, account, { seconds: 60 });
  const others = await openSession(db, other, { seconds: 60 });
  assert.equal(await promoteToAdmin(db, "nobody@example.com"), false);
  assert.equal((await findViewer(db, before))?.id, account.id);
  assert.equal(await promoteToAdmin(db, "keeper@example.com"), true);
  // Sessions of a buyer must not become an administrator's.
  assert.equal(await findViewer(db, before), null);
  assert.equal((await findViewer(db, others))?.id, other.id);
  const roles = await db.select({ id: users.id, userType: users.userType }).from(users).orderBy(users.id);
  assert.deepEqual(roles, [
    { id: account.id, userType: "Admin" },
    { id: other.id, userType: "Buyer" },
  ]);
};

export const aLoginUnderWayDoesNotOutliveThePassword = async (db: Db) => {
  const { email } = await addAccount(db);
  const { viewer: entered } = await authenticate(db, { email, password });
  assert.ok(entered);
  const other = await addAccount(db);
  const previous = await openSession(db, other, { seconds: 60 });
  const recovery = await beginRecovery(db, email);
  assert.ok(recovery && (await resetPassword(db, recovery.token, "another1")));
  const late = openSession(db, entered, { seconds: 60, previous });
  await assert.rejects(late, AccountChangedError);
  // The refused login leaves the browser's session as it was.
  assert.equal((await findViewer(db, previous))?.id, other.id);
  assert.equal(await db.$count(sessions), 1);
};

export const aLoginUnderWayDoesNotOutliveTheEndOfAllSessions = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const account = await addAccount(db, { email: "keeper@example.com" });
  const bystander = await addAccount(db);
  const ends: [string, (own: string) => Promise<unknown>][] = [
    ["log out everywhere", (own) => closeOtherSessions(db, account, own)],
    ["an administrator logs the account out", () => endSessions(db, admin, account.id)],
    ["another role", () => promoteToAdmin(db, account.email)],
  ];
  for (const [what, endAll] of ends) {
    const { viewer: entered } = await authenticate(db, { email: account.email, password });
    assert.ok(entered);
    await endAll(await openSession(db, entered, { seconds: 60 }));
    await assert.rejects(openSession(db, entered, { seconds: 60 }), AccountChangedError, what);
  }
  // Logins of others go on.
  await openSession(db, bystander, { seconds: 60 });
};

export const aLoginUnderWayDoesNotOutliveTheAccount = async (db: Db) => {
  const account = await addAccount(db);
  await db.update(users).set({ removalId: "closed" }).where(eq(users.id, account.id));
  await assert.rejects(openSession(db, account, { seconds: 60 }), AccountChangedError);
  assert.equal(await db.$count(sessions), 0);
};
