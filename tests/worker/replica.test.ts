/** @module-tag slow */
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
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

let primary: Libsql;
/** Answers as a replica does that has had no write yet. A real one that lags may wait for its primary. */
let behind: Libsql;
let server: TestServer;
let seller: Visitor;
beforeAll(async () => {
  primary = await startLibsql(inject("libsqlFolder"));
  behind = await startLibsql(inject("libsqlFolder"));
  server = await startServer({ bindings: { LIBSQL_URL: primary.url, LIBSQL_REPLICA_URL: behind.url } });
  seller = visitor(server);
  await seller.logIn((await addAccount(server.db, { userType: "Seller" })).email);
});
afterAll(async () => {
  await server?.stop();
  await behind?.stop();
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
  const page = await newPage();
  expect(await statusOf(page)).toBe(404);
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
});

/** To run more: `OWN_WRITES=10000 npx vitest run tests/worker/replica.test.ts`. */
const ownWrites = Number(process.env.OWN_WRITES ?? 200);

test("each visitor reads their own writes, with a session or with the bookmark only", {
  timeout: 60_000 + ownWrites * 50,
}, async () => {
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
  expect(await statusOf(await newPage())).toBe(404);
});

test("the primary replaces a suspended or stopped replica", async () => {
  const page = await newPage();
  expect(await statusOf(page)).toBe(404);
  await behind.suspend();
  expect(await statusOf(page)).toBe(200);
  await behind.kill();
  expect(await statusOf(await newPage())).toBe(200);
});

test("pages can be read from a real replica, which catches up", async () => {
  const replica = await startReplica(primary.grpcUrl);
  const market = await startServer({ bindings: { LIBSQL_URL: replica.url } });
  onTestFinished(async () => {
    await market.stop();
    await replica.stop();
  });
  const page = await newPage();
  await vi.waitFor(async () => expect(await statusOf(page, visitor(market))).toBe(200), { timeout: 30_000 });
});
