import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { oneTimeTokens, sessions, users } from "#app/db/schema.ts";
import { makeAccountEmailDue } from "#app/features/accounts/account-mail.server.ts";
import { isVerified, verifyEmail } from "#app/features/accounts/email-verification.server.ts";
import {
  consumeOneTimeToken,
  findOneTimeToken,
  issueAnonymousOneTimeToken,
  issueOneTimeToken,
} from "#app/features/accounts/one-time-tokens.server.ts";
import { authenticate, resetPassword } from "#app/features/accounts/passwords.server.ts";
import { openSession } from "#app/features/accounts/sessions.server.ts";
import { undoWithoutLimits } from "../../harness/bookings.ts";
import {
  addAccount,
  beginRecovery,
  beginVerification,
  password,
  removeUser,
} from "../../harness/fixtures.ts";

const next = "another1";

async function recoveryToken(db: Db, email: string): Promise<string> {
  const begun = await beginRecovery(db, email);
  assert.ok(begun);
  return begun.token;
}

async function verificationToken(db: Db, account: Awaited<ReturnType<typeof addAccount>>): Promise<string> {
  const begun = await beginVerification(db, account);
  assert.ok(begun);
  return begun.token;
}

async function age(db: Db, userId: string, minutes: number) {
  for (const { id, createdAt, expiresAt } of await db
    .select()
    .from(oneTimeTokens)
    .where(eq(oneTimeTokens.userId, userId))) {
    const earlier = (date: Date) => new Date(date.getTime() - minutes * 60_000);
    await db
      .update(oneTimeTokens)
      .set({ createdAt: earlier(createdAt), expiresAt: earlier(expiresAt) })
      .where(eq(oneTimeTokens.id, id));
  }
}

export const aTokenOfNoAccountIsTakenOnceAndInItsTime = async (db: Db) => {
  const token = await issueAnonymousOneTimeToken(db, "passkey login");
  const taken = () => consumeOneTimeToken(db, "passkey login", token, null);
  const [row] = await db.select().from(oneTimeTokens);
  await db.update(oneTimeTokens).set({ expiresAt: new Date() });
  assert.equal(await taken(), false);
  await db.update(oneTimeTokens).set({ expiresAt: row?.expiresAt });
  assert.deepEqual([await taken(), await taken()], [true, false]);
};

export const storesOnlyTheHashOfAToken = async (db: Db) => {
  const account = await addAccount(db, { email: "Mia@Example.com" });
  const begun = await beginRecovery(db, "mIA@example.COM");
  const token = begun?.token ?? "";
  assert.match(token, /^[\w-]{43}$/);
  const [row, ...others] = await db.select().from(oneTimeTokens);
  assert.deepEqual(others, []);
  assert.ok(row);
  assert.ok(!JSON.stringify(row).includes(token));
  assert.match(row.id, /^[0-9a-f]{64}$/);
  const { purpose, userId, email } = row;
  assert.deepEqual(
    { purpose, userId, email },
    { purpose: "recovery", userId: account.id, email: account.email },
  );
  const minutes = (row.expiresAt.getTime() - Date.now()) / 60_000;
  assert.ok(minutes > 29 && minutes <= 30, `${minutes} minutes`);
};

export const createsNoTokenForUnknownEmails = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const removed = await addAccount(db);
  await removeUser(db, admin, removed.id);
  assert.equal(await beginRecovery(db, "nobody@example.com"), null);
  assert.equal(await beginRecovery(db, removed.email), null);
  assert.equal(await issueOneTimeToken(db, "recovery", removed.id), null);
  assert.equal(await issueOneTimeToken(db, "recovery", "nobody"), null);
  assert.deepEqual(await db.select().from(oneTimeTokens), []);
};

