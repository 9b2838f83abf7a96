import assert from "node:assert/strict";
import { eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, users } from "#app/db/schema.ts";
import { addPhone } from "../../harness/fixtures.ts";

/** Columns of the same name in a join stay separate: in one read, in parallel reads and in a batch. */
export async function columnsOfOneNameStayApart(db: Db) {
  const { id, sellerId } = await addPhone(db);
  const joined = () =>
    db
      .select({ phone: phones.id, seller: users.id, again: sql<string>`${phones.id}` })
      .from(phones)
      .innerJoin(users, eq(users.id, phones.sellerId));
  const expected = [{ phone: id, seller: sellerId, again: id }];
  assert.deepEqual(await joined(), expected);
  assert.deepEqual(await Promise.all([joined(), joined()]), [expected, expected]);
  assert.deepEqual(await db.batch([joined(), joined()]), [expected, expected]);
}

/** Parallel reads get their own results, even when others fail. */
export async function readsAtFaultFailAlone(db: Db) {
  await addPhone(db);
  const outcomes = await Promise.allSettled([
    db.$count(phones),
    db.all(sql`select nothing from nowhere`),
    db.all(sql`select count(*) as n from ${users}`),
    db.get(sql`select 1 as one where 0`),
  ]);
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : outcome.status)),
    [1, "rejected", [{ n: 1 }], undefined],
  );
}
