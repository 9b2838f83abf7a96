/** Paths are parsed as URLs below it. */
const placeholderOrigin = "http://ringback.invalid";

/** The page that the Worker shows at an address that Remix cannot parse, or that is in its route table only. */
export const notFoundPath = "/not-found";

/** Normalizes a path as Remix matches it: without letter case and trailing slashes. */
export function normalizePath(path: string): string {
  return path.toLowerCase().replace(/\/+$/, "");
}

/** The path and query of a request, such as a certain page of a table. */
export function pathAndQuery(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return pathname + search;
}

/**
 * Whether Remix can route a path. It resolves the decoded path as a URL, and fails on some: `/%5C` is one without a
 * host. A path that cannot be decoded it would log, which may be personal.
 */
export function isRoutable(path: string): boolean {
  try {
    const decoded = decodeURIComponent(path.replaceAll(/%2f/gi, "%252F"));
    return URL.canParse(decoded.replaceAll(/\/{2,}/g, "/"), placeholderOrigin);
  } catch {
    return false;
  }
}

/** Where the route table has the routes of the API: `/users` is `/rest/users` there. Clients cannot request this path. */
export const apiRoot = "/rest";

/** Returns an untrusted target if browsers resolve it to a path of this site, else `fallback`. */
export function safeRedirect(target: FormDataEntryValue | null | undefined, fallback = "/"): string {
  if (typeof target !== "string" || !target.startsWith("/") || !URL.canParse(target, placeholderOrigin))
    return fallback;
  const url = new URL(target, placeholderOrigin);
  // `/.//host` resolves to a path that starts with two slashes, which browsers take for another host.
  if (url.origin !== placeholderOrigin || url.pathname.startsWith("//")) return fallback;
  return url.pathname + url.search + url.hash;
}
