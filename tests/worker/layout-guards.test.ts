import { afterAll, beforeAll, expect, test } from "vitest";
import type { Role } from "#app/db/values.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { dataPath } from "../harness/data-path.ts";
import { addAccount, startMarket, type Visitor, visitor } from "../harness/market.ts";

type Asker = Role | "nobody";

let market: LocalServer;
let askers: Record<Asker, Visitor>;
beforeAll(async () => {
  market = await startMarket();
  askers = {
    nobody: visitor(market),
    Buyer: await signedIn("Buyer"),
    Seller: await signedIn("Seller"),
    Admin: await signedIn("Admin"),
  };
});
afterAll(() => market?.stop());

async function signedIn(userType: Role): Promise<Visitor> {
  const someone = visitor(market);
  await someone.logIn((await addAccount(market.db, { userType })).email);
  return someone;
}

test("a data request of a page cannot bypass its layout's guard", async () => {
  const alone = await askers.Admin.get(dataPath("/manage/users"));
  expect(await alone.text()).toContain("@example.com");
  for (const asker of ["nobody", "Buyer", "Seller"] as const) {
    for (const path of ["/manage/users", "/manage/sellers", "/manage/reports", "/manage/activity"]) {
      const answer = await askers[asker].get(dataPath(path));
      expect([answer.status, answer.headers.get("X-Remix-Redirect")]).toEqual([
        204,
        `/login?redirectTo=${encodeURIComponent(path)}`,
      ]);
      expect(await answer.text()).toBe("");
    }
  }
});

test("the drawer and the navigation bar show the links of each role", async () => {
  const links = async (asker: Asker, page: string) =>
    [...(await (await askers[asker].get(page)).text()).matchAll(/href="(\/manage[^"]*|\/login)"/g)].map(
      ([, href]) => href,
    );
  const drawer = async (asker: Asker) => [...new Set(await links(asker, "/manage"))];
  expect(await drawer("Buyer")).toEqual(["/manage", "/manage/account"]);
  expect(await drawer("Seller")).toEqual(["/manage", "/manage/mysells", "/manage/account"]);
  expect(await drawer("Admin")).toEqual(
    expect.arrayContaining([
      "/manage",
      "/manage/mysells",
      "/manage/users",
      "/manage/sellers",
      "/manage/reports",
      "/manage/account",
    ]),
  );
  expect(new Set(await links("nobody", "/"))).toEqual(new Set(["/login"]));
  expect(new Set(await links("Buyer", "/"))).toEqual(new Set(["/manage"]));
});
