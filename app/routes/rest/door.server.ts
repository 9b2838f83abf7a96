import type { AppLoadContext } from "@remix-run/cloudflare";
import type { z } from "zod";
import { isOutage } from "#app/db/unreachable.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import type { CallArgs, CallDescription, CallDoor, CallMethod } from "#app/platform/calls.server.ts";
import { once } from "#app/platform/idempotency.server.ts";
import { checked, jsonText, parseJson } from "#app/platform/json-body.server.ts";
import {
  clientAddress,
  type Limited,
  limits,
  tooManyText,
  withinLimit,
} from "#app/platform/limits.server.ts";
import { logFault } from "#app/platform/log.server.ts";
import { awayText, retryAfter } from "#app/platform/outage.server.ts";
import { problem } from "#app/platform/problem.server.ts";
import { callerOf, refuseCaller } from "./caller.server.ts";

/** What a call is handed, checked by its schemas. */
interface Asked<Who, Params, Query, Body> {
  request: Request;
  context: AppLoadContext;
  viewer: Who extends "anyone" ? Viewer | null : Viewer;
  /** The viewer's session. */
  sessionId: Who extends "anyone" ? string | undefined : string;
  params: Params;
  query: Query;
  body: Body;
  /** The same in each repeat of a call that came with an Idempotency-Key. */
  name: string | null;
}

/** A call: its description, and what it does. */
export interface Call extends CallDescription {
  make(asked: Asked<CallDescription["who"], never, never, never>): Promise<Response>;
  /** Whether the call signs its caller in, so that its repeat comes from somebody else than the first did. */
  signsIn?(body: unknown): boolean;
}

/** Describes a call; its schemas give the types of what it is handed. */
export function call<
  Who extends CallDescription["who"],
  Params extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodObject = z.ZodObject<Record<never, never>>,
>(
  description: CallDescription & {
    who: Who;
    params?: Params;
    query?: Query;
    body?: Body;
    make(asked: Asked<Who, z.output<Params>, z.output<Query>, z.output<Body>>): Promise<Response>;
    signsIn?(body: z.output<Body>): boolean;
  },
): Call {
  return description as unknown as Call;
}

/**
 * What a route of calls exports as its loader: guards, checks, and makes the call of the request's method, be it GET or
 * POST. Whatever happens, the answer is JSON.
 */
export function door(calls: Partial<Record<CallMethod, Call>>): CallDoor {
  async function answer(args: CallArgs): Promise<Response> {
    const { request, context } = args;
    const method = request.method === "HEAD" ? "GET" : request.method;
    try {
      const known = calls[method as CallMethod];
      if (!known) throw new Error("The Worker lets no other method through.");
      const answered = await guardAndMake(known, args);
      if (request.method !== "HEAD") return answered;
      await answered.body?.cancel();
      return new Response(null, answered);
    } catch (refusal) {
      if (refusal instanceof Response) return refusal;
      logFault(refusal, context.reference);
      if (isOutage(refusal)) return problem(503, awayText, { headers: retryAfter });
      return problem(500, `Something went wrong on our side. Reference: ${context.reference}`);
    }
  }
  return Object.assign(answer, { calls });
}

async function guardAndMake(call: Call, args: CallArgs): Promise<Response> {
  const { request, context } = args;
  const caller = await callerOf(context, request);
  if (call.who !== "anyone") refuseCaller(request, caller?.viewer ?? null, call.who);
  return checkAndMake(call, args, caller);
}

async function checkAndMake(
  call: Call,
  { request, body: sent, context, params }: CallArgs,
  caller: { viewer: Viewer; sessionId: string } | null,
): Promise<Response> {
  const viewer = caller?.viewer ?? null;
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const asked = {
    request,
    context,
    viewer,
    sessionId: caller?.sessionId,
    params: call.params && checked(call.params, params, "parameters"),
    query: call.query && checked(call.query, query, "parameters"),
  };
  const make = (body: unknown, name: string | null) => call.make({ ...asked, body, name } as never);

  if (request.method === "GET" || request.method === "HEAD") return make(undefined, null);
  const limited = call.limit ?? "WRITE_LIMIT";
  const makeWithin = async (body: unknown, name: string | null) =>
    (await withinLimit(context, limited, request)) ? make(body, name) : tooMany(limited);
  if (!call.body) return makeWithin(undefined, null);
  const text = jsonText(request, sent);
  const body = checked(call.body, parseJson(text), "body");
  const known = viewer && !call.signsIn?.(body);
  const keysOf = known ? viewer.id : clientAddress(request);
  return once(context, request, { caller: keysOf, body: text }, (name) => makeWithin(body, name));
}

function tooMany(limited: Limited): Response {
  const { period } = limits[limited];
  return problem(429, tooManyText(period), { headers: { "Retry-After": String(period) } });
}
