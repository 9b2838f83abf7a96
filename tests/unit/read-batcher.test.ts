import { expect, test } from "vitest";
import type { Mode, Statement } from "#app/db/driver.ts";
import { isRead } from "#app/db/driver.ts";
import { batchReads } from "#app/db/read-batcher.ts";
import { Unreachable } from "#app/db/unreachable.ts";

const read = (sql: string): Statement => ({ sql: `select ${sql}`, params: [] });
const write: Statement = { sql: "update phones set model = ?", params: ["X"] };

/** A database that returns each statement's own text, fails for `wrong`, and may be unreachable. */
function recording() {
  const state = { batches: [] as [Mode, string[]][], isGone: false };
  const run = batchReads({
    async run(statements, mode) {
      const words = statements.map(({ sql }) => sql);
      state.batches.push([mode, words]);
      if (state.isGone) throw new Unreachable(new Error("gone"));
      if (words.includes("select wrong")) throw new Error("no such column: wrong");
      return words.map((word) => ({ rows: [{ word }] }));
    },
  });
  const one = async (statement: Statement) => (await run([statement]))[0]?.rows[0]?.word;
  return Object.assign(state, { run, one });
}

test("reads in one turn of the event loop share a round trip, and each gets its own result", async () => {
  const database = recording();
  const late = (async () => {
    for (let hops = 0; hops < 100; hops += 1) await null;
    return database.one(read("b"));
  })();
  const results = await Promise.all([database.one(read("a")), late, database.one(read("c"))]);
  expect(results).toEqual(["select a", "select b", "select c"]);
  expect(database.batches).toHaveLength(1);
  await database.one(read("d"));
  expect(database.batches).toHaveLength(2);
});

test("an invalid read fails alone", async () => {
  const database = recording();
  const outcomes = await Promise.allSettled([read("a"), read("wrong"), read("c")].map(database.one));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("an outage fails all reads of the batch, without a retry", async () => {
  const database = recording();
  database.isGone = true;
  const outcomes = await Promise.allSettled([read("a"), read("b")].map(database.one));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(database.batches).toHaveLength(1);
});

test("writes are sent by themselves, after the reads that were queued before them", async () => {
  const database = recording();
  await Promise.all([
    database.one(read("before")),
    database.one(write),
    database.run([read("a"), write]),
    database.one(read("after")),
  ]);
  expect(database.batches).toEqual([
    ["read", ["select before"]],
    ["write", [write.sql]],
    ["write", ["select a", write.sql]],
    ["read", ["select after"]],
  ]);
});

test("a batch of reads stays together, and shares the round trip", async () => {
  const database = recording();
  const results = await Promise.all([
    database.run([read("a"), read("b")]),
    database.one(read("c")),
    database.run([]),
    database.run([read("d"), read("e")]),
  ]);
  expect(database.batches).toEqual([["read", ["select a", "select b", "select c", "select d", "select e"]]]);
  expect(results[3].map(({ rows }) => rows)).toEqual([[{ word: "select d" }], [{ word: "select e" }]]);

  const outcomes = await Promise.allSettled([
    database.run([read("a"), read("wrong")]),
    database.run([read("b"), read("c")]),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});

test.each([
  ["select * from phones", true],
  [" SELECT 1", true],
  ["with a as (select 1) select * from a", true],
  ["explain query plan select 1", true],
  ["with a as (select 1) insert into b select * from a", false],
  ["with a as (select 1) update b set c = 1 returning c", false],
  ["insert into phones values (1) returning id", false],
  ["delete from phones", false],
  ["pragma foreign_keys = off", false],
])("%s: only reads? %s", (sql, expected) => expect(isRead(sql)).toBe(expected));
