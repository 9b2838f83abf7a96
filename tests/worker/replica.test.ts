/** @module-tag slow */
import { createClient } from "@libsql/client";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { type Libsql, startLibsql, startReplica } from "../harness/libsql.ts";
import { validListing } from "../harness/listing-form.ts";
import {
  addAccount,
  addPhone,
  newAddress,
  startServer,
  type TestServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";
import { startTcpProxy, type TcpProxy } from "../harness/tcp-proxy.ts";

let primary: Libsql;
let proxy: TcpProxy;
let replica: Awaited<ReturnType<typeof startReplica>>;
let server: TestServer;
let seller: Visitor;
beforeAll(async () => {
  primary = await startLibsql(inject("libsqlFolder"));
  proxy = await startTcpProxy(primary.grpcUrl);
  replica = await startReplica(proxy.url);
  server = await startServer({ bindings: { LIBSQL_URL: primary.url, LIBSQL_REPLICA_URL: replica.url } });
  seller = visitor(server);
  await seller.logIn((await addAccount(server.db, { userType: "Seller" })).email);
  await caughtUp();
});
afterAll(async () => {
  await server?.stop();
  await replica?.stop();
  await proxy?.stop();
  await primary?.stop();
});

const stranger = () => visitor(server);

const newPage = async () => `/products/${(await addPhone(server.db)).id}`;

/** The meaning of a status for the page of an existing phone. */
async function statusOf(page: string, who: Visitor = stranger()): Promise<number> {
  const response = await who.get(page);
  await response.text();
  return response.status;
}

async function caughtUp(): Promise<void> {
  proxy.resume();
  const { id } = await addPhone(server.db);
  const client = createClient({ url: replica.url });
  const found = () => client.execute({ sql: "select id from phones where id = ?", args: [id] });
  await vi.waitFor(async () => expect((await found()).rows).toHaveLength(1), { timeout: 20_000 });
  client.close();
}

/**
 * Pauses the replication. The first response of some replicas then waits for the primary, and of others each one does.
 * Those are started again: the tests need a replica that lags and responds.
 */
async function holdBack(): Promise<void> {
  for (let starts = 0; starts < 12; starts += 1) {
    proxy.pause();
    if ((await responds(replica.url)) || (await responds(replica.url))) return;
    proxy.resume();
    await replica.restart();
    await caughtUp();
  }
  throw new Error("No replica responds without its primary.");
}

async function responds(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(3000);
  const fetchInTime = (request: Request) => fetch(request, { signal });
  const client = createClient({ url, fetch: fetchInTime });
  return client.execute("select 1").then(
    () => true,
    () => false,
  );
}

/** Waits until anonymous visitors read the replica, which is skipped for five seconds after a slow response. */
async function expectBehind(page: string): Promise<void> {
  await vi.waitFor(async () => expect(await statusOf(page)).toBe(404), { timeout: 20_000, interval: 500 });
}

/** Publishes a phone from an address below its limits, and returns the path of its page. */
async function publish(who: Visitor): Promise<string> {
  const response = await who.send("/phoneInfoCollection", {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: server.url, "CF-Connecting-IP": newAddress() },
    body: JSON.stringify(validListing),
  });
  const { insertedId } = (await response.json()) as { insertedId: string };
  return `/products/${insertedId}`;
}

/** The same browser without its session, as after logout or expiry. */
function withoutSession(who: Visitor): Visitor {
  const same = stranger();
  for (const [name, value] of who.cookies) if (name !== "__Host-session") same.cookies.set(name, value);
  return same;
}

test("anonymous visitors read the replica, which lags; writers and signed-in users read the primary", async () => {
  await holdBack();
  const page = await newPage();
  await expectBehind(page);
  expect(await statusOf(page, seller)).toBe(200);

  // Visitors who wrote without an account, and users who were just signed in.
  const reporter = stranger();
  expect(await statusOf(page, reporter)).toBe(404);
  const report = { name: "Mia Sund", email: "mia@example.com", details: "The model is another one." };
  expect((await reporter.post("/report", report)).status).toBe(303);
  expect([...reporter.cookies.keys()]).toContain("__Host-bookmark");
  expect(await statusOf(page, reporter)).toBe(200);

  const forger = stranger();
  forger.cookies.set("__Host-bookmark", "InByaW1hcnki.c2lnbmVk");
  expect(await statusOf(page, forger)).toBe(404);

  await caughtUp();
  expect(await statusOf(page)).toBe(200);
});

/** To run more: `OWN_WRITES=10000 npx vitest run tests/worker/replica.test.ts`. */
const ownWrites = Number(process.env.OWN_WRITES ?? 200);

test("each visitor reads their own writes, with a session or with the bookmark only", {
  timeout: 60_000 + ownWrites * 50,
}, async () => {
  await holdBack();
  let pairs = 0;
  let stale = 0;
  async function writeAndRead() {
    while (pairs < ownWrites) {
      pairs += 1;
      const reader = pairs % 2 === 0 ? seller : withoutSession(seller);
      if ((await statusOf(await publish(seller), reader)) !== 200) stale += 1;
    }
  }
  await Promise.all([writeAndRead(), writeAndRead(), writeAndRead(), writeAndRead()]);
  expect({ pairs, stale }).toEqual({ pairs: ownWrites, stale: 0 });
  await expectBehind(await newPage());
  await caughtUp();
});

test("the primary replaces a suspended or stopped replica", async () => {
  await holdBack();
  const page = await newPage();
  await expectBehind(page);
  await replica.suspend();
  expect(await statusOf(page)).toBe(200);
  await replica.kill();
  expect(await statusOf(await newPage())).toBe(200);
});
