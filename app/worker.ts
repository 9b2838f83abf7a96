import * as build from "virtual:remix/server-build";
import { createRequestHandler } from "@remix-run/cloudflare";
import { createDb } from "./db/client.server.ts";
import { apiPathsOf } from "./platform/api-operations.server.ts";
import { isApiRequest, toResourceRoute } from "./platform/api-request.server.ts";
import { bearsCredentials, type CachedAddress, cachedAddresses } from "./platform/cached-routes.server.ts";
import { cookieJar } from "./platform/cookies.server.ts";
import { isListedOrigin, withCorsHeaders } from "./platform/cors.server.ts";
import { edgeCache } from "./platform/edge-cache.server.ts";
import { type Environment, environmentOf, formTargets } from "./platform/environment.server.ts";
import { filesTaken } from "./platform/files.server.ts";
import { secured } from "./platform/headers.server.ts";
import { logFault, logRefresh } from "./platform/log.server.ts";
import { withRetryAfter } from "./platform/outage.server.ts";
import { problem } from "./platform/problem.server.ts";
import { homeOrigin } from "./platform/public-address.server.ts";
import { readingOf, withBookmark } from "./platform/reading.server.ts";
import { createRequestContext, picturesOf } from "./platform/request-context.server.ts";
import { isReadable, pageParts, routeNames } from "./platform/route-names.server.ts";
import {
  believable,
  type ErrorFormat,
  isForeign,
  isSafe,
  pageMethods,
  plain,
  readBody,
} from "./platform/security.server.ts";
import { beginVisit, endVisit, type Visit } from "./platform/visit.server.ts";
import { cachedRoutes, quietPaths } from "./routes/cached.server.ts";
import { atEachTick } from "./routes/clock.server.ts";

const handleByRemix = createRequestHandler(build);
const apiPaths = apiPathsOf(build.routes);
const nameOf = routeNames(build.routes);
const cachedAddress = cachedAddresses(cachedRoutes, pageParts(build.routes));
const cache = edgeCache();
const takesFiles = filesTaken(build.routes);

export default {
  async fetch(request, rawEnvironment, execution) {
    const visit = beginVisit();
    const at = cachedAddress(request);
    const answer = await answerOrApologize(request, rawEnvironment, execution, visit, at);
    const complete = secured(answer, visit.marks.nonce, formTargets(rawEnvironment));
    return endVisit(visit, request, at?.route.path ?? nameOf(request), complete);
  },

  /** At the times that `wrangler.toml` says. */
  async scheduled(_event, rawEnvironment) {
    const reference = crypto.randomUUID();
    try {
      const environment = environmentOf(rawEnvironment);
      await atEachTick(createDb(environment), picturesOf(environment));
    } catch (fault) {
      logFault(fault, reference);
    }
  },
} satisfies ExportedHandler<Record<string, unknown>>;

/** What comes with each request. */
interface Arrival {
  environment: Environment;
  visit: Visit;
  waitUntil(work: Promise<unknown>): void;
}

async function answerOrApologize(
  request: Request,
  rawEnvironment: Record<string, unknown>,
  execution: Pick<ExecutionContext, "waitUntil">,
  visit: Visit,
  at: CachedAddress | null,
): Promise<Response> {
  const { reference } = visit.marks;
  try {
    const environment = environmentOf(rawEnvironment);
    const arrival = { environment, visit, waitUntil: (work: Promise<unknown>) => execution.waitUntil(work) };
    const isCached = at !== null && environment.EDGE_CACHE_SECONDS > 0;
    const answer =
      refuse(request, environment) ??
      (isCached ? await answerByCache(request, at, arrival) : await answerAndDropCached(request, arrival));
    return isApiRequest(request) ? withCorsHeaders(answer, request, environment) : answer;
  } catch (fault) {
    logFault(fault, reference);
    return errorFormatOf(request)(500, `Something went wrong on our side. Reference: ${reference}`);
  }
}

