import { announcementCookie, type CookieJar, ownCookieNames, sessionCookie } from "../http/cookies.server.ts";
import type { PageRoute } from "../http/page-routes.server.ts";

/** The versions of a cached page. They differ in the navigation bar: "Log in", or "Manage" and "Log Out". */
export type CacheAudience = "anonymous" | "signed-in";

export interface CacheableRequest {
  address: string;
  audience: CacheAudience;
}

/** Path segments that occur in our own links. Requests with any other characters are not cached. */
const segment = "(?:[\\w-]|%20)+";

/** Creates a function that returns the cache address and version for a request, or null if it must not be cached. */
export function cachedPages(pages: PageRoute[]) {
  const cached = pages.flatMap(({ path, ids, handle }) => {
    const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, segment)}$`);
    return handle.cached ? [{ pattern, ids, ...handle.cached }] : [];
  });

  return async function cacheable(request: Request, cookies: CookieJar): Promise<CacheableRequest | null> {
    if (request.method !== "GET" && request.method !== "HEAD") return null;
    const { pathname, searchParams } = new URL(request.url);
    const page = cached.find(({ pattern }) => pattern.test(pathname));
    if (!page) return null;
    const data = searchParams.get("_data");
    if (data !== null && !page.ids.includes(data)) return null;
    const audience = await audienceOf(request, cookies);
    if (!audience || (audience === "signed-in" && page.forSignedIn === false)) return null;
    const search = (searchParams.size > 0 && page.search?.(searchParams)) || "";
    const dataSearch = data === null ? "" : `${search ? "&" : "?"}_data=${data}`;
    return { address: pathname + search + dataSearch, audience };
  };
}

const neutralCookies = [sessionCookie, "__Host-device", announcementCookie];

/**
 * Chooses the version by the session cookie's signature alone, which takes no database round trip.
 * @returns null if the request must bypass the cache: after a write, with a toast, or with an invalid session cookie
 */
async function audienceOf(request: Request, { session }: CookieJar): Promise<CacheAudience | null> {
  const { headers } = request;
  const cookies = ownCookieNames(request);
  if (headers.has("Authorization") || cookies.some((name) => !neutralCookies.includes(name))) return null;
  if (!cookies.includes(sessionCookie)) return "anonymous";
  return (await session.getSession(headers.get("Cookie"))).has("sessionId") ? "signed-in" : null;
}