export const resetsAPassword = async (db: Db) => {
  const account = await addAccount(db);
  const other = await addAccount(db);
  const untouched = await openSession(db, other, { seconds: 60 });
  await openSession(db, account, { seconds: 60 });
  await openSession(db, account, { seconds: 60 });
  const verification = await verificationToken(db, account);
  const bystanding = await verificationToken(db, other);
  const token = await recoveryToken(db, account.email);

  assert.equal(await resetPassword(db, token, next), account.email);
  assert.equal(await entered(db, account.email, password), "wrong");
  assert.equal(await entered(db, account.email, next), account.id);
  assert.equal(await entered(db, other.email, password), other.id);
  assert.deepEqual(
    (await db.select().from(sessions)).map(({ id }) => id),
    [untouched],
  );
  assert.equal(await findOneTimeToken(db, "verification", verification), null);
  assert.ok(await findOneTimeToken(db, "verification", bystanding));
  // The token proves the email address.
  assert.equal(await isVerified(db, account), true);
  assert.equal(await isVerified(db, other), false);
  assert.equal(await resetPassword(db, token, "third11"), null);
  assert.equal(await entered(db, account.email, next), account.id);
};

export const keepsTheFirstVerificationDate = async (db: Db) => {
  const emailVerifiedAt = new Date(1_700_000_000_000);
  const { id, email } = await addAccount(db, { emailVerifiedAt });
  assert.ok(await resetPassword(db, await recoveryToken(db, email), next));
  const [row] = await db.select().from(users).where(eq(users.id, id));
  assert.deepEqual(row?.emailVerifiedAt, emailVerifiedAt);
};

export const setsAPasswordForAnAccountWithoutOne = async (db: Db) => {
  const { id, email } = await addAccount(db, { passwordHash: null });
  assert.ok(await resetPassword(db, await recoveryToken(db, email), next));
  assert.equal(await entered(db, email, next), id);
};

export const letsOneOfConcurrentRequestsUseAToken = async (db: Db) => {
  const { email } = await addAccount(db);
  const token = await recoveryToken(db, email);
  const tries = ["tries00", "tries11", "tries22", "tries33", "tries44"];
  const done = await Promise.all(tries.map((each) => resetPassword(db, token, each)));
  assert.equal(done.filter(Boolean).length, 1);
  const opened = await Promise.all(tries.map((each) => authenticate(db, { email, password: each })));
  assert.deepEqual(
    opened.map(({ refusal }) => !refusal),
    done.map(Boolean),
  );

  const account = await addAccount(db);
  const verification = await verificationToken(db, account);
  const verified = await Promise.all(tries.map(() => verifyEmail(db, verification)));
  assert.equal(verified.filter(Boolean).length, 1);
};

export const refusesExpiredMalformedAndOtherTokens = async (db: Db) => {
  const account = await addAccount(db);
  const recovery = await recoveryToken(db, account.email);
  const verification = await verificationToken(db, account);
  const wrong = [verification, `${recovery}x`, recovery.slice(1), recovery.toLowerCase(), "", "' or 1=1 --"];
  for (const token of wrong) assert.equal(await resetPassword(db, token, next), null);
  for (const token of [recovery, `${verification}x`, ""]) assert.equal(await verifyEmail(db, token), false);
  for (const { id } of await db.select().from(oneTimeTokens)) {
    assert.equal(await resetPassword(db, id, next), null);
  }
  await age(db, account.id, 31);
  assert.equal(await resetPassword(db, recovery, next), null);
  assert.equal(await findOneTimeToken(db, "recovery", recovery), null);
  assert.ok(await findOneTimeToken(db, "verification", verification));
  await age(db, account.id, 24 * 60);
  assert.equal(await verifyEmail(db, verification), false);
  assert.equal(await entered(db, account.email, password), account.id);
  assert.equal(await isVerified(db, account), false);
};

export const replacesTheOlderTokenOfTheSamePurpose = async (db: Db) => {
  const account = await addAccount(db);
  const other = await addAccount(db);
  const verification = await verificationToken(db, account);
  const others = await recoveryToken(db, other.email);
  const older = await recoveryToken(db, account.email);
  const newer = await recoveryToken(db, account.email);
  assert.equal(await resetPassword(db, older, next), null);
  assert.ok(await findOneTimeToken(db, "verification", verification));
  assert.ok(await findOneTimeToken(db, "recovery", others));
  assert.ok(await resetPassword(db, newer, next));
};

