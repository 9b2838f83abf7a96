import { type CookieJar, ownCookieNames, sessionCookie } from "../http/cookies.server.ts";

/** A page that is the same for all visitors of an audience. */
export interface CachedPage {
  /** As in the route table: `/products/:phoneId`. */
  path: string;
  /** Ids of the routes whose loader data scripts may ask for, by `_data`. */
  dataRoutes: string[];
  /** The part of a query that the page depends on, in one canonical form: with its question mark, or empty. */
  search(parameters: URLSearchParams): string;
  /** False if the page shows signed-in visitors something of their own. */
  forSignedIn: boolean;
}

/** The two variants of a cached page differ in the navigation bar only: "Log in", or "Manage" and "Log Out". */
export type Audience = "anonymous" | "signed-in";

/** A request that may be answered from the cache. */
export interface CacheableRequest {
  /** Path and canonical query: the same for all requests for one page. */
  address: string;
  audience: Audience;
}

/** Path segments as the product writes them. Requests that write them otherwise are not cached. */
const segment = "(?:[\\w-]|%20)+";

/** Finds the requests that may be answered from the cache, and the address and variant of what they ask for. */
export function cachedPages(pages: CachedPage[]) {
  const patterns = pages.map((page) => ({
    page,
    pattern: new RegExp(`^${page.path.replaceAll(/:\w+/g, segment)}$`),
  }));

  return async function cacheable(request: Request, cookies: CookieJar): Promise<CacheableRequest | null> {
    if (request.method !== "GET" && request.method !== "HEAD") return null;
    const { pathname, searchParams } = new URL(request.url);
    const page = patterns.find(({ pattern }) => pattern.test(pathname))?.page;
    if (!page) return null;
    const data = searchParams.get("_data");
    if (data !== null && !page.dataRoutes.includes(data)) return null;
    const audience = await audienceOf(request, cookies);
    if (!audience || (audience === "signed-in" && !page.forSignedIn)) return null;
    const search = page.search(searchParams);
    const dataSearch = data === null ? "" : `${search ? "&" : "?"}_data=${data}`;
    return { address: pathname + search + dataSearch, audience };
  };
}

/** Cookies that do not change what a visitor sees on a public page. */
const neutralCookies = [sessionCookie, "__Host-device"];

/**
 * The variant of a public page that a visitor gets. The signature of the session cookie is checked, but not the session
 * itself, which would take a database round trip.
 *
 * @returns null for visitors who need a page of their own: they have written within the last minutes, a message waits
 * for them, they send an access token, or their session cookie is invalid and has to be cleared
 */
async function audienceOf(request: Request, { session }: CookieJar): Promise<Audience | null> {
  const { headers } = request;
  const cookies = ownCookieNames(request);
  if (headers.has("Authorization") || cookies.some((name) => !neutralCookies.includes(name))) return null;
  if (!cookies.includes(sessionCookie)) return "anonymous";
  return (await session.getSession(headers.get("Cookie"))).has("sessionId") ? "signed-in" : null;
}
