/** @module-tag slow */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { orders, phones, users } from "#app/db/schema.ts";
import { fieldValue, textOf } from "../harness/html.ts";
import { type Libsql, startLibsql } from "../harness/libsql.ts";
import { addAccount, addPhone, password, startServer, type TestServer, visitor } from "../harness/server.ts";

const order = {
  ram: "8 GB",
  name: "Mia Sund",
  email: "mia@example.com",
  price: "349.50",
  rom: "256 GB",
  address: "1 Harbour Street",
  phone: "555 0100",
};

let libsql: Libsql;
let server: TestServer;
beforeAll(async () => {
  libsql = await startLibsql(inject("libsqlFolder"));
  server = await startServer({ bindings: { LIBSQL_URL: libsql.url, EDGE_CACHE_SECONDS: "1" } });
});
afterAll(async () => {
  await server?.stop();
  await libsql?.stop();
});

test("when the database is killed, each booking is complete or absent, and each response is correct", async () => {
  const buyer = visitor(server);
  await buyer.signIn((await addAccount(server.db)).email);
  const sellerId = (await addAccount(server.db, { userType: "Seller" })).id;
  const offers = [];
  for (let count = 0; count < 30; count += 1) offers.push(await addPhone(server.db, { sellerId }));

  const posts = offers.map(({ id }) => buyer.post(`/products/${id}/book`, order));
  await Promise.race(posts);
  await libsql.kill();
  const statuses = (await Promise.all(posts)).map(({ status }) => status);
  // Some requests came before the kill, and later ones get an error.
  expect([303, 503]).toEqual(expect.arrayContaining(statuses));
  expect(statuses).toContain(303);
  const sorry = await buyer.post(`/products/${offers[0]?.id}/book`, order);
  expect([sorry.status, sorry.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(textOf(await sorry.text())).toContain("Ringback is temporarily unavailable");

  await libsql.restart();
  const booked = await server.db.select({ phoneId: orders.phoneId }).from(orders);
  const reserved = await server.db
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
  const buyer = visitor(server);
  await buyer.signIn((await addAccount(server.db)).email);
  const fields = { name: "Ada Berg", email: "ada@example.com", password };
  const { id } = await addPhone(server.db);
  const wants = () => buyer.post(`/products/${id}/book`, order);
  const kept = ["/", "/android", "/ios", "/tablet"];
  for (const path of kept) await visitor(server).get(path);

  await libsql.suspend();
  const [list, own, sign, ready, up] = await Promise.all([
    visitor(server).get("/products"),
    buyer.get("/manage"),
    visitor(server).post("/signup", fields),
    visitor(server).get("/readyz"),
    visitor(server).get("/healthz"),
  ]);
  expect([list, own, sign, ready, up].map(({ status }) => status)).toEqual([503, 503, 503, 503, 200]);
  expect(fieldValue(await sign.text(), "email")).toBe(fields.email);

  // After that cached pages are served stale.
  for (const path of kept) expect([path, (await visitor(server).get(path)).status]).toEqual([path, 200]);
  const others = [
    () => buyer.get("/manage"),
    () => buyer.get("/products"),
    wants,
    () => visitor(server).get("/readyz"),
  ];
  for (const send of others) expect((await send()).status).toBe(503);

  libsql.resume();
  expect((await visitor(server).get("/readyz")).status).toBe(200);
  const again = await visitor(server).post("/signup", fields);
  const accounts = await server.db.select().from(users).where(eq(users.email, fields.email));
  expect(accounts).toHaveLength(1);
  // The first submission may have been stored after all, completely.
  expect([303, 409]).toContain(again.status);
  // Requests that failed fast were not sent.
  expect(await server.db.select().from(orders).where(eq(orders.phoneId, id))).toEqual([]);
  expect((await wants()).status).toBe(303);
});