/** Refuses methods that no page has, and writes from other sites. The API's routes know their own methods. */
function refuse(request: Request, environment: Environment): Response | null {
  const isApi = isApiRequest(request);
  const error = errorFormatOf(request);
  if (isApi && !isReadable(new URL(request.url))) return error(400, "The path is not UTF-8.");
  if (!isApi && !pageMethods.includes(request.method)) {
    return error(405, "Method not allowed.", { Allow: pageMethods.join(", ") });
  }
  const isTrusted = isSafe(request.method) || !isForeign(request);
  if (isTrusted || (isApi && isListedOrigin(request, environment))) return null;
  return error(403, "This request came from another site.");
}

/** Errors are problem details in the API and plain text elsewhere. */
function errorFormatOf(request: Request): ErrorFormat {
  return isApiRequest(request) ? (status, detail, headers) => problem(status, detail, { headers }) : plain;
}

async function answerByCache(request: Request, at: CachedAddress, arrival: Arrival): Promise<Response> {
  const { environment, visit } = arrival;
  const { answer, state, nonce } = await cache.answer({
    request,
    nonce: visit.marks.nonce,
    at,
    build: `${build.assets.version}.${environment.VERSION?.id ?? ""}`,
    home: homeOrigin(environment, at.origin),
    freshSeconds: environment.EDGE_CACHE_SECONDS,
    // Nothing of the asking request goes into what others will be shown.
    render: (nonce, { bookmark }) =>
      answerByRemix(new Request(at.origin + at.address), arrival, { nonce, since: bookmark }),
    waitUntil: arrival.waitUntil,
    onRefresh: (ms) => logRefresh({ reference: visit.marks.reference, route: at.route.path, ms }),
    onFault: (fault) => logFault(fault, visit.marks.reference),
  });
  visit.cache = state;
  if (nonce) visit.marks.nonce = nonce;
  return answer;
}

async function answerAndDropCached(request: Request, arrival: Arrival): Promise<Response> {
  const answering = answerByRemix(request, arrival);
  if (isSafe(request.method)) return answering;
  // What failed on our side may have changed something all the same.
  const { status } = await answering.catch(() => ({ status: 500 }));
  const mayHaveChanged = bearsCredentials(request) && (arrival.visit.traffic?.changes ?? 1) > 0;
  if (mayHaveChanged && (status < 400 || status >= 500)) await dropCached(request, arrival);
  return answering;
}

/** Before a writer is answered, nobody is shown any more what was made before the write. */
async function dropCached(request: Request, { environment, visit }: Arrival): Promise<void> {
  const { origin, pathname } = new URL(request.url);
  const path = pathname.replace(/\.data$/, "");
  if (environment.EDGE_CACHE_SECONDS === 0 || quietPaths.includes(path)) return;
  try {
    await cache.drop(homeOrigin(environment, origin), visit.traffic?.bookmark);
  } catch (fault) {
    logFault(fault, visit.marks.reference);
  }
}

async function answerByRemix(
  request: Request,
  { environment, visit, waitUntil }: Arrival,
  { nonce = visit.marks.nonce, since }: { nonce?: string; since?: string } = {},
): Promise<Response> {
  const routed = toRoute(request);
  const body = takesFiles(routed) ? null : await readBody(routed, errorFormatOf(request));
  if (body instanceof Response) return body;
  const bookmarks = cookieJar(environment.SESSION_SECRET).bookmark;
  const reads = since ? { since } : await readingOf(request, bookmarks);
  const context = createRequestContext(environment, apiPaths, { ...visit.marks, nonce }, waitUntil, reads);
  visit.traffic = context.traffic;
  const startedAt = Date.now();
  const answered = withRetryAfter(await handleByRemix(believable(routed, body), context));
  visit.rendered = Date.now() - startedAt;
  return withBookmark(answered, request, context.traffic.bookmark, bookmarks);
}

/** The request as Remix is to route it. */
function toRoute(request: Request): Request {
  const url = new URL(request.url);
  if (!isReadable(url)) return new Request(new URL("/not-found", url), request);
  return isApiRequest(request) ? toResourceRoute(request) : request;
}
