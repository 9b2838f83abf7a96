import type { ServerBuild } from "@remix-run/cloudflare";
import { matchRoutes } from "@remix-run/react";
import type { z } from "zod";
import type { Limited } from "./limits.server.ts";
import type { RequestContext } from "./request-context.server.ts";

/** What a call takes and answers: the same schemas check it and document it. */
export interface CallDescription {
  /** What it is about: calls about one thing stand together. */
  subject: string;
  summary: string;
  /** More to know, for the reader of the document. */
  description?: string;
  /** Anyone else is refused before anything is read. */
  who: "anyone" | "signed in" | "admin";
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  answer: z.ZodType;
  /** Why the call may be refused, beside what every call may be refused for. */
  refusals?: Record<number, string>;
  /** A list: may be read in pages. */
  paged?: boolean;
  /** What a client may do only so often; by default, of what changes something, whatever calls may. */
  limit?: Limited;
  /** May be asked for again with the tag of what was answered. */
  tagged?: boolean;
}

export type CallMethod = "GET" | "POST" | "PUT" | "DELETE";

/** The calls at one path, by their methods. */
export type Calls = Partial<Record<CallMethod, CallDescription>>;

/** A request on its way to who answers it. */
export interface Knock {
  request: Request;
  /** What was read of it; null for none, or where whoever answers reads it. */
  body: ArrayBuffer | null;
  context: RequestContext;
}

/** What a door for calls is handed. */
export interface CallArgs extends Knock {
  params: Record<string, string | undefined>;
}

/** Answers the calls at one path, whatever happens. */
export interface CallDoor {
  (args: CallArgs): Promise<Response>;
  calls: Calls;
}

/** One path of the calls, with its parameters as in the table of routes: `/users/delete/:id`. */
export interface CallPath {
  path: string;
  calls: Calls;
}

/** Where a path is a page and a call, the call has a route of its own behind this ending. */
const twinEnding = ".call";

/** All calls among the routes of the product. Their doors answer by themselves: Remix has nothing to add to JSON. */
export function callTable(routes: ServerBuild["routes"]) {
  const table = Object.values(routes).flatMap(({ id, path, module }) => {
    const answer = callDoor(module.loader);
    return answer ? [{ id, path: `/${path}`, answer }] : [];
  });
  const doors = new Map(table.map((row) => [row.id, row]));

  function match(pathname: string) {
    const matched = matchRoutes(table, pathname)?.at(-1);
    const row = doors.get(matched?.route.id ?? "");
    return row && { ...row, params: matched?.params ?? {} };
  }

  function at(request: Request, { answer, params }: NonNullable<ReturnType<typeof match>>): FoundCall {
    const { calls } = answer;
    return {
      door: "call",
      request,
      calls,
      answer: (knock) => answer({ ...knock, params }),
    };
  }

  return {
    /** Every path of the calls, as a client asks for it. */
    paths: table.map(({ path, answer }): CallPath => ({ path: withoutEnding(path), calls: answer.calls })),

    /** Whether a request is for a page or for a call, and the request as its route takes it. */
    find(asked: Request): Found {
      const url = new URL(asked.url);
      const request = asked;
      if (!isReadable(url)) return nowhere(request, "");
      const asData = url.pathname.match(/^(.+)\.data$/)?.[1];
      const direct = match(asData ?? url.pathname);
      // Only looks like one: a call as a browser's script asks for the data of pages, or by its inner name.
      if (direct && (asData || direct.path.endsWith(twinEnding))) {
        return nowhere(request, asData ? ".data" : "");
      }
      if (direct) return at(request, direct);
      url.pathname = url.pathname.replace(/\/+$/, "") + twinEnding;
      const twin = match(url.pathname);
      if (!twin || url.searchParams.has("_data") || isForPage(request)) return { door: "page", request };
      return at(new Request(url, request), twin);
    },
  };
}

/** The door a request knocks at. */
export type Found = { door: "page"; request: Request } | FoundCall;
export interface FoundCall {
  door: "call";
  request: Request;
  calls: Calls;
  answer(knock: Knock): Promise<Response>;
}

/** The methods of some calls as they are told to a client. */
export function methodsOf(calls: Calls): string[] {
  const methods = Object.keys(calls);
  return [...methods, ...(calls.GET ? ["HEAD"] : []), "OPTIONS"].sort();
}

/** The page of what is not there. */
function nowhere(request: Request, ending: "" | ".data"): Found {
  return { door: "page", request: new Request(new URL(`/nowhere${ending}`, request.url), request) };
}

/** The router would write an address that it cannot decode to the log, and it may be somebody's. */
export function isReadable({ pathname }: URL): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

/** A route that is a door for calls wears them on its loader. */
function callDoor(loader: unknown): CallDoor | null {
  return typeof loader === "function" && "calls" in loader ? (loader as CallDoor) : null;
}

/** A call's path as a client asks for it. */
export function withoutEnding(path: string): string {
  return path.endsWith(twinEnding) ? path.slice(0, -twinEnding.length) : path;
}

/** Whether a request to what is a page and a call wants the page: it names HTML, or posts a form. */
function isForPage(request: Request): boolean {
  const { method, headers } = request;
  if (method === "GET" || method === "HEAD") return /\btext\/html\b/i.test(headers.get("Accept") ?? "");
  return (
    method === "POST" &&
    /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(headers.get("Content-Type") ?? "")
  );
}
