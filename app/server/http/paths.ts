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
 * Whether Remix can route a path. It resolves the decoded path as a URL, on the server and in the browser, and fails on
 * some: `/%5C` is one without a host. A path that cannot be decoded it would log, which may be personal.
 */
export function isRoutable(path: string): boolean {
  try {
    const decoded = decodeURIComponent(path.replaceAll(/%2f/gi, "%252F"));
    return URL.canParse(decoded.replaceAll(/\/{2,}/g, "/"), "http://ringback.invalid");
  } catch {
    return false;
  }
}

/** The resource route for API requests to `/report`, which is also a page. */
export const reportRoute = "/report.json";

/** The API owns these paths and all below. */
const apiPrefixes = [
  "/phoneinfocollection",
  "/allphoneinfo",
  "/phones/delete",
  "/bookings",
  "/reviews",
  "/users",
  "/seller",
  "/jwt",
];

/** The API owns these paths, but not what is below: `/sellers/:sellerId` is a page. */
const apiPaths = ["/sellers", reportRoute];

/** Whether a path belongs to the API, whose paths are no pages. */
export function isApiPath(pathname: string): boolean {
  const path = normalizePath(pathname);
  return (
    apiPaths.includes(path) || apiPrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
  );
}

/** Whether an address can be a page. The server responds to navigations to all others with the not-found page. */
export function isPagePath(path: string): boolean {
  return isRoutable(path) && !isApiPath(path);
}
