import { keyMark } from "#app/features/phones/keyset-page.rules.ts";
import { shelfQuery, shelfSearch } from "#app/features/phones/shelf-query.rules.ts";
import type { CachedRoute } from "#app/platform/cached-routes.server.ts";

/** Of a page that reads nothing from its address. */
const nothing = () => "";

const shelf = (parameters: URLSearchParams) => shelfSearch(shelfQuery(parameters));

/** Of a list that is read by its keys. */
function furtherPage(parameters: URLSearchParams): string {
  const mark = keyMark(parameters);
  return mark ? `?${new URLSearchParams(mark)}` : "";
}

/**
 * What the edge cache may keep, and what of an address counts there: pages and lists that are the same for all who
 * are not signed in. Whatever is not named here is rendered for each visitor.
 */
export const cachedRoutes: CachedRoute[] = [
  { path: "/", door: "page", search: nothing },
  { path: "/blogs", door: "page", search: nothing },
  { path: "/about", door: "page", search: nothing },
  { path: "/api", door: "page", search: nothing },
  ...["/products", "/android", "/ios", "/tablet"].flatMap((path): CachedRoute[] => [
    { path, door: "page", search: shelf },
    { path: `${path}/:phoneId`, door: "page", search: shelf },
    { path: `${path}.rss`, door: "file", search: nothing },
  ]),
  { path: "/phones/:phoneId", door: "page", search: nothing },
  { path: "/sellers/:sellerId", door: "page", search: furtherPage },
  // Its parts are long, and read by robots alone.
  { path: "/sitemap.xml", door: "file", search: nothing },
];

/**
 * Where what is posted by somebody who is signed in changes nothing that others can see. Anything else drops what the
 * cache holds; who is not signed in can change nothing of it.
 */
export const quietPaths = [
  "/login",
  "/login/passkey",
  "/logout",
  "/signup",
  "/sellersignup",
  "/forgot",
  "/reset",
  "/report",
  "/manage/account/passkeys",
  "/manage/account/data",
  "/manage/account/verify",
];
