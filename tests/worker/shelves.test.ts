import { afterAll, beforeAll, expect, test } from "vitest";
import type { Market } from "../../scripts/market.ts";
import { addAccount, addPhone, startMarket, visitor } from "../harness/market.ts";

let market: Market;
beforeAll(async () => {
  market = await startMarket();
});
afterAll(() => market?.stop());

test("a list shows what was added", async () => {
  const phone = await addPhone(market.db, { brandName: "Fairphone", model: "5" });
  const html = await (await visitor(market).get("/products")).text();
  expect(html).toContain("Fairphone 5");
  expect(html).toContain(`/products/${phone.id}`);
});

test("an account logs in", async () => {
  const { email } = await addAccount(market.db);
  const someone = visitor(market);
  await someone.logIn(email);
  expect((await someone.get("/manage")).status).toBe(200);
});
