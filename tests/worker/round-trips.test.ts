import { afterAll, beforeAll, expect, test } from "vitest";
import { type Libsql, startLibsql } from "../harness/libsql.ts";
import { addAccount, addPhone, startMarket, type TestMarket, visitor } from "../harness/market.ts";
import { openWire, type Wire } from "../harness/wire.ts";

let server: Libsql;
let wire: Wire;
let market: TestMarket;
let phone: string;
let seller: string;
beforeAll(async () => {
  server = await startLibsql();
  wire = await openWire(server.url);
  market = await startMarket({ bindings: { LIBSQL_URL: wire.url } });
  ({ id: phone, sellerId: seller } = await addPhone(market.db));
});
afterAll(async () => {
  await market?.stop();
  await wire?.stop();
  await server?.stop();
});

test("a page asks the database once for a stranger, and at most twice for somebody signed in", async () => {
  const stranger = visitor(market);
  const buyer = visitor(market);
  await buyer.logIn((await addAccount(market.db)).email);

  for (const path of [
    "/products",
    "/ios",
    `/products/${phone}`,
    `/phones/${phone}`,
    `/sellers/${seller}`,
    "/sitemap.xml",
    "/phoneInfoCollection?limit=7",
    "/phoneInfoCollection/Android",
  ]) {
    const asked = await wire.requestsDuring(async () => {
      expect([path, (await stranger.get(path)).status]).toEqual([path, 200]);
    });
    expect([path, asked]).toEqual([path, 1]);
  }
  for (const path of [
    "/products",
    `/products/${phone}`,
    `/phones/${phone}`,
    `/sellers/${seller}`,
    `/products/${phone}/book`,
    "/manage",
    "/manage/account",
  ]) {
    const asked = await wire.requestsDuring(async () => {
      expect([path, (await buyer.get(path)).status]).toEqual([path, 200]);
    });
    // Twice, where what to read depends on who is asking.
    expect([path, asked]).toEqual([path, /\/book$|^\/manage/.test(path) ? 2 : 1]);
  }
  expect(await wire.requestsDuring(() => buyer.get("/phoneInfoCollection?limit=7"))).toBe(2);
  expect(await wire.requestsDuring(() => buyer.get("/healthz"))).toBe(0);
});
