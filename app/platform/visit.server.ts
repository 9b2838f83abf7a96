import type { DatabaseStats } from "#app/db/database-stats.ts";
import type { CacheState } from "./edge-cache.server.ts";
import { logRequest } from "./log.server.ts";
import type { RequestMarks } from "./request-context.server.ts";

/** One request on its way through the Worker: what its answer and the log tell of it. */
export interface Visit {
  marks: RequestMarks;
  /** Milliseconds; in production the clock moves on only while something is waited for. */
  startedAt: number;
  cache: CacheState;
  /** Of rendering, in milliseconds; absent when nothing was rendered. */
  rendered?: number;
  traffic?: DatabaseStats;
}

export function beginVisit(): Visit {
  const marks = { nonce: crypto.randomUUID().replaceAll("-", ""), reference: crypto.randomUUID() };
  return { marks, startedAt: Date.now(), cache: "pass" };
}

/** Methods as the log names them; any other is somebody's own word. */
const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"];

/**
 * Tells of a visit in the log, and to its visitor in `Server-Timing`. Posts are not told their times: how long a
 * login takes is nobody's business.
 *
 * @param answer changed in place
 * @see https://www.w3.org/TR/server-timing/
 */
export function endVisit(visit: Visit, { method }: Request, route: string, answer: Response): Response {
  const { cache, rendered, traffic, marks, startedAt } = visit;
  if (method === "GET" || method === "HEAD") {
    const told = [`cache;desc=${cache}`];
    if (traffic) told.push(`db;dur=${Math.round(traffic.milliseconds)}`);
    if (rendered !== undefined) told.push(`render;dur=${rendered}`);
    answer.headers.set("Server-Timing", told.join(", "));
  }
  logRequest({
    reference: marks.reference,
    method: methods.includes(method) ? method : "other",
    route,
    status: answer.status,
    cache,
    ms: Date.now() - startedAt,
    renderMs: rendered,
    dbMs: traffic && Math.round(traffic.milliseconds),
    dbRoundTrips: traffic?.roundTrips,
  });
  return answer;
}
