import * as build from "virtual:remix/server-build";
import { createRequestHandler } from "@remix-run/cloudflare";
import { createDb } from "./db/client.server.ts";
import { bearsCredentials, type CachedAddress, cachedAddresses } from "./platform/cached-routes.server.ts";
import { callTable, type Found, type FoundCall, type Knock, methodsOf } from "./platform/calls.server.ts";
import { cookieJar } from "./platform/cookies.server.ts";
import { crossOriginHeaders, listedOrigin, optionsAnswer } from "./platform/cors.server.ts";
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
import { pageParts, routeNames } from "./platform/route-names.server.ts";
import {
  believable,
  isSafe,
  pageMethods,
  plain,
  type Refuse,
  readBody,
  refuse,
} from "./platform/security.server.ts";
import { beginVisit, endVisit, type Visit } from "./platform/visit.server.ts";
import { cachedRoutes, quietPaths } from "./routes/cached.server.ts";
import { atEachTick } from "./routes/clock.server.ts";

const handleByRemix = createRequestHandler(build);
const pages: Door = {
  answer: ({ request, body, context }) => handleByRemix(believable(request, body), context),
  say: plain,
};
const calls = callTable(build.routes);
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

/** Who answers, and how they say no to what is too large for them. */
interface Door {
  answer(knock: Knock): Promise<Response>;
  say: Refuse;
}

/** What comes with a request, whichever door it knocks at. */
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
    if (at && environment.EDGE_CACHE_SECONDS > 0) return await answerByCache(request, at, arrival);
    return await answerByDoor(request, arrival);
  } catch (fault) {
    logFault(fault, reference);
    const { url, method, headers } = request;
    const say = calls.find(new Request(url, { method, headers })).door === "call" ? sayProblem : plain;
    return say(500, `Something went wrong on our side. Reference: ${reference}`);
  }
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
    render: (nonce, { bookmark }) => {
      const asked = new Request(at.origin + at.address);
      return answerAt(doorOf(calls.find(asked)), asked, arrival, { nonce, since: bookmark });
    },
    waitUntil: arrival.waitUntil,
    onRefresh: (ms) => logRefresh({ reference: visit.marks.reference, route: at.route.path, ms }),
    onFault: (fault) => logFault(fault, visit.marks.reference),
  });
  visit.cache = state;
  if (nonce) visit.marks.nonce = nonce;
  return at.route.door === "call" ? withCrossOriginHeaders(answer, request, environment) : answer;
}

async function answerByDoor(request: Request, arrival: Arrival): Promise<Response> {
  const found = calls.find(request);
  const answering = found.door === "call" ? answerCall(found, arrival) : answerPage(found.request, arrival);
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

async function answerPage(request: Request, arrival: Arrival): Promise<Response> {
  const refusal = refuse(request, { methods: pageMethods, trusted: false, say: plain });
  return refusal ?? answerAt(pages, request, arrival);
}

function doorOf(found: Found): Door {
  return found.door === "page" ? pages : { answer: found.answer, say: sayProblem };
}

async function answerCall(found: FoundCall, arrival: Arrival): Promise<Response> {
  const { environment } = arrival;
  const { request, calls } = found;
  const methods = methodsOf(calls);
  const trusted = listedOrigin(request, environment) !== null;
  const answer =
    refuse(request, { methods, trusted, say: sayProblem }) ??
    (request.method === "OPTIONS"
      ? optionsAnswer(request, methods, environment)
      : await answerAt(doorOf(found), request, arrival));
  return withCrossOriginHeaders(answer, request, environment);
}

function withCrossOriginHeaders(answer: Response, request: Request, environment: Environment): Response {
  for (const [name, value] of crossOriginHeaders(request, environment)) answer.headers.append(name, value);
  return answer;
}

async function answerAt(
  { answer, say }: Door,
  request: Request,
  { environment, visit, waitUntil }: Arrival,
  { nonce = visit.marks.nonce, since }: { nonce?: string; since?: string } = {},
): Promise<Response> {
  const body = takesFiles(request) ? null : await readBody(request, say);
  if (body instanceof Response) return body;
  const bookmarks = cookieJar(environment.SESSION_SECRET).bookmark;
  const reads = since ? { since } : await readingOf(request, bookmarks);
  const context = createRequestContext(environment, calls.paths, { ...visit.marks, nonce }, waitUntil, reads);
  visit.traffic = context.traffic;
  const startedAt = Date.now();
  const answered = withRetryAfter(await answer({ request, body, context }));
  visit.rendered = Date.now() - startedAt;
  return withBookmark(answered, request, context.traffic.bookmark, bookmarks);
}

const sayProblem: Refuse = (status, detail, headers) => problem(status, detail, { headers });
