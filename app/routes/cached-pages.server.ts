import { idKey, numberKey, parseCursor } from "#app/db/cursor.ts";
import { parseSearchQuery, searchString } from "#app/features/catalog/search/search-query.rules.ts";
import { type CachedPage, cachedPages } from "#app/server/cache/cacheable-request.server.ts";

const listSearch = (parameters: URLSearchParams) => searchString(parseSearchQuery(parameters));

const cursorSearch = (key: RegExp) => (parameters: URLSearchParams) => {
  const cursor = parseCursor(parameters, key);
  return cursor ? `?${new URLSearchParams(cursor)}` : "";
};

/** The pages in the edge cache. Their loaders must not read who is signed in. */
const pages: CachedPage[] = [
  { path: "/", dataRoutes: ["home"] },
  { path: "/blogs", dataRoutes: ["blogs"] },
  { path: "/about", dataRoutes: ["about"] },
  { path: "/pages/:slug", dataRoutes: ["page"] },
  { path: "/api", dataRoutes: ["api"] },
  ...["products", "android", "ios", "tablet"].flatMap((list): CachedPage[] => [
    { path: `/${list}`, dataRoutes: [list], search: listSearch },
    {
      path: `/${list}/:phoneId`,
      dataRoutes: [list, `${list}-details`],
      search: listSearch,
      // Signed-in users see their own orders and listings there.
      forSignedIn: false,
    },
  ]),
  // As above.
  { path: "/phones/:phoneId", dataRoutes: ["listing"], forSignedIn: false },
  { path: "/sellers/:sellerId", dataRoutes: ["seller"], search: cursorSearch(idKey) },
  {
    path: "/sellers/:sellerId/reviews",
    dataRoutes: ["seller-reviews"],
    search: cursorSearch(idKey),
  },
  { path: "/models/:slug", dataRoutes: ["model"], search: cursorSearch(numberKey) },
];

export const cacheable = cachedPages(pages);

/** The cached pages with one address each, which the sitemap lists. */
export const cachedPaths = pages.map(({ path }) => path).filter((path) => !path.includes(":"));
