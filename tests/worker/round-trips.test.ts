import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { modelSlug } from "#app/features/listings/device-variant.rules.ts";
import { type Libsql, startLibsql } from "../harness/libsql.ts";
import {
  addAccount,
  addPhone,
  startServer,
  type TestServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";
import { startTcpProxy, type TcpProxy } from "../harness/tcp-proxy.ts";

let libsql: Libsql;
let proxy: TcpProxy;
let server: TestServer;
let phone: string;
let seller: string;
let model: string;
beforeAll(async () => {
  libsql = await startLibsql(inject("libsqlFolder"));
  proxy = await startTcpProxy(libsql.url);
  // Emails are left to the queue; its consumer would read at the same time.
  server = await startServer({ bindings: { LIBSQL_URL: proxy.url }, emailQueue: "unreachable" });
  const listing = await addPhone(server.db);
  ({ id: phone, sellerId: seller } = listing);
  model = modelSlug(listing);
});
afterAll(async () => {
  await server?.stop();
  await proxy?.stop();
  await libsql?.stop();
});

/** Sends a request. @returns the number of requests to the database that it took, side by side or one after another */
function requestsOf(who: Visitor, path: string): Promise<number> {
  return proxy.requestsDuring(async () => {
    expect([path, (await who.get(path)).status]).toEqual([path, 200]);
  });
}

test("pages ask the database as seldom as they can", async () => {
  const stranger = visitor(server);
  const buyer = visitor(server);
  await buyer.signIn((await addAccount(server.db)).email);
  // Once a minute, an isolate reads the pages that the footer links.
  expect(await requestsOf(stranger, "/forgot")).toBe(1);

  for (const [path, byStranger, byBuyer] of [
    ["/", 1, 2],
    ["/products", 1, 2],
    ["/ios", 1, 2],
    // Details, and similar listings.
    [`/phones/${phone}`, 2, 7],
    // The list, and the dialog in front of it.
    [`/products/${phone}`, 2, 5],
    [`/sellers/${seller}`, 4, 6],
    [`/models/${model}`, 1, 2],
    [`/compare?ids=${phone}`, 1, 2],
    ["/phoneInfoCollection?limit=7", 2, 3],
    ["/healthz", 0, 0],
  ] as const) {
    expect([path, await requestsOf(stranger, path)]).toEqual([path, byStranger]);
    const requests = await requestsOf(buyer, path);
    expect(requests, path).toBeLessThanOrEqual(byBuyer);
  }
  // The session, then the menu and the page side by side.
  for (const [path, most] of [
    [`/products/${phone}/book`, 6],
    ["/manage", 7],
    [`/manage?after=${phone}`, 8],
    ["/manage/account", 10],
    ["/manage/account/security", 12],
    ["/manage/account/addresses", 8],
    ["/manage/account/emails", 9],
    ["/manage/account/data", 12],
    ["/manage/account/tokens", 8],
    ["/manage/searches", 8],
    ["/manage/searches/new?q=iphone", 7],
  ] as const) {
    expect(await requestsOf(buyer, path), path).toBeLessThanOrEqual(most);
  }
});

test("only a search without results asks again", async () => {
  for (const [path, requests] of [
    ["/products?q=fairphone", 1],
    ["/products?q=fairphone+under+$900", 1],
    ["/products?q=fairphone&brand=Absent", 5],
    // One more counts it, after the response.
    ["/products?q=blue+fairphone+under+300", 7],
    ["/products?q=fairphnoe", 6],
    ["/products?q=zeppelin", 8],
  ] as const) {
    expect(await requestsOf(visitor(server), path), path).toBeLessThanOrEqual(requests);
  }
});

test("a booking takes two round trips: the session, then the booking", async () => {
  const buyer = visitor(server);
  const { email } = await addAccount(server.db);
  await buyer.signIn(email);
  const form = async (id: string) => buyer.post(`/products/${id}/book`, { address: "", phone: "" });
  const postBooking = async (id: string, more: Record<string, string> = {}) => {
    const headers = { "Content-Type": "application/json", ...more };
    return buyer.send("/bookings", { method: "POST", headers, body: JSON.stringify({ phoneId: id }) });
  };
  const roundTripsOf = async (status: number, send: (id: string) => Promise<Response>, id?: string) => {
    const wanted = id ?? (await addPhone(server.db)).id;
    return proxy.requestsDuring(async () => {
      expect((await send(wanted)).status).toBe(status);
    });
  };
  expect(await roundTripsOf(303, form)).toBe(2);
  expect(await roundTripsOf(200, postBooking)).toBe(2);
  // A third round trip reads the reason of the failure.
  expect(await roundTripsOf(404, postBooking, "nothing")).toBe(3);
  const { accessToken } = (await (await buyer.get(`/jwt?email=${email}`)).json()) as { accessToken: string };
  const byToken = (id: string) => postBooking(id, { Cookie: "", Authorization: `Bearer ${accessToken}` });
  expect(await roundTripsOf(200, byToken)).toBe(2);
});

test("a call over its rate limit takes none, even with an Idempotency-Key", async () => {
  const { send } = visitor(server);
  const report = () => {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
    return send("/report", { method: "POST", headers, body: JSON.stringify({ details: "again" }) });
  };
  // A minute of the clock may end between the calls.
  let status = 200;
  let roundTripCount = 0;
  while (status === 200) {
    roundTripCount = await proxy.requestsDuring(async () => {
      status = (await report()).status;
    });
  }
  expect([status, roundTripCount]).toEqual([429, 0]);
});
