import { isSafe } from "../http/security.server.ts";
import { reportRoute } from "./api-operations.server.ts";

/** Everything at and below these paths belongs to the API. */
const prefixes = [
  "/phoneinfocollection",
  "/allphoneinfo",
  "/phones/delete",
  "/bookings",
  "/users",
  "/seller",
  "/jwt",
];

/** These belong to the API too, but not what is below: `/sellers/:sellerId` is a page. */
const singlePaths = ["/sellers", "/openapi.json", reportRoute];

/** Methods that Remix's router hands to routes. It refuses any other by itself, without an `Allow` header. */
const routedMethods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

/** Whether a request is for the REST API, and not for a page or a file. */
export function isApiRequest(request: Request): boolean {
  const path = normalizedPath(request);
  return (
    singlePaths.includes(path) ||
    prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)) ||
    (path === "/report" && !wantsPage(request))
  );
}

/** An API request as its resource route takes it. */
export function toResourceRoute(request: Request): Request {
  const isReport = normalizedPath(request) === "/report";
  const isRouted = routedMethods.includes(request.method);
  if (!isReport && isRouted) return request;
  const { headers, signal } = request;
  const url = new URL(request.url);
  if (isReport) url.pathname = reportRoute;
  // No route has PATCH, so the route answers 405 and says what it allows.
  const method = isRouted ? request.method : "PATCH";
  const body = isSafe(method) ? null : request.body;
  return new Request(url, { method, headers, signal, body, duplex: "half" } as RequestInit);
}

/** Routes match in any letter case, and with slashes at the end. */
function normalizedPath({ url }: Request): string {
  return new URL(url).pathname.toLowerCase().replace(/\/+$/, "");
}

/** `/report` is a page and part of the API. A request for the page accepts HTML, posts a form or comes from Remix. */
function wantsPage({ method, headers, url }: Request): boolean {
  if (new URL(url).searchParams.has("_data")) return true;
  if (method === "GET" || method === "HEAD") return /\btext\/html\b/i.test(headers.get("Accept") ?? "");
  const type = headers.get("Content-Type") ?? "";
  return method === "POST" && /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type);
}
