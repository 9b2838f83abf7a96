import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { breakOff, claimCall, forgetCall, keepAnswer } from "#app/db/first-answers.server.ts";
import { firstAnswers } from "#app/db/schema.ts";

const call = { id: "call", bodyHash: "body" };
const done = { status: 200, answer: `{"acknowledged":true}` };

const startedSecondsAgo = (db: Db, seconds: number) =>
  db
    .update(firstAnswers)
    .set({ createdAt: new Date(Date.now() - seconds * 1000) })
    .where(eq(firstAnswers.id, call.id));

export const letsOneOfManyBeFirst = async (db: Db) => {
  const claims = await Promise.all(Array.from({ length: 30 }, () => claimCall(db, call)));
  const states = claims.map(({ state }) => state).sort();
  assert.deepEqual(states, [...Array(29).fill("at work"), "first"]);
};

export const answersRepeatsLikeTheFirst = async (db: Db) => {
  assert.equal((await claimCall(db, call)).state, "first");
  assert.deepEqual(await claimCall(db, { ...call, bodyHash: "other" }), { state: "other body" });
  await keepAnswer(db, call.id, done);
  assert.deepEqual(await claimCall(db, call), { state: "answered", ...done });
  assert.deepEqual(await claimCall(db, call), { state: "answered", ...done });
  assert.deepEqual(await claimCall(db, { ...call, bodyHash: "other" }), { state: "other body" });
  assert.equal((await claimCall(db, { ...call, id: "another" })).state, "first");
};

export const forgetsACallAsIfItHadNotBeenMade = async (db: Db) => {
  await claimCall(db, call);
  await forgetCall(db, call.id);
  assert.deepEqual(await db.select().from(firstAnswers), []);
  assert.equal((await claimCall(db, { ...call, bodyHash: "other" })).state, "first");
};

export const letsOneOfManyTakeOverWhatBrokeOff = async (db: Db) => {
  const { name } = (await claimCall(db, call)) as { name: string };
  await startedSecondsAgo(db, 50);
  assert.deepEqual(await claimCall(db, call), { state: "at work" });
  await startedSecondsAgo(db, 61);
  assert.deepEqual(await claimCall(db, { ...call, bodyHash: "other" }), { state: "other body" });
  const claims = await Promise.all(Array.from({ length: 10 }, () => claimCall(db, call)));
  // What the first may have stored is known by the name it was stored under.
  assert.deepEqual(
    claims.filter(({ state }) => state === "first"),
    [{ state: "first", name }],
  );
  await breakOff(db, call.id);
  assert.deepEqual(await claimCall(db, call), { state: "first", name });
};

export const keepsAnswersForADay = async (db: Db) => {
  const first = (await claimCall(db, call)) as { name: string };
  await keepAnswer(db, call.id, done);
  await startedSecondsAgo(db, 23.9 * 3600);
  assert.equal((await claimCall(db, call)).state, "answered");
  await startedSecondsAgo(db, 24.1 * 3600);
  // Any call sweeps out what is too old.
  await claimCall(db, { id: "another", bodyHash: "x" });
  const left = await db.select({ id: firstAnswers.id }).from(firstAnswers);
  assert.deepEqual(left, [{ id: "another" }]);
  // Then it is a new call, and what it stores is something new.
  const again = (await claimCall(db, call)) as { name: string };
  assert.ok(again.name && again.name !== first.name);
};
