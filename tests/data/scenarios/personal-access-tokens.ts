import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { personalAccessTokens, users } from "#app/db/schema.ts";
import { findOrCreateGoogleAccount } from "#app/features/accounts/google.server.ts";
import { changePassword, resetPassword } from "#app/features/accounts/passwords.server.ts";
import {
  createPersonalAccessToken,
  findTokenOwner,
  isPersonalAccessToken,
  listPersonalAccessTokens,
  revokePersonalAccessToken,
} from "#app/features/accounts/personal-access-tokens.server.ts";
import { closeOtherSessions, openSession } from "#app/features/accounts/sessions.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { closeAccount, disownAccount } from "#app/features/profile/account-closing.server.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import {
  addAccount,
  addPhone,
  beginRecovery,
  beginVerification,
  removeUser,
} from "../../harness/fixtures.ts";

const fields = { name: "Price updates", scope: "read", days: "30" } as const;
const hour = 3_600_000;

const submit = (db: Db, viewer: Viewer, more: object = {}, formKey: string = crypto.randomUUID()) =>
  createPersonalAccessToken(db, viewer, { ...fields, ...more }, formKey);

async function create(db: Db, viewer: Viewer, more?: object, formKey?: string): Promise<string> {
  const created = await submit(db, viewer, more, formKey);
  assert.ok("token" in created, JSON.stringify(created));
  return created.token;
}

const isValid = async (db: Db, token: string) => (await findTokenOwner(db, token)) !== null;

export const storesOnlyTheHashOfAToken = async (db: Db) => {
  const account = await addAccount(db, { userType: "Seller" });
  const [read, write] = [await create(db, account), await create(db, account, { scope: "write" })];
  assert.match(read, /^rb_[\w-]{43}$/);
  assert.notEqual(read, write);
  assert.ok(isPersonalAccessToken(read));
  for (const other of [read.slice(1), `${read}x`, `x${read}`, "", "a.b.c"]) {
    assert.ok(!isPersonalAccessToken(other), other);
  }
  const rows = await db.select().from(personalAccessTokens);
  assert.ok(!JSON.stringify(rows).includes(read.slice(3)));
  const { id, name, email, userType } = account;
  const viewer = {
    id,
    name,
    email,
    userType,
    suspensionId: null,
    suspendedUntil: null,
    moderatorSince: null,
    sessionVersion: 0,
    byToken: true,
  };
  assert.deepEqual(await findTokenOwner(db, read), { viewer, tokenScope: "read" });
  assert.deepEqual(await findTokenOwner(db, write), { viewer, tokenScope: "write" });
  assert.equal(await findTokenOwner(db, `rb_${"A".repeat(43)}`), null);
  assert.ok(!JSON.stringify(await listPersonalAccessTokens(db, account)).includes(rows[0]?.tokenHash ?? ""));
};

export const endsATokenWhenItExpires = async (db: Db) => {
  const account = await addAccount(db);
  for (const days of ["30", "90", "365"]) {
    const token = await create(db, account, { name: days, days });
    const thisToken = eq(personalAccessTokens.name, days);
    const [row] = await db.select().from(personalAccessTokens).where(thisToken);
    const left = (row?.expiresAt.getTime() ?? 0) - Date.now();
    assert.ok(Math.abs(left - Number(days) * 24 * hour) < 60_000, `${left} ms`);
    await db
      .update(personalAccessTokens)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(thisToken);
    assert.equal(await isValid(db, token), false);
  }
  const listed = await listPersonalAccessTokens(db, account);
  assert.deepEqual(
    listed.map(({ name, hasExpired }) => [name, hasExpired]),
    [
      ["365", true],
      ["90", true],
      ["30", true],
    ],
  );
};

export const recordsTokenUseOnceAnHour = async (db: Db) => {
  const account = await addAccount(db);
  const token = await create(db, account);
  const lastUse = async () => (await listPersonalAccessTokens(db, account))[0]?.lastUsedAt?.getTime() ?? null;
  assert.equal(await lastUse(), null);
  for (const [stored, isRecorded] of [
    [null, true],
    [Date.now() - hour - 1000, true],
    [Date.now() - hour + 10_000, false],
  ] as const) {
    await db.update(personalAccessTokens).set({ lastUsedAt: stored === null ? null : new Date(stored) });
    assert.ok(await isValid(db, token));
    const used = await lastUse();
    if (isRecorded) assert.ok(used !== null && Date.now() - used < 60_000);
    else assert.equal(used, stored);
  }
};

export const revokesOwnTokensOnly = async (db: Db) => {
  const [account, other] = [await addAccount(db), await addAccount(db)];
  const [lost, kept] = [await create(db, account, { name: "Lost" }), await create(db, account)];
  assert.deepEqual(await listPersonalAccessTokens(db, other), []);
  const id = (await listPersonalAccessTokens(db, account)).find(({ name }) => name === "Lost")?.id ?? "";
  assert.equal(await revokePersonalAccessToken(db, other, id), false);
  assert.ok(await isValid(db, lost));
  assert.equal(await revokePersonalAccessToken(db, account, id), true);
  assert.equal(await revokePersonalAccessToken(db, account, id), false);
  assert.deepEqual([await isValid(db, lost), await isValid(db, kept)], [false, true]);
};