export const limitsEmailsPerAccount = async (db: Db) => {
  const account = await addAccount(db);
  const other = await addAccount(db);
  const begun = await Promise.all(Array.from({ length: 6 }, () => beginRecovery(db, account.email)));
  const given = begun.filter((each) => each !== null);
  assert.equal(given.length, 2);
  // After a refusal the email already sent still works.
  const usable = await Promise.all(given.map(({ token }) => findOneTimeToken(db, "recovery", token)));
  assert.equal(usable.filter(Boolean).length, 1);
  assert.ok(await beginRecovery(db, other.email));
  await age(db, account.id, 31);
  const token = await recoveryToken(db, account.email);
  assert.ok(await resetPassword(db, token, next));
  assert.ok(await beginRecovery(db, account.email));
};

export const deletesExpiredTokens = async (db: Db) => {
  const account = await addAccount(db);
  await recoveryToken(db, account.email);
  await age(db, account.id, 91);
  await recoveryToken(db, (await addAccount(db)).email);
  assert.equal(await db.$count(oneTimeTokens, eq(oneTimeTokens.userId, account.id)), 0);
};

export const verifiesAnEmailOnce = async (db: Db) => {
  const account = await addAccount(db);
  const other = await addAccount(db);
  const token = await verificationToken(db, account);
  assert.equal(await isVerified(db, account), false);
  assert.equal(await verifyEmail(db, token), true);
  assert.equal(await verifyEmail(db, token), false);
  assert.equal(await isVerified(db, account), true);
  assert.equal(await isVerified(db, other), false);
  assert.equal(await makeAccountEmailDue(db, "verification", account.email), false);
};

export const limitsVerificationsPerHour = async (db: Db) => {
  const account = await addAccount(db);
  for (const _ of [1, 2]) await verificationToken(db, account);
  const newest = await verificationToken(db, account);
  assert.equal(await beginVerification(db, account), null);
  assert.equal(await makeAccountEmailDue(db, "verification", account.email), false);
  assert.equal(await verifyEmail(db, newest), true);
};

export const invalidatesTokensWhenAccountOrEmailChanges = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const removed = await addAccount(db);
  const [recovery, verification] = [
    await recoveryToken(db, removed.email),
    await verificationToken(db, removed),
  ];
  const removal = await removeUser(db, admin, removed.id);
  assert.equal(await resetPassword(db, recovery, next), null);
  assert.equal(await verifyEmail(db, verification), false);
  // Restoring the account does not restore the tokens.
  assert.equal((await undoWithoutLimits(db, admin, removal ?? "")).result, "undone");
  assert.equal(await resetPassword(db, recovery, next), null);
  assert.equal(await verifyEmail(db, verification), false);
  assert.equal(await entered(db, removed.email, password), removed.id);

  const moved = await addAccount(db, { email: "old@example.com" });
  const [toOld, verifiesOld] = [await recoveryToken(db, moved.email), await verificationToken(db, moved)];
  await db.update(users).set({ email: "new@example.com" }).where(eq(users.id, moved.id));
  // The old address neither resets the password nor is verified.
  assert.equal(await resetPassword(db, toOld, next), null);
  assert.equal(await verifyEmail(db, verifiesOld), false);
  assert.equal(await isVerified(db, moved), false);
};

export const deletesTokensWithTheAccount = async (db: Db) => {
  const { id, email } = await addAccount(db);
  await recoveryToken(db, email);
  await db.delete(users).where(eq(users.id, id));
  assert.deepEqual(await db.select().from(oneTimeTokens), []);
};

/** The account that an email and a password open, or the reason why not. */
async function entered(db: Db, email: string, password: string): Promise<string> {
  const { viewer, refusal } = await authenticate(db, { email, password });
  return refusal ?? viewer.id;
}
