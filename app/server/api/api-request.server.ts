import type { ServerBuild } from "@remix-run/cloudflare";
import { apiRoot, normalizePath } from "../http/paths.ts";
import { acceptsHtml, isMultipart, isUrlEncoded } from "../http/request.server.ts";
import { isSafeMethod, pageMethods } from "../http/security.server.ts";
import { publicPath } from "./api-operations.server.ts";

/** Methods that Remix passes to routes. It refuses all others itself, without an `Allow` header. */
const routedMethods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

/** Whether a path is one of the route table only, where the routes of the API have a prefix. */
export function isInternalPath(pathname: string): boolean {
  const path = normalizePath(pathname);
  return path === apiRoot || path.startsWith(`${apiRoot}/`);
}

type Routes = Record<string, Pick<ServerBuild["routes"][string], "path" | "parentId"> | undefined>;

/**
 * Tells requests of the API from those of pages, by the route table. A first segment that no page has is the API's with
 * all that is below. Where the API has the path of a page, it has the methods that pages don't.
 */
export function apiRouting(routes: Routes) {
  const paths = Object.keys(routes).map((id) => fullPath(routes, id));
  const pages = paths.filter((path) => !isInternalPath(path));
  const pageSegments = new Set(pages.map(firstSegment));
  const pagePatterns = new Set(pages.map(patternOf));
  const api = paths.filter((path) => isInternalPath(path) && !path.endsWith("*")).map(publicPath);
  const segments = new Set(api.map(firstSegment).filter((segment) => !pageSegments.has(segment)));
  const isOfBothToRead = matcher(pathsToRead);
  const besidePages = api.filter((path) => pageSegments.has(firstSegment(path))).map(patternOf);
  const isOfBoth = matcher(besidePages.filter((pattern) => pagePatterns.has(pattern)));
  const isOfApi = matcher(besidePages.filter((pattern) => !pagePatterns.has(pattern)));

  /** Whether a path belongs to the API alone. */
  function isApiPath(path: string): boolean {
    return segments.has(firstSegment(path)) || isOfApi(path);
  }

  return {
    /** Whether a request is for the REST API rather than for a page or a file. */
    isApiRequest(request: Request): boolean {
      const path = normalizePath(new URL(request.url).pathname);
      if (isOfBothToRead(path)) return !wantsPage(request);
      if (isOfBoth(path)) return !pageMethods.includes(request.method);
      return isApiPath(path) && (path === openApiPath || !isNavigation(request));
    },

    /** Tells caches which request headers choose between page and record, changing the response in place. */
    withApiVary({ headers }: Response, request: Request): void {
      const path = normalizePath(new URL(request.url).pathname);
      if (isOfBothToRead(path)) headers.append("Vary", "Accept");
      else if (isApiPath(path) && path !== openApiPath) headers.append("Vary", "Accept, Sec-Fetch-Mode");
    },
  };
}

/** Both a page and an API path, with `GET` for both. */
const pathsToRead = ["/report", "/models/:/prices"];

/** Browsers show it. */
const openApiPath = "/openapi.json";

/** The path of a route with those of its parents, as the route table has it. */
export function fullPath(routes: Routes, id: string): string {
  const { path = "", parentId } = routes[id] ?? {};
  return normalizePath(`${parentId ? fullPath(routes, parentId) : ""}/${path}`.replaceAll(/\/+/g, "/"));
}

function firstSegment(path: string): string {
  return path.split("/")[1] ?? "";
}

/** Pages and the API name their parameters differently. */
function patternOf(path: string): string {
  return path.replaceAll(/:\w+/g, ":");
}

/** Whether a path has exactly one of the patterns. */
function matcher(patterns: string[]): (path: string) => boolean {
  const expressions = patterns.map((pattern) => new RegExp(`^${pattern.replaceAll(":", "[^/]+")}$`));
  return (path) => expressions.some((expression) => expression.test(path));
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
  const body = isSafeMethod(method) ? null : request.body;
  return new Request(url, { method, headers, signal, body, duplex: "half" } as RequestInit);
}

/** Of `pathsToRead`, page requests accept HTML, post a form or come from Remix. */
function wantsPage(request: Request): boolean {
  if (new URL(request.url).searchParams.has("_data")) return true;
  if (request.method === "GET" || request.method === "HEAD") return acceptsHtml(request);
  return request.method === "POST" && (isUrlEncoded(request) || isMultipart(request));
}
