import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { modelSlug } from "#app/features/listings/device-variant.rules.ts";
import { type Libsql, startLibsql } from "../harness/libsql.ts";
import {
  addAccount,
  addPhone,
  requestLines,
  startServer,
  type TestServer,
  visitor,
  waitForRateLimitWindow,
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

test("a page takes one round trip for an anonymous visitor, and at most two for a signed-in user", async () => {
  const stranger = visitor(server);
  const buyer = visitor(server);
  await buyer.signIn((await addAccount(server.db)).email);

  for (const path of [
    "/",
    "/products",
    "/ios",
    `/products/${phone}`,
    `/phones/${phone}`,
    `/sellers/${seller}`,
    `/models/${model}`,
    `/compare?ids=${phone}`,
    "/sitemap.xml",
    "/phoneInfoCollection?limit=7",
    "/phoneInfoCollection/Android",
  ]) {
    const roundTripCount = await proxy.requestsDuring(async () => {
      expect([path, (await stranger.get(path)).status]).toEqual([path, 200]);
    });
    expect([path, roundTripCount]).toEqual([path, 1]);
  }
  for (const path of [
    "/products",
    `/products/${phone}`,
    `/phones/${phone}`,
    `/sellers/${seller}`,
    `/models/${model}`,
    `/compare?ids=${phone}`,
    `/products/${phone}/book`,
    "/manage",
    `/manage?after=${phone}`,
    "/manage/account",
    "/manage/account/tokens",
    "/manage/searches",
    "/manage/searches/new?q=iphone",
  ]) {
    const roundTripCount = await proxy.requestsDuring(async () => {
      expect([path, (await buyer.get(path)).status]).toEqual([path, 200]);
    });
    // Twice when the second read depends on the user.
    expect([path, roundTripCount]).toEqual([path, /\/book$|^\/manage/.test(path) ? 2 : 1]);
  }
  expect(await proxy.requestsDuring(() => buyer.get("/phoneInfoCollection?limit=7"))).toBe(2);
  expect(await proxy.requestsDuring(() => buyer.get("/healthz"))).toBe(0);
});

test("only a search without results takes a second round trip", async () => {
  for (const [path, roundTrips] of [
    ["/products?q=fairphone", 1],
    ["/products?q=fairphone&brand=Absent", 2],
    ["/products?q=fairphnoe", 3],
    ["/products?q=zeppelin", 3],
  ] as const) {
    const roundTripCount = await proxy.requestsDuring(async () => {
      expect([path, (await visitor(server).get(path)).status]).toEqual([path, 200]);
    });
    expect([path, roundTripCount]).toEqual([path, roundTrips]);
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
    const before = requestLines(server).length;
    expect((await send(wanted)).status).toBe(status);
    await expect.poll(() => requestLines(server).length).toBe(before + 1);
    return requestLines(server)[before]?.dbRoundTrips;
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
  await waitForRateLimitWindow();
  const { send } = visitor(server);
  const report = () => {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
    return send("/report", { method: "POST", headers, body: JSON.stringify({ details: "again" }) });
  };
  for (let count = 0; count < 5; count += 1) expect((await report()).status).toBe(200);
  const roundTripCount = await proxy.requestsDuring(async () => expect((await report()).status).toBe(429));
  expect(roundTripCount).toBe(0);
});
