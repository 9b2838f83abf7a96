import { beforeAll, describe, expect, test } from "vitest";
import { modelSlug } from "#app/features/listings/device-variant.rules.ts";
import routes from "#app/routes.ts";
import { dataPath } from "../harness/data-path.ts";
import { textOf } from "../harness/html.ts";
import {
  admin,
  everyone,
  moderators,
  secretAddress,
  selling,
  signedIn,
  signInEachRole,
  type Who,
  whos,
} from "../harness/roles.ts";
import { addPhone, type Phone, sharedServer, type Visitor } from "../harness/server.ts";

/**
 * Who may read each route, by its id in routes.ts; all others are redirected to the login page.
 * `status`: the status for those who may, if not 200; `statusByRole`: the same by role. `shared`: the response is the same
 * for all, so it may be cached. `loads: false`: the route has no loader.
 */
const readers: Record<
  string,
  {
    who: readonly Who[];
    status?: number;
    statusByRole?: Partial<Record<Who, number>>;
    shared?: boolean;
    loads?: boolean;
  }
> = {
  home: { who: everyone },
  login: { who: everyone },
  blogs: { who: everyone },
  ...categoryRoutes("products"),
  ...categoryRoutes("android"),
  ...categoryRoutes("ios"),
  ...categoryRoutes("tablet"),
  listing: { who: everyone },
  seen: { who: everyone, shared: true },
  compare: { who: everyone },
  seller: { who: everyone },
  "seller-reviews": { who: everyone },
  model: { who: everyone },
  signup: { who: everyone },
  sellersignup: { who: everyone },
  addphone: { who: signedIn },
  about: { who: everyone },
  // Of no page.
  page: { who: everyone, status: 404 },
  report: { who: everyone },
  "report-content": { who: signedIn },
  // Without the token of an email.
  ticket: { who: everyone, status: 410 },
  manage: { who: signedIn },
  "manage-orders": { who: signedIn },
  "manage-order": { who: signedIn, status: 404 },
  "manage-order-reviews": { who: signedIn, status: 404 },
  "manage-order-problem": { who: signedIn, status: 404 },
  "manage-messages": { who: signedIn },
  // Without the id of a listing or order.
  "manage-new-message": { who: signedIn, status: 404 },
  "manage-conversation": { who: signedIn, status: 404 },
  "manage-offers": { who: signedIn },
  "manage-newest-message": { who: signedIn },
  "manage-sellings": { who: selling },
  "manage-my-numbers": { who: selling },
  "manage-saved": { who: signedIn },
  "manage-saved-state": { who: signedIn },
  "manage-edit": { who: signedIn, status: 404 },
  "manage-photos": { who: signedIn, status: 404 },
  "manage-all-orders": { who: admin },
  "manage-all-listings": { who: admin },
  "manage-users": { who: admin },
  "manage-sellers": { who: admin },
  "manage-user": { who: admin },
  "manage-search": { who: admin },
  // Nothing is chosen.
  "manage-selected": { who: admin, status: 400 },
  "manage-users-csv": { who: admin },
  "manage-sellers-csv": { who: admin },
  "manage-reports-csv": { who: admin },
  "manage-orders-csv": { who: admin },
  "manage-listings-csv": { who: admin },
  "manage-activity-csv": { who: admin },
  "manage-content-reports-csv": { who: admin },
  "manage-content-reports": { who: moderators },
  "manage-reports": { who: admin },
  // Of no report.
  "manage-report": { who: admin, status: 404 },
  "manage-work": { who: moderators },
  "manage-activity": { who: admin },
  "manage-moderation": { who: moderators },
  "manage-numbers": { who: admin },
  "manage-system": { who: admin },
  "manage-announcements": { who: admin },
  "manage-pages": { who: admin },
  // As above.
  "manage-page": { who: admin, status: 404 },
  "manage-moderation-case": { who: moderators },
  "manage-problem-case": { who: moderators, status: 404 },
  "manage-decision": { who: signedIn, status: 404 },
  "manage-searches": { who: signedIn },
  "manage-save-search": { who: signedIn },
  // Searches of other users.
  "manage-saved-search": { who: signedIn, status: 404 },
  "manage-edit-search": { who: signedIn, status: 404 },
  "manage-notifications": { who: signedIn },
  // Notifications of other users.
  "manage-notification": { who: signedIn, status: 404 },
  "manage-unread": { who: signedIn },
  "manage-account": { who: signedIn },
  "manage-account-tokens": { who: signedIn },
  forgot: { who: everyone },
  // Without the token of an email.
  reset: { who: everyone, status: 410 },
  verify: { who: everyone, status: 410 },
  unsubscribe: { who: everyone, status: 410 },
  robots: { who: everyone, shared: true },
  sitemap: { who: everyone, shared: true },
  "sitemap-part": { who: everyone, shared: true },
  "products-feed": { who: everyone, shared: true },
  "android-feed": { who: everyone, shared: true },
  "ios-feed": { who: everyone, shared: true },
  "tablet-feed": { who: everyone, shared: true },
  suggestions: { who: everyone, shared: true },
  photo: { who: everyone, status: 404 },
  logout: { who: everyone, status: 302 },
  "change-password": { who: everyone, status: 302 },
  "login-passkey": { who: everyone, status: 302 },
  google: { who: everyone, status: 302 },
  "google-callback": { who: everyone, status: 302 },
  "addphone-fair-price": { who: signedIn },
  "manage-undo": { who: everyone, status: 302 },
  api: { who: everyone },
  "manage-photo-upload": { who: everyone, status: 302 },
  "manage-account-verify": { who: everyone, status: 302 },
  "listing-book": { who: signedIn },
  "listing-offer": { who: signedIn },
  "listing-photos": { who: everyone, loads: false },
  "manage-account-data": { who: everyone, status: 302 },
  "manage-account-passkeys": { who: everyone, status: 302 },
  healthz: { who: everyone },
  readyz: { who: everyone },
  "not-found": { who: everyone, status: 404 },
};

