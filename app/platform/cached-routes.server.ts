/** A page or a file that is the same for everybody who is not signed in. */
export interface CachedRoute {
  /** As in the table of routes: `/products/:phoneId`. */
  path: string;
  /** Of a page, a browser's script may ask for the data alone. */
  door: "page" | "file";
  /**
   * The part of a query that counts, in one form however it was written; with its question mark, or empty. The rest
   * never reaches the page.
   */
  search(parameters: URLSearchParams): string;
}

/** What a request asks of the cache. */
export interface CachedAddress {
  route: CachedRoute;
  origin: string;
  /** Path and query in the one form that all who ask for the same share. */
  address: string;
}

/** A segment in the one way it is usually written; whoever writes it otherwise gets an answer of their own. */
const segment = "(?:[\\w-]|%20)+";

/** A browser that is known from an earlier login is still not signed in; all other cookies of ours say something. */
const ownCookie = /(?:^|;)\s*__Host-(?!device=)/;

/** Whether a request says anything of who sends it. */
export function bearsCredentials({ headers }: Pick<Request, "headers">): boolean {
  return headers.has("Authorization") || ownCookie.test(headers.get("Cookie") ?? "");
}

/**
 * Tells what a request may be answered with out of the cache, by a table of what may be kept.
 *
 * @param partsOf names the parts that the page of a route is made of; a script may ask for some of them
 */
export function cachedAddresses(routes: CachedRoute[], partsOf: (path: string) => string[]) {
  const plain = new Map(routes.map((route) => [route.path, route]));
  const patterns = routes
    .filter(({ path }) => path.includes(":"))
    .map((route) => ({ route, pattern: new RegExp(`^${route.path.replaceAll(/:\w+/g, segment)}$`) }));

  /** @returns null for what must be made for this visitor alone */
  return function cachedAddress(request: Request): CachedAddress | null {
    if (request.method !== "GET" && request.method !== "HEAD") return null;
    if (bearsCredentials(request)) return null;
    const { origin, pathname, searchParams } = new URL(request.url);
    const asData = pathname.endsWith(".data");
    const path = pathname === "/_root.data" ? "/" : asData ? pathname.slice(0, -".data".length) : pathname;
    const route = plain.get(path) ?? patterns.find(({ pattern }) => pattern.test(path))?.route;
    if (!route || (asData && (route.door !== "page" || pathname === "/.data"))) return null;
    const search = route.search(searchParams);
    const wanted = asData ? searchParams.get("_routes") : null;
    if (wanted === null) return { route, origin, address: pathname + search };
    const parts = wanted.split(",");
    const known = partsOf(route.path);
    if (!parts.every((part) => known.includes(part))) return null;
    const chosen = `_routes=${encodeURIComponent(known.filter((part) => parts.includes(part)).join())}`;
    return { route, origin, address: `${pathname}${search ? `${search}&` : "?"}${chosen}` };
  };
}
