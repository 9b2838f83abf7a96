import assert from "node:assert/strict";
import type { Db } from "#app/db/client.server.ts";
import { loginAttempts } from "#app/db/schema.ts";
import {
  clearAttempts,
  countAttempt,
  freeAttempts,
  retentionHours,
  waitMinutes,
} from "#app/features/accounts/login-attempts.server.ts";

const minute = 60_000;
const start = Date.UTC(2026, 10, 21);
const at = (minutes: number) => new Date(start + minutes * minute);

export const allowsOnlyTheFreeAttempts = async (db: Db) => {
  const waits = await Promise.all(Array.from({ length: 40 }, () => countAttempt(db, "key", at(0))));
  assert.equal(waits.filter((wait) => wait === null).length, freeAttempts);
  assert.deepEqual(new Set(waits), new Set([null, 60]));
  assert.equal(await countAttempt(db, "another", at(0)), null);
};

export const backsOffExponentially = async (db: Db) => {
  let now = 0;
  for (let attempts = 1; attempts <= 14; attempts += 1) {
    assert.equal(await countAttempt(db, "key", at(now)), null, `attempt ${attempts} passes`);
    const wait = waitMinutes(attempts);
    if (wait === 0) continue;
    assert.equal(await countAttempt(db, "key", at(now)), wait * 60, `after ${attempts} attempts`);
    assert.equal(await countAttempt(db, "key", at(now + wait - 1 / 60)), 1);
    now += wait;
  }
};

export const allowsOneAttemptAfterTheWait = async (db: Db) => {
  for (let attempts = 0; attempts < freeAttempts; attempts += 1) await countAttempt(db, "key", at(0));
  const waits = await Promise.all(Array.from({ length: 20 }, () => countAttempt(db, "key", at(1))));
  assert.equal(waits.filter((wait) => wait === null).length, 1);
  assert.deepEqual(new Set(waits), new Set([null, 120]));
};

export const resetsAttemptsAfterASuccess = async (db: Db) => {
  for (let attempts = 0; attempts < freeAttempts; attempts += 1) await countAttempt(db, "key", at(0));
  await countAttempt(db, "another", at(0));
  await clearAttempts(db, "key");
  assert.deepEqual(await db.select({ key: loginAttempts.key }).from(loginAttempts), [{ key: "another" }]);
  assert.equal(await countAttempt(db, "key", at(0)), null);
};

export const resetsAttemptsAfterHours = async (db: Db) => {
  for (let attempts = 0; attempts < freeAttempts; attempts += 1) await countAttempt(db, "key", at(0));
  await countAttempt(db, "later", at(1));
  const quiet = retentionHours * 60;
  assert.equal(await countAttempt(db, "third", at(quiet)), null);
  assert.equal(await db.$count(loginAttempts), 3);
  // The next attempt of any user deletes old rows.
  assert.equal(await countAttempt(db, "key", at(quiet + 0.5)), null);
  const rows = await db
    .select({ key: loginAttempts.key, attempts: loginAttempts.attempts })
    .from(loginAttempts);
  assert.deepEqual(
    new Map(rows.map(({ key, attempts }) => [key, attempts])),
    new Map([
      ["key", 1],
      ["later", 1],
      ["third", 1],
    ]),
  );
};
