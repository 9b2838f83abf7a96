import type { ServerBuild } from "@remix-run/cloudflare";
import type { CacheStatus } from "../cache/edge-cache.server.ts";
import { logRequest } from "./log.server.ts";

export interface RequestTrace {
  reference: string;
  /** Milliseconds. In production the clock only advances during I/O. */
  startedAt: number;
  cache: CacheStatus;
  /** Time spent in Remix, in milliseconds. */
  renderMs?: number;
}

export function startTrace(): RequestTrace {
  return { reference: crypto.randomUUID(), startedAt: Date.now(), cache: "bypass" };
}

const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"];

/** The method of a request, or "other": any other one is text from the client. */
export const loggedMethod = ({ method }: Request) => (methods.includes(method) ? method : "other");

/**
 * Logs a request and adds its `Server-Timing` header, but not to posts: the duration of a login must stay secret.
 * @see https://www.w3.org/TR/server-timing/
 */
export function finishTrace(
  trace: RequestTrace,
  request: Request,
  path: string,
  response: Response,
): Response {
  const { method, signal } = request;
  const { reference, startedAt, cache, renderMs } = trace;
  if (method === "GET" || method === "HEAD") {
    const timing = [`cache;desc=${cache}`];
    if (renderMs !== undefined) timing.push(`render;dur=${renderMs}`);
    response.headers.set("Server-Timing", timing.join(", "));
  }
  logRequest({
    reference,
    method: loggedMethod(request),
    path,
    // 499: the client is gone, which ends loaders under `npm run dev`.
    status: signal.aborted ? 499 : response.status,
    cache,
    ms: Date.now() - startedAt,
    renderMs,
  });
  return response;
}

/** Masks path segments that are not in the route table, as they may be personal data: `/products/:id/book`. */
export function pathMasker(routes: ServerBuild["routes"]) {
  const segments = Object.values(routes).flatMap(({ path = "" }) => path.split("/"));
  const known = new Set(segments.filter((segment) => !/^[:*]/.test(segment)));
  return ({ url }: Request): string =>
    new URL(url).pathname
      .split("/", 8)
      .map((segment) => (known.has(segment) ? segment : ":id"))
      .join("/");
}
