import assert from "node:assert/strict";
import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { users } from "#app/db/schema.ts";
import { addAccount } from "../../harness/fixtures.ts";

/** So many conditions, of which the one with this number does not hold. */
const conditions = (count: number, failing: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, number) => [`refusal ${number}`, sql`${Number(number !== failing)}`]),
  );

export const aWriteNamesEachOfItsConditions = async (db: Db) => {
  await addAccount(db);
  const rename = (failing: number) =>
    batchUnless(db, conditions(32, failing), [db.update(users).set({ name: "Changed" })]);
  for (let number = 0; number < 32; number += 1) assert.equal(await rename(number), `refusal ${number}`);
  assert.equal(await db.$count(users, sql`name = 'Changed'`), 0);
  assert.equal(await rename(-1), null);
  assert.equal(await db.$count(users, sql`name = 'Changed'`), 1);
};

export const moreConditionsThanTheTriggerKnowsFailAlsoWithoutThem = async (db: Db) => {
  const unused = Object.fromEntries(
    Array.from({ length: 33 }, (_, number) => [`refusal ${number}`, undefined]),
  );
  await assert.rejects(batchUnless(db, unused, []), /At most 32 conditions/);
};
