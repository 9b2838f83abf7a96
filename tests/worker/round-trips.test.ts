import { afterAll, beforeAll, expect, test } from "vitest";
import { modelSlug } from "#app/features/listings/device-variant.rules.ts";
import { type Libsql, startLibsql } from "../harness/libsql.ts";
import { addAccount, addPhone, startMarket, type TestMarket, visitor } from "../harness/market.ts";
import { startTcpProxy, type TcpProxy } from "../harness/tcp-proxy.ts";

let server: Libsql;
let proxy: TcpProxy;
let market: TestMarket;
let phone: string;
let seller: string;
let model: string;
beforeAll(async () => {
  server = await startLibsql();
  proxy = await startTcpProxy(server.url);
  market = await startMarket({ bindings: { LIBSQL_URL: proxy.url } });
  const listing = await addPhone(market.db);
  ({ id: phone, sellerId: seller } = listing);
  model = modelSlug(listing);
});
afterAll(async () => {
  await market?.stop();
  await proxy?.stop();
  await server?.stop();
});

test("a page takes one round trip for an anonymous visitor, and at most two for a signed-in user", async () => {
  const stranger = visitor(market);
  const buyer = visitor(market);
  await buyer.logIn((await addAccount(market.db)).email);

  for (const path of [
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
    const asked = await proxy.requestsDuring(async () => {
      expect([path, (await stranger.get(path)).status]).toEqual([path, 200]);
    });
    expect([path, asked]).toEqual([path, 1]);
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
    "/manage/account",
  ]) {
    const asked = await proxy.requestsDuring(async () => {
      expect([path, (await buyer.get(path)).status]).toEqual([path, 200]);
    });
    // Twice when the second read depends on the user.
    expect([path, asked]).toEqual([path, /\/book$|^\/manage/.test(path) ? 2 : 1]);
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
    const asked = await proxy.requestsDuring(async () => {
      expect([path, (await visitor(market).get(path)).status]).toEqual([path, 200]);
    });
    expect([path, asked]).toEqual([path, roundTrips]);
  }
});

test("a booking takes two round trips: the session, then the booking", async () => {
  const buyer = visitor(market);
  const { email } = await addAccount(market.db);
  await buyer.logIn(email);
  const form = async (id: string) => buyer.post(`/products/${id}/book`, { address: "", phone: "" });
  const call = async (id: string, more: Record<string, string> = {}) => {
    const headers = { "Content-Type": "application/json", ...more };
    return buyer.send("/bookings", { method: "POST", headers, body: JSON.stringify({ phoneId: id }) });
  };
  const roundTripsOf = async (status: number, ask: (id: string) => Promise<Response>, id?: string) => {
    const wanted = id ?? (await addPhone(market.db)).id;
    return proxy.requestsDuring(async () => expect((await ask(wanted)).status).toBe(status));
  };
  expect(await roundTripsOf(303, form)).toBe(2);
  expect(await roundTripsOf(200, call)).toBe(2);
  // A third round trip reads the reason of the failure.
  expect(await roundTripsOf(404, call, "nothing")).toBe(3);
  const { accessToken } = (await (await buyer.get(`/jwt?email=${email}`)).json()) as { accessToken: string };
  const byToken = (id: string) => call(id, { Cookie: "", Authorization: `Bearer ${accessToken}` });
  expect(await roundTripsOf(200, byToken)).toBe(2);
});