function categoryRoutes(category: string) {
  return {
    [category]: { who: everyone },
    [`${category}-details`]: { who: everyone },
    [`${category}-book`]: { who: signedIn },
  };
}

interface FlatRoute {
  id: string;
  path: string;
}

const flatRoutes: FlatRoute[] = [];
(function flatten(entries: typeof routes, parent: string) {
  for (const { id = "", path = "", file, children } of entries) {
    // The API has its own matrix in rest-permissions.test.ts.
    if (file.startsWith("routes/api/")) continue;
    const own = `${parent}/${path}`.replaceAll(/\/+/g, "/");
    flatRoutes.push({ id, path: own.length > 1 ? own.replace(/\/$/, "") : own });
    if (children) flatten(children, own);
  }
})(routes, "");

let people: Record<Who, Visitor>;
/** The listings that paths are about, by their system. */
let listings: Record<"Android" | "Ios", Phone>;

beforeAll(async () => {
  const server = await sharedServer();
  ({ people } = await signInEachRole(server));
  listings = { Android: await addPhone(server.db), Ios: await addPhone(server.db, { os: "Ios" }) };
});

test("each route has a row, and each row a route", () => {
  expect(Object.keys(readers).toSorted()).toEqual(flatRoutes.map(({ id }) => id).toSorted());
});

describe.each(flatRoutes)("$id", ({ id, path }) => {
  const { who: allowed, status = 200, statusByRole, shared, loads = true } = readers[id] ?? { who: [] };

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
    const expectedStatus = statusByRole?.[who] ?? status;
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
        const names = new Map([
          [admin, "administrators"],
          [moderators, "moderators"],
        ]);
        const reason = `This page is for ${names.get(allowed) ?? "sellers"}`;
        expect(textOf(await (await people[who].get(login)).text())).toContain(reason);
      }
    }
    if (who !== "admin") expect(text).not.toContain(secretAddress);
    if (shared) {
      expect(page.headers.get("Cache-Control")).toMatch(/^public, max-age=\d+$/);
    } else if (signedIn.includes(who) || !allowed.includes(who)) {
      expect(page.headers.get("Cache-Control")).toContain("no-store");
    }
  });
});
