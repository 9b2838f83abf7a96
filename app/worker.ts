import * as build from "virtual:remix/server-build";
import { createRequestHandler } from "@remix-run/cloudflare";
import { matchRoutes } from "@remix-run/react";
import { createDb } from "./db/client.server.ts";
import type { Failure } from "./jobs/failed-requests.server.ts";
import type { ImportMessage } from "./jobs/imports.server.ts";
import { allowedMethods, apiPathsOf, bodyLimits } from "./server/api/api-operations.server.ts";
import { apiRouting, fullPath, isInternalPath, toResourceRoute } from "./server/api/api-request.server.ts";
import { problemDetails } from "./server/api/problem-details.server.ts";
import {
  type CacheAudience,
  type CacheableRequest,
  cachedPages,
} from "./server/cache/cacheable-request.server.ts";
import { edgeCache } from "./server/cache/edge-cache.server.ts";
import { randomToken } from "./server/config/crypto.server.ts";
import { type Environment, environmentOf, formTargets } from "./server/config/environment.server.ts";
import { reportMissing } from "./server/config/system-checks.server.ts";
import { cookieJar } from "./server/http/cookies.server.ts";
import { withRetryAfter } from "./server/http/outage.server.ts";
import { type PageRoute, pageRoutes } from "./server/http/page-routes.server.ts";
import { isRoutable, notFoundPath } from "./server/http/paths.ts";
import { isUrlEncoded, publicOrigin } from "./server/http/request.server.ts";
import {
  createRequestContext,
  mayHaveWritten,
  photoStorageOf,
  readPreference,
} from "./server/http/request-context.server.ts";
import { plainText } from "./server/http/responses.server.ts";
import {
  discardUnread,
  type ErrorFormat,
  isCrossOrigin,
  isListedOrigin,
  isSafeMethod,
  pageMethods,
  readBody,
  stripForwardedHost,
  withCorsHeaders,
  withSecurityHeaders,
} from "./server/http/security.server.ts";
import { logError } from "./server/logging/log.server.ts";
import {
  finishTrace,
  pathMasker,
  type RequestTrace,
  startTrace,
} from "./server/logging/request-trace.server.ts";
import type { EmailQueueMessage } from "./server/mail/due-email.ts";

/**
 * Remix compares a path with the pattern of each route, three times a request. So the API and the dashboard, which have
 * most of the routes, have handlers of their own.
 */
const handlers = {
  api: handlerOf(isInternalPath),
  dashboard: handlerOf(isDashboardPath),
  others: handlerOf((path) => !isInternalPath(path) && !isDashboardPath(path)),
};
const apiPaths = apiPathsOf(build.routes);
const maxBodyOf = bodyLimits(apiPaths);
const fileOperations = apiPaths.filter(({ operations }) => operations.POST?.fileTypes);
const { isApiRequest, withApiVary } = apiRouting(build.routes);
const pages = pageRoutes(build.routes);
const cacheable = cachedPages(pages.all);
const maskPath = pathMasker(build.routes);
const cache = edgeCache();

export default {
  async fetch(request, bindings, execution) {
    const trace = startTrace();
    const nonce = randomToken();
    const waitUntil = (work: Promise<unknown>) => execution.waitUntil(work);
    const response = await respondOrFail(request, bindings, { trace, nonce, waitUntil });
    await discardUnread(request);
    withSecurityHeaders(response, nonce, formTargets(bindings));
    const path = maskPath(request);
    // 503: the database has enough to do.
    if (response.status >= 500 && response.status !== 503)
      waitUntil(recordFailure(bindings, trace, request, path, response.status));
    return finishTrace(trace, request, path, response);
  },

  async scheduled(_event, bindings) {
    const reference = crypto.randomUUID();
    try {
      const environment = settingsOf(bindings, reference);
      const photoStorage = photoStorageOf(environment);
      const openDb = () => createDb(environment);
      // Loaded on demand, as the imports are: requests don't need it.
      const { runScheduledJobs } = await import("./jobs/scheduled.server.ts");
      await runScheduledJobs({ openDb, photoStorage, environment, reference });
    } catch (error) {
      logError(error, reference);
      // So that Cloudflare shows the run as failed.
      throw error;
    }
  },

  /** The queues of emails and of imports. */
  async queue(batch, bindings) {
    const reference = crypto.randomUUID();
    try {
      const environment = settingsOf(bindings, reference);
      const photoStorage = photoStorageOf(environment);
      const context = { db: await createDb(environment), environment, photoStorage, reference };
      const bodies = batch.messages.map(({ body }) => body);
      const { consumeEmails } = await loadEmails();
      await consumeEmails(
        context,
        bodies.flatMap((body) => ("importId" in body ? [] : [body])),
      );
      const imports = bodies.flatMap((body) => ("importId" in body ? [body] : []));
      if (imports.length > 0) {
        const { consumeImports } = await import("./jobs/imports.server.ts");
        await consumeImports(context, imports);
      }
    } catch (error) {
      logError(error, reference);
      batch.retryAll({ delaySeconds: 60 });
    }
  },
} satisfies ExportedHandler<Record<string, unknown>, EmailQueueMessage | ImportMessage>;

