import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bookings, phones, users } from "#app/db/schema.ts";
import { fieldValue, textOf } from "../harness/html.ts";
import { type Libsql, startLibsql } from "../harness/libsql.ts";
import { addAccount, addPhone, password, startMarket, type TestMarket, visitor } from "../harness/market.ts";

const order = {
  ram: "8 GB",
  name: "Mia Sund",
  email: "mia@example.com",
  price: "349.50",
  rom: "256 GB",
  address: "1 Harbour Street",
  phone: "555 0100",
};

let server: Libsql;
let market: TestMarket;
beforeAll(async () => {
  server = await startLibsql();
  market = await startMarket({ bindings: { LIBSQL_URL: server.url, EDGE_CACHE_SECONDS: "1" } });
});
afterAll(async () => {
  await market?.stop();
  await server?.stop();
});

test("when the database is killed, each booking is complete or absent, and each response is correct", async () => {
  const buyer = visitor(market);
  await buyer.logIn((await addAccount(market.db)).email);
  const sellerId = (await addAccount(market.db, { userType: "Seller" })).id;
  const offers = [];
  for (let count = 0; count < 30; count += 1) offers.push(await addPhone(market.db, { sellerId }));

  const posts = offers.map(({ id }) => buyer.post(`/products/${id}/book`, order));
  await Promise.race(posts);
  await server.kill();
  const statuses = (await Promise.all(posts)).map(({ status }) => status);
  // Some requests came before the kill, and later ones get an error.
  expect([303, 503]).toEqual(expect.arrayContaining(statuses));
  expect(statuses).toContain(303);
  const sorry = await buyer.post(`/products/${offers[0]?.id}/book`, order);
  expect([sorry.status, sorry.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(textOf(await sorry.text())).toContain("Ringback is temporarily unavailable");

  await server.restart();
  const booked = await market.db.select({ phoneId: bookings.phoneId }).from(bookings);
  const reserved = await market.db
    .select({ id: phones.id })
    .from(phones)
    .where(eq(phones.status, "reserved"));
  expect(booked.map(({ phoneId }) => phoneId).sort()).toEqual(reserved.map(({ id }) => id).sort());
  for (const [index, { id }] of offers.entries()) {
    if (statuses[index] === 303) expect(reserved).toContainEqual({ id });
  }
  expect((await buyer.get("/manage")).status).toBe(200);
});

test("requests to a suspended database time out, later ones fail fast, and no data are lost", async () => {
  const buyer = visitor(market);
  await buyer.logIn((await addAccount(market.db)).email);
  const fields = { name: "Ada Berg", email: "ada@example.com", password };
  const { id } = await addPhone(market.db);
  const wants = () => buyer.post(`/products/${id}/book`, order);
  const kept = ["/", "/android", "/ios", "/tablet"];
  for (const path of kept) await visitor(market).get(path);

  server.suspend();
  const start = Date.now();
  const [list, own, sign, ready, up] = await Promise.all([
    visitor(market).get("/products"),
    buyer.get("/manage"),
    visitor(market).post("/signup", fields),
    visitor(market).get("/readyz"),
    visitor(market).get("/healthz"),
  ]);
  // The timeout is five seconds for a whole request.
  expect(Date.now() - start).toBeLessThan(9000);
  expect([list, own, sign, ready, up].map(({ status }) => status)).toEqual([503, 503, 503, 503, 200]);
  expect(fieldValue(await sign.text(), "email")).toBe(fields.email);

  // After that at most one request waits, for a second, and cached pages are served stale.
  const timed = async (asking: () => Promise<Response>) => {
    const begin = Date.now();
    const { status } = await asking();
    return { status, isQuick: Date.now() - begin < 2000 };
  };
  for (const path of kept) {
    const shown = await timed(() => visitor(market).get(path));
    expect([path, shown]).toEqual([path, { status: 200, isQuick: true }]);
  }
  const others = [
    () => buyer.get("/manage"),
    () => buyer.get("/products"),
    wants,
    () => visitor(market).get("/readyz"),
  ];
  for (const asking of others) expect(await timed(asking)).toEqual({ status: 503, isQuick: true });

  server.resume();
  expect((await visitor(market).get("/readyz")).status).toBe(200);
  await expect.poll(() => market.log()).toMatch(/"path":"\/readyz","status":200.*"dbRoundTrips":1/);
  const again = await visitor(market).post("/signup", fields);
  const accounts = await market.db.select().from(users).where(eq(users.email, fields.email));
  expect(accounts).toHaveLength(1);
  // The first submission may have been stored after all, completely.
  expect([303, 409]).toContain(again.status);
  // Requests that failed fast were not sent.
  expect(await market.db.select().from(bookings).where(eq(bookings.phoneId, id))).toEqual([]);
  expect((await wants()).status).toBe(303);
});
