import { beforeAll, describe, expect, test } from "vitest";
import { modelSlug } from "#app/features/listings/device-variant.rules.ts";
import { dataPath } from "../harness/data-path.ts";
import { textOf } from "../harness/html.ts";
import { pageRoutes } from "../harness/page-routes.ts";
import {
  everyone,
  secretAddress,
  seesSecretAddress,
  signedIn,
  signInEachRole,
  type Who,
  whoMay,
  whos,
} from "../harness/roles.ts";
import { addPhone, type Phone, sharedServer, type Visitor } from "../harness/server.ts";

/**
 * Where a response to those who may read a route is not a page of 200, by its id in routes.ts. `shared`: it is the same for
 * all, so it may be cached. `redirects`: the route only takes forms, and redirects everybody who opens it.
 */
const responses: Record<string, { status?: number; shared?: true; redirects?: true; loads?: false }> = {
  seen: { shared: true },
  // Of no page.
  page: { status: 404 },
  // Without the token of an email.
  ticket: { status: 410 },
  reset: { status: 410 },
  verify: { status: 410 },
  unsubscribe: { status: 410 },
  "manage-order": { status: 404 },
  "manage-order-reviews": { status: 404 },
  "manage-order-problem": { status: 404 },
  // Without the id of a listing or order.
  "manage-new-message": { status: 404 },
  "manage-conversation": { status: 404 },
  "manage-edit": { status: 404 },
  "manage-photos": { status: 404 },
  // Nothing is chosen.
  "manage-selected": { status: 400 },
  // Of no report.
  "manage-ticket": { status: 404 },
  "manage-page": { status: 404 },
  "manage-problem-case": { status: 404 },
  "manage-decision": { status: 404 },
  // Of other users.
  "manage-saved-search": { status: 404 },
  "manage-edit-search": { status: 404 },
  "manage-notification": { status: 404 },
  // Without a payment provider.
  "manage-payments": { status: 404 },
  "manage-payouts": { status: 404 },
  "manage-payouts-csv": { status: 404 },
  "payment-events": { status: 405 },
  robots: { shared: true },
  sitemap: { shared: true },
  "sitemap-part": { shared: true },
  "products-feed": { shared: true },
  "android-feed": { shared: true },
  "ios-feed": { shared: true },
  "tablet-feed": { shared: true },
  "google-feed": { shared: true },
  suggestions: { shared: true },
  "addphone-models": { shared: true },
  photo: { status: 404 },
  logout: { redirects: true },
  "change-password": { redirects: true },
  "login-passkey": { redirects: true },
  google: { redirects: true },
  "google-callback": { redirects: true },
  "manage-undo": { redirects: true },
  "manage-photo-upload": { redirects: true },
  "manage-account-verify": { redirects: true },
  "manage-account-export": { redirects: true },
  "manage-account-passkeys": { redirects: true },
  "listing-photos": { loads: false },
  "not-found": { status: 404 },
};

let people: Record<Who, Visitor>;
/** The listings that paths are about, by their system. */
let listings: Record<"Android" | "Ios", Phone>;

beforeAll(async () => {
  const server = await sharedServer();
  ({ people } = await signInEachRole(server));
  listings = { Android: await addPhone(server.db), Ios: await addPhone(server.db, { os: "Ios" }) };
});

test("each response is of a route", () => {
  const ids = pageRoutes.map(({ id }) => id);
  expect(Object.keys(responses).filter((id) => !ids.includes(id))).toEqual([]);
});

describe.each(pageRoutes)("$id", ({ id, path, access }) => {
  const { status = 200, redirects, shared, loads = true } = responses[id] ?? {};
  const allowed = redirects ? everyone : whoMay(access);
  const expectedStatus = redirects ? 302 : status;

  test.concurrent.each(whos)("read by %s", async (who) => {
    const phone = listings[id.startsWith("ios") ? "Ios" : "Android"];
    const address = path
      .replace(":phoneId", phone.id)
      .replace(":sellerId", phone.sellerId)
      .replace(":userId", phone.sellerId)
      .replace(":slug", modelSlug(phone))
      .replace(":kind", "seller")
      .replace(":targetId", phone.sellerId)
      .replace(":part", "1.xml")
      .replace("*", "no-such-page");
    const [page, data] = await Promise.all([
      people[who].get(address),
      people[who].get(dataPath(address, id)),
    ]);
    const text = `${await page.text()}${await data.text()}`;

    if (allowed.includes(who)) {
      expect(page.status).toBe(expectedStatus);
      // Remix responds to data requests with 204 and the target of the redirect.
      if (loads) expect(data.status).toBe(expectedStatus === 302 ? 204 : expectedStatus);
      else expect(data.status).toBe(400);
    } else {
      const login = `/login?redirectTo=${encodeURIComponent(address)}`;
      expect([page.status, page.headers.get("Location")]).toEqual([302, login]);
      expect([data.status, data.headers.get("X-Remix-Redirect")]).toEqual([204, login]);
      if (signedIn.includes(who)) {
        const names = { seller: "sellers", moderator: "moderators", admin: "administrators" } as const;
        const [, name] = Object.entries(names).find(([role]) => allowed.includes(role as Who)) ?? [];
        const reason = `This page is for ${name}`;
        expect(textOf(await (await people[who].get(login)).text())).toContain(reason);
      }
    }
    if (!seesSecretAddress(who)) expect(text).not.toContain(secretAddress);
    if (shared) {
      expect(page.headers.get("Cache-Control")).toMatch(/^public, max-age=\d+$/);
    } else if (signedIn.includes(who) || !allowed.includes(who)) {
      expect(page.headers.get("Cache-Control")).toContain("no-store");
    }
  });
});
