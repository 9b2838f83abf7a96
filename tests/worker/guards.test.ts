import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { activity, bookings, phones, removals, users } from "#app/db/schema.ts";
import type { Role } from "#app/db/values.ts";
import type { Market } from "../../scripts/market.ts";
import { addAccount, addPhone, startMarket, type Visitor, visitor } from "../harness/market.ts";

type Asker = Role | "nobody";

let market: Market;
let askers: Record<Asker, Visitor>;
let phoneId: string;
let strangersId: string;
beforeAll(async () => {
  market = await startMarket();
  phoneId = (await addPhone(market.db)).id;
  strangersId = (await addAccount(market.db, { userType: "Seller" })).id;
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

/** Who may see what; everyone else is led to the login page. */
const pages: [page: string, allowed: Asker[]][] = [
  ["/manage", ["Buyer", "Seller", "Admin"]],
  ["/manage/mysells", ["Seller", "Admin"]],
  ["/manage/users", ["Admin"]],
  ["/manage/sellers", ["Admin"]],
  ["/manage/reports", ["Admin"]],
  ["/manage/activity", ["Admin"]],
  ["/addphone", ["Buyer", "Seller", "Admin"]],
  ["/products/PHONE/book", ["Buyer", "Seller", "Admin"]],
  ["/ios/PHONE/book", ["Buyer", "Seller", "Admin"]],
];

describe.each(pages)("%s", (page, allowed) => {
  test.each<Asker>(["nobody", "Buyer", "Seller", "Admin"])("asked for by %s", async (asker) => {
    const path = page.replace("PHONE", phoneId);
    const answer = await askers[asker].get(path);
    const data = await askers[asker].get(`${path}.data`);
    if (allowed.includes(asker)) {
      expect([answer.status, data.status]).toEqual([200, 200]);
    } else {
      expect([answer.status, answer.headers.get("Location")]).toEqual([
        302,
        `/login?${new URLSearchParams({ redirectTo: path })}`,
      ]);
      // Remix wraps the redirect for its script; nothing of the page may be in it.
      expect(data.status).toBe(202);
      expect(await data.text()).toContain("/login?redirectTo=");
    }
  });
});

test("a page's own data cannot be had around its layout's guard", async () => {
  for (const asker of ["nobody", "Buyer", "Seller"] as const) {
    for (const routes of ["manage-users", "manage-sellers", "manage-reports", "manage-activity"]) {
      const path = `/manage/${routes.slice("manage-".length)}.data?_routes=routes/manage/${routes},${routes}`;
      const text = await (await askers[asker].get(path)).text();
      expect(text).toContain("/login?redirectTo=");
      expect(text).not.toContain("@example.com");
    }
  }
});

describe("a post by somebody without the role changes nothing", () => {
  const posts: [path: string, fields: () => Record<string, string>, askers: Asker[]][] = [
    ["/manage?index", () => ({ _id: "x" }), ["nobody"]],
    ["/manage/mysells", () => ({ _id: phoneId }), ["nobody", "Buyer", "Seller"]],
    ["/manage/users", () => ({ _id: strangersId }), ["nobody", "Buyer", "Seller"]],
    ["/manage/sellers", () => ({ _id: strangersId }), ["nobody", "Buyer", "Seller"]],
    ["/manage/sellers", () => ({ _id: strangersId, act: "verify" }), ["nobody", "Buyer", "Seller"]],
    ["/products/PHONE/book", () => ({ address: "a", phone: "1" }), ["nobody"]],
    ["/manage/undo", () => ({ _id: "x" }), ["nobody", "Buyer", "Seller"]],
    ["/addphone", () => ({ brandName: "x" }), ["nobody"]],
  ];
  test.each(posts)("%s", async (page, fields, who) => {
    const state = async () => ({
      users: await market.db.select().from(users),
      phones: await market.db.select().from(phones),
      bookings: await market.db.select().from(bookings),
      removals: await market.db.select().from(removals),
      activity: await market.db.select().from(activity),
    });
    const before = await state();
    const path = page.replace("PHONE", phoneId);
    for (const asker of who) {
      for (const address of [path, path.replace(/(\?|$)/, ".data$1")]) {
        const answer = await askers[asker].post(address, fields());
        expect([asker, answer.status < 400]).toEqual([asker, true]);
        if (asker === "nobody")
          expect(answer.headers.get("Location") ?? (await answer.text())).toContain("/login");
      }
    }
    expect(await state()).toEqual(before);
  });
});

test("the drawer and the bar show each visitor what is theirs", async () => {
  const links = async (asker: Asker, page: string) =>
    [...(await (await askers[asker].get(page)).text()).matchAll(/href="(\/manage[^"]*|\/login)"/g)].map(
      ([, href]) => href,
    );
  const drawer = async (asker: Asker) => [...new Set(await links(asker, "/manage"))];
  expect(await drawer("Buyer")).toEqual(["/manage"]);
  expect(await drawer("Seller")).toEqual(["/manage", "/manage/mysells"]);
  expect(await drawer("Admin")).toEqual(
    expect.arrayContaining([
      "/manage",
      "/manage/mysells",
      "/manage/users",
      "/manage/sellers",
      "/manage/reports",
    ]),
  );
  expect(new Set(await links("nobody", "/"))).toEqual(new Set(["/login"]));
  expect(new Set(await links("Buyer", "/"))).toEqual(new Set(["/manage"]));
});