export const createsOneTokenForAFormSubmittedTwice = async (db: Db) => {
  const [account, other] = [await addAccount(db), await addAccount(db)];
  const key = crypto.randomUUID();
  const first = await create(db, account, {}, key);
  const second = await create(db, account, {}, key);
  assert.deepEqual([await isValid(db, first), await isValid(db, second)], [false, true]);
  assert.equal((await listPersonalAccessTokens(db, account)).length, 1);
  // Used by now, so it must not end.
  assert.deepEqual(await submit(db, account, {}, key), { refusal: "form used" });
  assert.ok(await isValid(db, second));
  const another = crypto.randomUUID();
  await create(db, account, {}, another);
  assert.deepEqual(await submit(db, account, { scope: "write" }, another), { refusal: "form used" });
  // The key of another account's form.
  assert.ok(await isValid(db, await create(db, other, {}, key)));
};

export const limitsTokensToTwenty = async (db: Db) => {
  const account = await addAccount(db);
  for (const _ of Array(18).keys()) await create(db, account);
  const results = await Promise.all([1, 2, 3, 4].map(() => submit(db, account)));
  assert.equal(
    results.filter((result) => "refusal" in result && result.refusal === "limit reached").length,
    2,
  );
  const listed = await listPersonalAccessTokens(db, account);
  assert.equal(listed.length, 20);
  await revokePersonalAccessToken(db, account, listed[0]?.id ?? "");
  const key = crypto.randomUUID();
  await create(db, account, {}, key);
  assert.ok(await isValid(db, await create(db, account, {}, key)));
  assert.deepEqual(await submit(db, account), { refusal: "limit reached" });
  await create(db, await addAccount(db));
};

export const createsNoTokenForARemovedAccount = async (db: Db) => {
  const removed = await addAccount(db, { removalId: "some removal" });
  assert.ok("refusal" in (await submit(db, removed)));
  assert.equal(await db.$count(personalAccessTokens), 0);
};

export const endsTokensWithThePassword = async (db: Db) => {
  const [account, bystander] = [await addAccount(db), await addAccount(db)];
  const others = await create(db, bystander);
  const sessionId = await openSession(db, account, { seconds: 60 });
  let token = await create(db, account);
  // A token is no session.
  await closeOtherSessions(db, account, sessionId);
  assert.ok(await isValid(db, token));
  const change = { sessionId, currentHash: account.passwordHash ?? "", password: "another1" };
  assert.equal(await changePassword(db, account, { ...change, currentHash: "wrong" }), null);
  assert.ok(await isValid(db, token));
  assert.ok(await changePassword(db, account, change));
  assert.equal(await isValid(db, token), false);

  token = await create(db, account);
  const recovery = await beginRecovery(db, account.email);
  assert.ok(recovery);
  assert.equal(await resetPassword(db, "not the token", "another2"), null);
  assert.ok(await isValid(db, token));
  assert.equal(await resetPassword(db, recovery.token, "another2"), account.email);
  assert.equal(await isValid(db, token), false);
  assert.ok(await isValid(db, others));
};

export const endsTokensWithTheAccount = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const [closing, removed, disowned] = [await addAccount(db), await addAccount(db), await addAccount(db)];
  const tokens = [];
  for (const account of [closing, removed, disowned]) tokens.push(await create(db, account));
  assert.equal(await closeAccount(db, closing, { passwordHash: "wrong" }), "not proven");
  assert.ok(await isValid(db, tokens[0] ?? ""));
  assert.equal(await closeAccount(db, closing, { passwordHash: closing.passwordHash ?? "" }), "closed");
  const removalId = await removeUser(db, admin, removed.id);
  assert.equal((await undoWithoutLimits(db, admin, removalId ?? "")).result, "undone");
  // With an open order the account stays.
  await bookWithoutLimits(db, disowned, (await addPhone(db)).id, { address: "", phone: "" });
  const verification = await beginVerification(db, disowned);
  assert.ok(verification);
  assert.equal(await disownAccount(db, verification.token), "locked");
  for (const token of tokens) assert.equal(await isValid(db, token), false);
  assert.equal(await db.$count(personalAccessTokens), 0);
};

export const endsTokensOfAnUnverifiedAccountThatGoogleLinks = async (db: Db) => {
  const [unverified, verified] = [
    await addAccount(db),
    await addAccount(db, { emailVerifiedAt: new Date() }),
  ];
  const tokens = [await create(db, unverified), await create(db, verified)];
  for (const { id, email } of [unverified, verified]) {
    await findOrCreateGoogleAccount(db, { sub: id, email, email_verified: true, name: "N" });
  }
  assert.deepEqual(await Promise.all(tokens.map((token) => isValid(db, token))), [false, true]);
};

export const readsTheCurrentRoleOfATokensOwner = async (db: Db) => {
  const account = await addAccount(db);
  const token = await create(db, account);
  await db.update(users).set({ userType: "Admin" }).where(eq(users.id, account.id));
  assert.equal((await findTokenOwner(db, token))?.viewer.userType, "Admin");
};
