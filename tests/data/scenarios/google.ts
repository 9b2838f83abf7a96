import assert from "node:assert/strict";
import { eq, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { signUpAddresses, usedOauthStates, users } from "#app/db/schema.ts";
import { consumeOauthState, findOrCreateGoogleAccount } from "#app/features/accounts/google.server.ts";
import { authenticate } from "#app/features/accounts/passwords.server.ts";
import { findViewer, openSession } from "#app/features/accounts/sessions.server.ts";
import { createAccount } from "#app/features/accounts/sign-up.server.ts";
import { undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, password, removeUser } from "../../harness/fixtures.ts";

const mia = { sub: "100", email: "Mia@Example.com", email_verified: true, name: "Mia Sund" };

async function idOf(db: Db, person: Parameters<typeof findOrCreateGoogleAccount>[1]) {
  const found = await findOrCreateGoogleAccount(db, person);
  return "viewer" in found ? found.viewer.id : found.refusal;
}

export const recordsTheAddressOfNewGoogleAccounts = async (db: Db) => {
  for (const addressHash of ["first", "later"]) await findOrCreateGoogleAccount(db, mia, { addressHash });
  await addAccount(db, { email: "nils@example.com" });
  await findOrCreateGoogleAccount(
    db,
    { ...mia, sub: "200", email: "nils@example.com" },
    { addressHash: "n" },
  );
  const recorded = await db.select({ address: signUpAddresses.addressHash }).from(signUpAddresses);
  assert.deepEqual(recorded, [{ address: "first" }]);
};

export const createsABuyerForANewGoogleAccount = async (db: Db) => {
  const found = await findOrCreateGoogleAccount(db, mia);
  const [row, ...others] = await db.select().from(users);
  assert.deepEqual(others, []);
  assert.ok(row);
  assert.deepEqual(found, {
    viewer: {
      id: row.id,
      name: "Mia Sund",
      email: "Mia@Example.com",
      userType: "Buyer",
      suspensionId: null,
      moderatorSince: null,
      sessionVersion: 0,
      suspendedUntil: null,
    },
    isLinked: false,
  });
  assert.deepEqual([row.passwordHash, row.googleSubject, row.verified], [null, "100", false]);
};

export const derivesANameWithoutOne = async (db: Db) => {
  const names: [string | undefined, string][] = [
    [undefined, "mia"],
    ["  ", "mia"],
    ["x".repeat(101), "x".repeat(100)],
    [" Mia ", "Mia"],
  ];
  for (const [index, [name, kept]] of names.entries()) {
    const email = `mia@${index}.example.com`;
    await findOrCreateGoogleAccount(db, { sub: `${index}`, email, email_verified: true, name });
    const [row] = await db.select().from(users).where(eq(users.email, email));
    assert.equal(row?.name, kept);
  }
};

export const linksAnAccountByEmailOnce = async (db: Db) => {
  const account = await addAccount(db, {
    email: "mia@example.COM",
    emailVerifiedAt: new Date(1_700_000_000_000),
    userType: "Seller",
    verified: true,
  });
  const session = await openSession(db, account, { seconds: 60 });
  const bystander = await addAccount(db);
  // The owner gets an email about the first.
  for (const isLinked of [true, false]) {
    const found = await findOrCreateGoogleAccount(db, mia);
    assert.ok("viewer" in found);
    assert.deepEqual([found.viewer.id, found.isLinked], [account.id, isLinked]);
  }
  assert.equal(await idOf(db, { ...mia, sub: "200" }), "address of another");
  const rows = await db.select().from(users).orderBy(users.id);
  const lastSeenDay = Math.floor(Date.now() / 86_400_000);
  assert.deepEqual(rows, [{ ...account, googleSubject: "100", lastSeenDay }, bystander]);
  assert.ok(await findViewer(db, session));
};

export const linksAnUnverifiedAccountAndClosesItsAccess = async (db: Db) => {
  const account = await addAccount(db, { email: mia.email });
  const session = await openSession(db, account, { seconds: 60 });
  const bystander = await addAccount(db);
  const others = await openSession(db, bystander, { seconds: 60 });
  assert.equal(await idOf(db, mia), account.id);
  assert.deepEqual(await authenticate(db, { email: mia.email, password }), { refusal: "wrong" });
  assert.equal(await findViewer(db, session), null);
  assert.ok(await findViewer(db, others));
  const [row] = await db.select().from(users).where(eq(users.id, account.id));
  assert.ok(row?.emailVerifiedAt);
};

export const identifiesAGoogleAccountByItsSubject = async (db: Db) => {
  const id = await idOf(db, mia);
  assert.equal(await idOf(db, { ...mia, email: "moved@example.com" }), id);
  const other = await addAccount(db, { email: "elsewhere@example.com" });
  assert.equal(await idOf(db, { ...mia, email: other.email }), id);
  const [row] = await db.select().from(users).where(eq(users.id, other.id));
  assert.deepEqual(row, other);
};

export const refusesUnverifiedEmails = async (db: Db) => {
  const unsure = { ...mia, email_verified: false };
  assert.equal(await idOf(db, unsure), "address not verified");
  assert.deepEqual(await db.select().from(users), []);
  const account = await addAccount(db, { email: mia.email });
  assert.equal(await idOf(db, unsure), "address not verified");
  assert.deepEqual(await db.select().from(users), [account]);
  await findOrCreateGoogleAccount(db, mia);
  assert.equal(await idOf(db, unsure), "address not verified");
};

export const createsOneAccountForConcurrentCallbacks = async (db: Db) => {
  const found = await Promise.all(Array.from({ length: 5 }, () => idOf(db, mia)));
  const rows = await db.select().from(users);
  assert.equal(rows.length, 1);
  assert.deepEqual(new Set(found), new Set([rows[0]?.id]));
};

export const createsOneAccountForAConcurrentSignUp = async (db: Db) => {
  const signUp = { name: "Mia", email: "mia@example.com", password: "secret1", userType: "Seller" } as const;
  await Promise.all([
    ...Array.from({ length: 3 }, () => findOrCreateGoogleAccount(db, mia)),
    ...Array.from({ length: 3 }, () => createAccount(db, signUp)),
  ]);
  const rows = await db.select().from(users);
  assert.deepEqual(
    rows.map(({ googleSubject }) => googleSubject),
    ["100"],
  );
};

export const refusesARemovedAccount = async (db: Db) => {
  const admin = { ...(await addAccount(db, { userType: "Admin" })) };
  const id = await idOf(db, mia);
  const removal = await removeUser(db, admin, id);
  assert.equal(await idOf(db, mia), "account removed");
  assert.equal(await idOf(db, { ...mia, email: "moved@example.com" }), "account removed");
  assert.equal(await idOf(db, { ...mia, sub: "200" }), "account removed");
  assert.equal((await undoWithoutLimits(db, admin, removal ?? "")).result, "undone");
  assert.equal(await idOf(db, mia), id);
};

export const usesTheAccountCreatedAfterARemovedOne = async (db: Db) => {
  const admin = { ...(await addAccount(db, { userType: "Admin" })) };
  const removal = await removeUser(db, admin, await idOf(db, mia));
  const anew = { name: "Mia", email: "new@example.com", password: "secret1", userType: "Buyer" } as const;
  const account = await createAccount(db, anew);
  assert.equal(await idOf(db, { ...mia, email: "new@example.com" }), account?.id);
  // A Google account has at most one active account.
  assert.equal((await undoWithoutLimits(db, admin, removal ?? "")).result, "impossible");
  const living = await db.select({ id: users.id }).from(users).where(isNull(users.removalId));
  assert.deepEqual(living.map(({ id }) => id).toSorted(), [admin.id, account?.id].toSorted());
};

export const acceptsAStateOnce = async (db: Db) => {
  const takings = await Promise.all(Array.from({ length: 5 }, () => consumeOauthState(db, "state", 600)));
  assert.deepEqual(takings.filter(Boolean), [true]);
  assert.equal(await consumeOauthState(db, "state", 600), false);
  assert.equal(await consumeOauthState(db, "another", 600), true);
};

export const deletesExpiredStates = async (db: Db) => {
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
  await db.insert(usedOauthStates).values([
    { state: "over", usedAt: ago(601) },
    { state: "fresh", usedAt: ago(500) },
  ]);
  assert.equal(await consumeOauthState(db, "fresh", 600), false);
  const kept = await db.select({ state: usedOauthStates.state }).from(usedOauthStates);
  assert.deepEqual(kept, [{ state: "fresh" }]);
};
