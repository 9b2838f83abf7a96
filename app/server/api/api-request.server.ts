import { acceptsHtml, isMultipart, isUrlEncoded } from "../http/content-type.server.ts";
import { normalizePath } from "../http/normalize-path.ts";
import { isSafe } from "../http/security.server.ts";
import { reportRoute } from "./api-operations.server.ts";

/** The API owns these paths and all below. */
const prefixes = [
  "/phoneinfocollection",
  "/allphoneinfo",
  "/phones/delete",
  "/bookings",
  "/users",
  "/seller",
  "/jwt",
];

/** The API owns these paths, but not what is below: `/sellers/:sellerId` is a page. */
const singlePaths = ["/sellers", "/openapi.json", reportRoute];

/** Methods that Remix passes to routes. It refuses all others itself, without an `Allow` header. */
const routedMethods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

/** Whether a request is for the REST API rather than for a page or a file. */
export function isApiRequest(request: Request): boolean {
  const path = normalizePath(new URL(request.url).pathname);
  return (
    singlePaths.includes(path) ||
    prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)) ||
    (path === "/report" && !wantsPage(request))
  );
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
