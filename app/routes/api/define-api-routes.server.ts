import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { matchPath } from "@remix-run/react";
import type { z } from "zod";
import {
  type ApiAccess,
  authenticateCaller,
  type Caller,
  requireAccess,
  requireScope,
} from "#app/auth/api-client.server.ts";
import { signedInOf, suspensionRefusal } from "#app/auth/guard.server.ts";
import { isOutage } from "#app/db/outage.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import {
  type ApiMethod,
  allowedMethods,
  type OperationDescription,
} from "#app/server/api/api-operations.server.ts";
import { withIdempotencyKey } from "#app/server/api/idempotency.server.ts";
import { parseJson, readJsonText, validateInput } from "#app/server/api/json-body.server.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import type { FormRefusal } from "#app/server/forms/forms.server.ts";
import { busyRetryAfter, busyText, HashingBusyError } from "#app/server/forms/hashing-busy-error.ts";
import { outageText } from "#app/server/forms/refused-form.ts";
import { retryAfter } from "#app/server/http/outage.server.ts";
import { apiRoot } from "#app/server/http/paths.ts";
import { clientAddress, rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { logError } from "#app/server/logging/log.server.ts";

type ViewerOf<Access> = Access extends "anyone" ? Viewer | null : Viewer;

interface OperationArgs<OperationViewer, Params, Query, Body> {
  request: Request;
  context: AppLoadContext;
  viewer: OperationViewer;
  /** Absent if the client is anonymous or has a personal access token. */
  sessionId: string | undefined;
  params: Params;
  query: Query;
  body: Body;
  /** Shared by all retries with one Idempotency-Key; null without. */
  requestId: string | null;
}

type BodyArgs = "context" | "viewer" | "params";

export interface Operation extends OperationDescription {
  access: ApiAccess;
  handle(args: OperationArgs<Viewer | null, unknown, unknown, unknown>): Promise<Response>;
  /** The schema of the body, where it depends on what the path names. */
  bodyFor?(args: Pick<OperationArgs<Viewer | null, unknown, unknown, unknown>, BodyArgs>): Promise<z.ZodType>;
  /** Whether the session cookie counts whatever bearer token is beside it, and no session's token alone. */
  byCookie?: boolean;
  /** Whether the request signs in. A retry is then authenticated as another client. */
  signsIn?(body: unknown): boolean;
}

type NoFields = z.ZodObject<Record<never, never>>;

/** Defines an operation. Its schemas type the handler's arguments. */
export function operation<
  Access extends ApiAccess,
  Params extends z.ZodObject = NoFields,
  Query extends z.ZodObject = NoFields,
  Body extends z.ZodObject = NoFields,
>(
  description: OperationDescription & {
    access: Access;
    params?: Params;
    query?: Query;
    body?: Body;
    bodyFor?(
      args: Pick<OperationArgs<ViewerOf<Access>, z.output<Params>, unknown, unknown>, BodyArgs>,
    ): Promise<z.ZodType<z.output<Body>>>;
    example?: z.input<Body>;
    handle(
      args: OperationArgs<ViewerOf<Access>, z.output<Params>, z.output<Query>, z.output<Body>>,
    ): Promise<Response>;
    byCookie?: boolean;
    signsIn?(body: z.output<Body>): boolean;
  },
): Operation {
  return description;
}

type Methods = Partial<Record<ApiMethod, Operation>>;

/**
 * Creates the loader and action of a resource's paths, which the route table has, too. The loader carries the operations
 * for the OpenAPI document.
 */
export function defineApiRoutes(paths: Record<string, Methods>) {
  const respond = (args: LoaderFunctionArgs) => {
    const { pathname } = new URL(args.request.url);
    const ofPath = Object.entries(paths).find(([pattern]) => matchPath(apiRoot + pattern, pathname));
    return respondWith(ofPath?.[1] ?? {}, args);
  };
  return { loader: Object.assign(respond, { paths }), action: respond };
}

async function respondWith(operations: Methods, args: LoaderFunctionArgs): Promise<Response> {
  const { request, context } = args;
  const allow = allowedMethods(operations).join(", ");
  if (request.method === "OPTIONS") {
    return new Response(null, { status: 204, headers: { Allow: allow, "Cache-Control": "no-store" } });
  }
  const method = request.method === "HEAD" ? "GET" : request.method;
  const operation = operations[method as ApiMethod];
  if (!operation) return problemDetails(405, "Method not allowed.", { headers: { Allow: allow } });
  try {
    const response = await authorizeAndHandle(operation, args);
    if (request.method !== "HEAD") return response;
    await response.body?.cancel();
    return new Response(null, response);
  } catch (error) {
    if (error instanceof Response) return error;
    if (error instanceof HashingBusyError) {
      return problemDetails(503, busyText, { headers: { "Retry-After": String(busyRetryAfter) } });
    }
    logError(error, context.reference);
    if (isOutage(error)) return problemDetails(503, outageText, { headers: retryAfter });
    return problemDetails(500, `Something went wrong on our side. Reference: ${context.reference}`);
  }
}

async function authorizeAndHandle(
  operation: Operation,
  { request, context, params }: LoaderFunctionArgs,
): Promise<Response> {
  const { mutation } = operation;
  const isRead = request.method === "GET" || request.method === "HEAD";
  // Before anything that costs a query, or that may refuse the request.
  const limitRefusal = isRead || !mutation ? null : await rateLimitRefusal(context, mutation, request);
  if (limitRefusal) return tooManyRequests(limitRefusal);
  const bearer = await authenticateCaller(context, request);
  const caller = operation.byCookie && !bearer?.tokenScope ? await signedInOf(context, request) : bearer;
  if (bearer && !caller) throw problemDetails(403, "Bearer tokens can’t do this. Log in instead.");
  const viewer = caller?.viewer ?? null;
  requireScope(request, caller, operation);
  if (operation.access !== "anyone") requireAccess(request, viewer, operation.access);
  const suspended = viewer && mutation && suspensionRefusal(viewer, mutation);
  if (suspended) return problemDetails(403, suspended);

  const query = Object.fromEntries(new URL(request.url).searchParams);
  const args = {
    request,
    context,
    viewer,
    sessionId: caller?.sessionId,
    params: operation.params && validateInput(operation.params, params, "parameters"),
    query: operation.query && validateInput(operation.query, query, "parameters"),
  };
  const handle = (body: unknown, requestId: string | null) => operation.handle({ ...args, body, requestId });

  if (isRead) return handle(undefined, null);
  const text = operation.body ? await readJsonText(request) : "";
  const schema = (await operation.bodyFor?.(args)) ?? operation.body;
  const body = schema && validateInput(schema, parseJson(text), "body");
  if (!operation.body) return handle(undefined, null);
  const owner = keyOwner(request, caller, operation.signsIn?.(body) ?? false);
  return withIdempotencyKey(context, request, { owner, body: text }, (requestId) => handle(body, requestId));
}

/** A request that signs in belongs to the client's address, since its retry is authenticated differently. */
function keyOwner(request: Request, caller: Caller | null, signsIn: boolean): string {
  return caller && !signsIn ? caller.viewer.id : clientAddress(request);
}

function tooManyRequests({ status = 429, formErrors = [], retryAfter }: FormRefusal): Response {
  return problemDetails(status, formErrors.join(" "), { headers: { "Retry-After": String(retryAfter) } });
}
