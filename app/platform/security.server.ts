import { readAtMost } from "./body.server.ts";

/** The methods that pages answer. */
export const pageMethods = ["GET", "HEAD", "POST"];
const safeMethods = ["GET", "HEAD", "OPTIONS"];

/** Whether a method asks for something and changes nothing. */
export function isSafe(method: string): boolean {
  return safeMethods.includes(method);
}

/** No form of ours comes near this many bytes. */
const largestBody = 64 * 1024;

/** So much of a body that is too large is read and dropped, so that its sender is done and hears the refusal. */
const mostDropped = 1024 * 1024;

/** Says no in the manner of the door that was knocked at: a page's in words, a call's as problem details. */
export type Refuse = (status: number, text: string, headers?: Record<string, string>) => Response;

/**
 * Refuses what is sent by nobody we know, before anything else runs; null means the request may pass.
 *
 * @param methods those the door answers; anything else gets 405
 * @param trusted whether the request comes from another origin that may
 */
export function refuse(
  request: Request,
  { methods, trusted, say }: { methods: string[]; trusted: boolean; say: Refuse },
): Response | null {
  if (!methods.includes(request.method)) {
    return say(405, "Method not allowed.", { Allow: methods.join(", ") });
  }
  if (!isSafe(request.method) && !trusted && isForeign(request)) {
    return say(403, "This request came from another site.");
  }
  return null;
}

/**
 * Whether a browser says that another site sent this request.
 * Both headers are set by the browser and out of reach for scripts; programs other than browsers send neither.
 * @see https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
function isForeign(request: Request): boolean {
  const site = request.headers.get("Sec-Fetch-Site");
  if (site !== null && site !== "same-origin" && site !== "none") return true;
  const origin = request.headers.get("Origin");
  return origin !== null && origin !== new URL(request.url).origin;
}

/**
 * The request with its whole body read and without headers that Remix would believe from anyone,
 * or a 413 when the body is larger than any form of ours, however its length was declared.
 */
export async function readWhole(request: Request, say: Refuse): Promise<Request | Response> {
  if (!request.body && !request.headers.has(believedHeader)) return request;
  const headers = believableHeaders(request);
  const { method, signal } = request;
  // A body that asks for nothing is not read, and a request that is made anew could not have it.
  if (!request.body || method === "GET" || method === "HEAD") {
    return new Request(request.url, { method, headers, signal });
  }
  if (Number(headers.get("Content-Length")) > mostDropped) return tooLarge(say);
  const body = await readAtMost(request.body, largestBody, mostDropped);
  if (!body) return tooLarge(say);
  return new Request(request.url, { method, headers, signal, body });
}

/** The request as it is, for a route that reads its body by itself: see `takesFiles`. */
export function unread(request: Request): Request {
  return new Request(request, { headers: believableHeaders(request) });
}

const believedHeader = "X-Forwarded-Host";

/** Without what Remix would believe from anyone. */
function believableHeaders(request: Request): Headers {
  const headers = new Headers(request.headers);
  headers.delete(believedHeader);
  return headers;
}

function tooLarge(say: Refuse): Response {
  return say(413, "That is more than this site takes at once.");
}

/** A short answer in words, for what never reaches a page. */
export function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", ...headers },
  });
}
