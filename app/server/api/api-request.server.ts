import { acceptsHtml, isMultipart, isUrlEncoded } from "../http/content-type.server.ts";
import { normalizePath } from "../http/paths.ts";
import { isSafe } from "../http/security.server.ts";
import { reportRoute } from "./api-operations.server.ts";
import { apiPrefixes } from "./api-paths.ts";

const prefixes = apiPrefixes.map((path) => `/${path.toLowerCase()}`);

/** The API owns these paths, but not what is below: `/sellers/:sellerId` is a page. */
const singlePaths = ["/sellers", reportRoute];

const openApiPath = "/openapi.json";

/** Methods that Remix passes to routes. It refuses all others itself, without an `Allow` header. */
const routedMethods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

/** Whether a path belongs to the API, whose paths are no pages. */
export function isApiPath(pathname: string): boolean {
  const path = normalizePath(pathname);
  return (
    singlePaths.includes(path) || prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
  );
}

/** Whether a request is for the REST API rather than for a page or a file. */
export function isApiRequest(request: Request): boolean {
  const { pathname } = new URL(request.url);
  const path = normalizePath(pathname);
  if (path === "/report") return !wantsPage(request);
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
  const isReport = normalizePath(new URL(request.url).pathname) === "/report";
  const isRouted = routedMethods.includes(request.method);
  if (!isReport && isRouted) return request;
  const { headers, signal } = request;
  const url = new URL(request.url);
  if (isReport) url.pathname = reportRoute;
  // No route supports PATCH, so the route responds with 405 and an `Allow` header.
  const method = isRouted ? request.method : "PATCH";
  const body = isSafe(method) ? null : request.body;
  return new Request(url, { method, headers, signal, body, duplex: "half" } as RequestInit);
}

/** `/report` is both a page and an API path. Page requests accept HTML, post a form or come from Remix. */
function wantsPage(request: Request): boolean {
  if (new URL(request.url).searchParams.has("_data")) return true;
  if (request.method === "GET" || request.method === "HEAD") return acceptsHtml(request);
  return request.method === "POST" && (isUrlEncoded(request) || isMultipart(request));
}