function handlerOf(isOwn: (path: string) => boolean) {
  const ownOf = <Route>(routes: Record<string, Route>) =>
    Object.fromEntries(
      Object.entries(routes).filter(
        ([id]) => id === "root" || id === "not-found" || isOwn(fullPath(build.routes, id)),
      ),
    );
  const assets = { ...build.assets, routes: ownOf(build.assets.routes) };
  return createRequestHandler({ ...build, routes: ownOf(build.routes), assets });
}

/** As Remix matches paths: in any letter case. */
function isDashboardPath(path: string): boolean {
  return /^\/manage(\/|$)/i.test(path);
}

/** @throws SetupError if a setting is missing or invalid */
function settingsOf(bindings: Record<string, unknown>, reference: string): Environment {
  const environment = environmentOf(bindings);
  reportMissing(environment, reference);
  return environment;
}

/** Loaded on demand, as it is rare. */
async function recordFailure(bindings: Record<string, unknown>, ...failure: Failure): Promise<void> {
  const { recordFailedRequest } = await import("./jobs/failed-requests.server.ts");
  return recordFailedRequest(async () => createDb(environmentOf(bindings)), ...failure);
}

interface RequestScope {
  trace: RequestTrace;
  nonce: string;
  waitUntil(work: Promise<unknown>): void;
}

async function respondOrFail(
  request: Request,
  bindings: Record<string, unknown>,
  scope: RequestScope,
): Promise<Response> {
  const { reference } = scope.trace;
  const isApi = isApiRequest(request);
  const respondToError = (error: unknown) => {
    logError(error, reference);
    return errorFormat(isApi)(500, `Something went wrong on our side. Reference: ${reference}`);
  };
  try {
    const environment = settingsOf(bindings, reference);
    const response =
      rejectRequest(request, isApi, environment) ??
      (await respond(request, isApi, environment, scope).catch(respondToError));
    withApiVary(response, request);
    allowBothMethods(response, request);
    return isApi ? withCorsHeaders(response, request, environment) : response;
  } catch (error) {
    return respondToError(error);
  }
}

async function respond(
  request: Request,
  isApi: boolean,
  environment: Environment,
  scope: RequestScope,
): Promise<Response> {
  const cached = isApi ? null : await respondFromCache(request, environment, scope);
  return cached ?? respondByRemix(request, isApi, environment, scope);
}

/** Loaded on demand: most requests change nothing that anybody is notified of. */
const loadEmails = () => import("./jobs/emails.server.ts");

/** Of the addresses that pages and forms make, the longest has some 4,000 characters. */
const maxUrlLength = 16_384;

/** Rejects too long addresses, unsupported methods, and writes from other sites. API routes check their methods themselves. */
function rejectRequest(request: Request, isApi: boolean, environment: Environment): Response | null {
  const error = errorFormat(isApi);
  if (request.url.length > maxUrlLength) return error(414, "The address is too long.");
  if (isApi && !isRoutable(new URL(request.url).pathname)) return error(400, "The path is not UTF-8.");
  if (!isApi && !["GET", "HEAD"].includes(request.method)) {
    const methods = methodsOf(pages.at(new URL(toRoute(request, isApi).url).pathname));
    if (!methods.includes(request.method)) {
      return error(405, "Method not allowed.", { Allow: methods.join(", ") });
    }
  }
  const isTrusted = isSafeMethod(request.method) || !isCrossOrigin(request);
  if (isTrusted || (isApi && isListedOrigin(request, environment))) return null;
  return error(403, "This request came from another site.");
}

function methodsOf(page: PageRoute | undefined): string[] {
  return pageMethods.filter((method) => method !== "POST" || page?.takesForms);
}

