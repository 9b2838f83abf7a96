import { acceptsHtml, isMultipart, isUrlEncoded } from "../http/content-type.server.ts";
import { normalizePath } from "../http/paths.ts";
import { isSafe, pageMethods } from "../http/security.server.ts";
import { apiPrefixes, apiRoot, pagesOfApi } from "./api-paths.ts";

const prefixes = apiPrefixes.map((path) => `/${path.toLowerCase()}`);

/** The API owns this path, but not what is below: `/sellers/:sellerId` is a page. */
const sellersPath = "/sellers";

const openApiPath = "/openapi.json";

/** Methods that Remix passes to routes. It refuses all others itself, without an `Allow` header. */
const routedMethods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

/** Whether a path belongs to the API, whose paths are no pages. */
export function isApiPath(pathname: string): boolean {
  const path = normalizePath(pathname);
  return path === sellersPath || prefixes.some((prefix) => isAtOrBelow(path, prefix));
}

/** Whether a path is one of the route table only, where the routes of the API have a prefix. */
export function isInternalPath(pathname: string): boolean {
  return isAtOrBelow(normalizePath(pathname), apiRoot);
}

function isAtOrBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** Whether a request is for the REST API rather than for a page or a file. */
export function isApiRequest(request: Request): boolean {
  const { pathname } = new URL(request.url);
  const path = normalizePath(pathname);
  if (path === "/report") return !wantsPage(request);
  if (pagesOfApi.some((page) => page.test(path)) && !pageMethods.includes(request.method)) return true;
  return path === openApiPath || (isApiPath(path) && !isNavigation(request));
}

/** Tells caches which request headers choose between page and record, changing the response in place. */
export function withApiVary({ headers }: Response, request: Request): void {
  const { pathname } = new URL(request.url);
  if (isApiPath(pathname)) headers.append("Vary", "Accept, Sec-Fetch-Mode");
  else if (normalizePath(pathname) === "/report") headers.append("Vary", "Accept");
}

/** Whether a browser opens the address as a page; a script's request has another mode. */
function isNavigation(request: Request): boolean {
  const isRead = request.method === "GET" || request.method === "HEAD";
  return isRead && acceptsHtml(request) && request.headers.get("Sec-Fetch-Mode") === "navigate";
}

/** Rewrites an API request so that Remix finds its resource route. */
export function toResourceRoute(request: Request): Request {
  const { headers, signal } = request;
  const url = new URL(request.url);
  url.pathname = apiRoot + url.pathname;
  // No route supports PATCH, so the route responds with 405 and an `Allow` header.
  const method = routedMethods.includes(request.method) ? request.method : "PATCH";
  const body = isSafe(method) ? null : request.body;
  return new Request(url, { method, headers, signal, body, duplex: "half" } as RequestInit);
}

/** `/report` is both a page and an API path. Page requests accept HTML, post a form or come from Remix. */
function wantsPage(request: Request): boolean {
  if (new URL(request.url).searchParams.has("_data")) return true;
  if (request.method === "GET" || request.method === "HEAD") return acceptsHtml(request);
  return request.method === "POST" && (isUrlEncoded(request) || isMultipart(request));
}
