import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { type Db, openDatabase } from "#app/db/client.server.ts";
import { isOutage } from "#app/db/outage.ts";

const one = { cols: [{ name: "one" }], rows: [[{ type: "integer", value: "1" }]], affected_row_count: 0 };
const response = JSON.stringify({
  baton: null,
  results: [
    { type: "ok", response: { type: "execute", result: one } },
    { type: "ok", response: { type: "close" } },
  ],
});
const refusal = JSON.stringify({
  baton: null,
  results: [
    { type: "error", error: { message: "SQLite error: no such table: gone", code: "SQLITE_UNKNOWN" } },
    { type: "ok", response: { type: "close" } },
  ],
});

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A libSQL server that fails as often as it is told, and then answers. */
async function serverFailing({ times, answer = response }: { times: number; answer?: string }) {
  const state = { requests: 0 };
  const server = createServer((request, reply) => {
    state.requests += 1;
    request.resume();
    reply.statusCode = state.requests <= times ? 502 : 200;
    reply.setHeader("Content-Type", "application/json").end(answer);
  }).listen(0, "127.0.0.1");
  stops.push(() => server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(state, { url });
}

const select = (db: Db) => db.all<{ one: number }>(sql`select 1 as one`);

test("a read is sent up to four times", async () => {
  const server = await serverFailing({ times: 3 });
  const { db } = await openDatabase({ LIBSQL_URL: server.url });
  expect(await select(db)).toEqual([{ one: 1 }]);
  expect(server.requests).toBe(4);
});

test("after four failures the rest of the request fails at once", async () => {
  const server = await serverFailing({ times: 4 });
  const { db } = await openDatabase({ LIBSQL_URL: server.url });
  for (let count = 0; count < 2; count += 1) {
    expect(isOutage(await select(db).catch((error) => error))).toBe(true);
  }
  expect(server.requests).toBe(4);
});

test("a write is sent once, since it may have been stored, and later statements too", async () => {
  const server = await serverFailing({ times: 1 });
  const { db } = await openDatabase({ LIBSQL_URL: server.url });
  expect(isOutage(await db.run(sql`delete from gone`).catch((error) => error))).toBe(true);
  expect(server.requests).toBe(1);
  expect(await select(db)).toEqual([{ one: 1 }]);
});

test("an error of the database is no outage, and is not sent again", async () => {
  const server = await serverFailing({ times: 0, answer: refusal });
  const { db } = await openDatabase({ LIBSQL_URL: server.url });
  const error = await select(db).catch((fault) => fault);
  expect([error.cause.message, isOutage(error)]).toEqual([
    expect.stringContaining("no such table: gone"),
    false,
  ]);
  expect(server.requests).toBe(1);
});

test("visitors read a replica; if it lacks a table or does not answer, the primary", async () => {
  const [primary, replica, newReplica, silent] = await Promise.all([
    serverFailing({ times: 0 }),
    serverFailing({ times: 0 }),
    serverFailing({ times: 0, answer: refusal }),
    serverFailing({ times: 9 }),
  ]);
  const read = async (LIBSQL_REPLICA_URL: string) =>
    select((await openDatabase({ LIBSQL_URL: primary.url, LIBSQL_REPLICA_URL }, "anywhere")).db);
  expect(await read(replica.url)).toEqual([{ one: 1 }]);
  expect([replica.requests, primary.requests]).toEqual([1, 0]);
  for (const { url } of [newReplica, silent]) expect(await read(url)).toEqual([{ one: 1 }]);
  expect([newReplica.requests, silent.requests, primary.requests]).toEqual([1, 1, 2]);
  // For some seconds no replica is asked.
  expect(await read(replica.url)).toEqual([{ one: 1 }]);
  expect([replica.requests, primary.requests]).toEqual([1, 3]);
});