/** Adds the methods of the page to those of the API, or the other way round, where both have the path. */
function allowBothMethods({ headers }: Response, request: Request): void {
  const allowed = headers.get("Allow");
  const { pathname } = new URL(request.url);
  const [ofApi] = (allowed && matchRoutes(apiPaths, pathname)) || [];
  const page = ofApi && pages.at(pathname);
  if (!page || page.path.endsWith("*")) return;
  const ofBoth = [...allowedMethods(ofApi.route.operations), ...methodsOf(page)];
  headers.set("Allow", [...new Set(ofBoth)].sort().join(", "));
}

function errorFormat(isApi: boolean): ErrorFormat {
  return isApi ? (status, detail, headers) => problemDetails(status, detail, { headers }) : plainText;
}

/** @returns null if the page is not cached, or not for this user */
async function respondFromCache(
  request: Request,
  environment: Environment,
  scope: RequestScope,
): Promise<Response | null> {
  if (environment.EDGE_CACHE_SECONDS === 0) return null;
  const page = await cacheable(request, cookieJar(environment.SESSION_SECRET));
  if (!page) return null;
  const { origin } = new URL(request.url);
  // A copy, since a page may be rendered after the response is sent.
  const rendering = { ...scope, trace: { ...scope.trace } };
  const { response, status } = await cache.respond({
    request,
    key: cacheKey(page, origin, environment),
    audience: page.audience,
    nonce: scope.nonce,
    freshSeconds: environment.EDGE_CACHE_SECONDS,
    // A new request, so that no personal data gets into a cached page.
    render: () =>
      respondByRemix(new Request(origin + page.address), false, environment, rendering, page.audience),
    waitUntil: scope.waitUntil,
    onError: (error) => logError(error, scope.trace.reference),
  });
  if (status === "miss" || status === "stale") Object.assign(scope.trace, rendering.trace);
  scope.trace.cache = status;
  return response;
}

function cacheKey({ address, audience }: CacheableRequest, origin: string, { VERSION }: Environment): string {
  const version = `${build.assets.version}.${VERSION?.id ?? ""}`;
  return `${origin}/.edge/${version}/${audience}${address}`;
}

async function respondByRemix(
  request: Request,
  isApi: boolean,
  environment: Environment,
  { trace, nonce, waitUntil }: RequestScope,
  audience: CacheAudience | null = null,
): Promise<Response> {
  const routed = toRoute(request, isApi);
  const body = isUpload(request, isApi)
    ? routed.body
    : await readBody(routed, errorFormat(isApi), isApi ? maxBodyOf(request) : undefined);
  if (body instanceof Response) return body;
  const { bookmark } = cookieJar(environment.SESSION_SECRET);
  const context = await createRequestContext(environment, {
    apiPaths,
    pages,
    audience,
    nonce,
    reference: trace.reference,
    reads: await readPreference(request, bookmark),
    waitUntil,
  });
  const startedAt = Date.now();
  const isDashboard = isDashboardPath(decodeURIComponent(new URL(routed.url).pathname));
  const handle = handlers[isApi ? "api" : isDashboard ? "dashboard" : "others"];
  const response = withRetryAfter(await handle(stripForwardedHost(routed, body), context));
  trace.renderMs = Date.now() - startedAt;
  if (mayHaveWritten(request, response)) {
    // It may have notified someone.
    context.inBackground(async () =>
      (await loadEmails()).sendDueEmails(context, publicOrigin(context, request)),
    );
    if (environment.STRIPE_SECRET_KEY)
      context.inBackground(async () => (await import("./jobs/payments.server.ts")).sendDueTasks(context));
    // So that the browser bypasses the edge cache and reads its own writes.
    const written = context.bookmark();
    if (written) response.headers.append("Set-Cookie", await bookmark.serialize(written));
  }
  return response;
}

/** Whether a request uploads files, so that the size limit of forms does not apply. */
function isUpload(request: Request, isApi: boolean): boolean {
  if (request.method !== "POST") return false;
  const { pathname } = new URL(request.url);
  if (isApi) return matchRoutes(fileOperations, pathname) !== null;
  // What pages post without files has the limit of forms.
  return !isUrlEncoded(request) && pages.at(pathname)?.handle.uploads !== undefined;
}

function toRoute(request: Request, isApi: boolean): Request {
  if (isApi) return toResourceRoute(request);
  const { pathname } = new URL(request.url);
  const isPage = isRoutable(pathname) && !isInternalPath(pathname);
  return isPage ? request : new Request(new URL(notFoundPath, request.url), request);
}
