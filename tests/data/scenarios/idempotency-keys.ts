import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import {
  claimIdempotencyKey,
  letRetryTakeOver,
  releaseKey,
  storeIdempotentResponse,
} from "#app/db/idempotency-keys.server.ts";
import { idempotencyKeys } from "#app/db/schema.ts";

const key = { id: "request", bodyHash: "body" };
const done = { status: 200, response: `{"acknowledged":true}` };

const startedSecondsAgo = (db: Db, seconds: number) =>
  db
    .update(idempotencyKeys)
    .set({ createdAt: new Date(Date.now() - seconds * 1000) })
    .where(eq(idempotencyKeys.id, key.id));

export const givesAKeyToOneOfConcurrentRequests = async (db: Db) => {
  const claims = await Promise.all(Array.from({ length: 30 }, () => claimIdempotencyKey(db, key)));
  const states = claims.map(({ state }) => state).sort();
  assert.deepEqual(states, ["first", ...Array(29).fill("in progress")]);
};

export const repeatsTheFirstResponse = async (db: Db) => {
  assert.equal((await claimIdempotencyKey(db, key)).state, "first");
  assert.deepEqual(await claimIdempotencyKey(db, { ...key, bodyHash: "other" }), { state: "other body" });
  await storeIdempotentResponse(db, key.id, done);
  assert.deepEqual(await claimIdempotencyKey(db, key), { state: "completed", ...done });
  assert.deepEqual(await claimIdempotencyKey(db, key), { state: "completed", ...done });
  assert.deepEqual(await claimIdempotencyKey(db, { ...key, bodyHash: "other" }), { state: "other body" });
  assert.equal((await claimIdempotencyKey(db, { ...key, id: "another" })).state, "first");
};

export const deletesAReleasedKey = async (db: Db) => {
  await claimIdempotencyKey(db, key);
  await releaseKey(db, key.id);
  assert.deepEqual(await db.select().from(idempotencyKeys), []);
  assert.equal((await claimIdempotencyKey(db, { ...key, bodyHash: "other" })).state, "first");
};

export const givesAnInterruptedKeyToOneOfConcurrentRetries = async (db: Db) => {
  const { name } = (await claimIdempotencyKey(db, key)) as { name: string };
  await startedSecondsAgo(db, 50);
  assert.deepEqual(await claimIdempotencyKey(db, key), { state: "in progress" });
  await startedSecondsAgo(db, 61);
  assert.deepEqual(await claimIdempotencyKey(db, { ...key, bodyHash: "other" }), { state: "other body" });
  const claims = await Promise.all(Array.from({ length: 10 }, () => claimIdempotencyKey(db, key)));
  // The retry has the name that the first request may have used.
  assert.deepEqual(
    claims.filter(({ state }) => state === "first"),
    [{ state: "first", name }],
  );
  await letRetryTakeOver(db, key.id);
  assert.deepEqual(await claimIdempotencyKey(db, key), { state: "first", name });
};

export const storesResponsesForADay = async (db: Db) => {
  const first = (await claimIdempotencyKey(db, key)) as { name: string };
  await storeIdempotentResponse(db, key.id, done);
  await startedSecondsAgo(db, 23.9 * 3600);
  assert.equal((await claimIdempotencyKey(db, key)).state, "completed");
  await startedSecondsAgo(db, 24.1 * 3600);
  await claimIdempotencyKey(db, { id: "another", bodyHash: "x" });
  const left = await db.select({ id: idempotencyKeys.id }).from(idempotencyKeys);
  assert.deepEqual(left, [{ id: "another" }]);
  const again = (await claimIdempotencyKey(db, key)) as { name: string };
  assert.ok(again.name && again.name !== first.name);
};
