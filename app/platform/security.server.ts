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

/** Makes an error response: plain text for pages, problem details for the API. */
export type ErrorFormat = (status: number, text: string, headers?: Record<string, string>) => Response;

/**
 * Whether a browser says that another site sent this request.
 * Both headers are set by the browser and out of reach for scripts; programs other than browsers send neither.
 * @see https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
export function isForeign(request: Request): boolean {
  const site = request.headers.get("Sec-Fetch-Site");
  if (site !== null && site !== "same-origin" && site !== "none") return true;
  const origin = request.headers.get("Origin");
  return origin !== null && origin !== new URL(request.url).origin;
}

/**
 * The whole body of a request, or a 413 when it is larger than any form of ours, however its length was declared.
 *
 * @returns null for none; of a request that changes nothing it is not read
 */
export async function readBody(request: Request, error: ErrorFormat): Promise<ArrayBuffer | null | Response> {
  if (!request.body || isSafe(request.method)) return null;
  const length = request.headers.get("Content-Length");
  if (Number(length) > mostDropped) return tooLarge(error);
  // What has a length declared has that length.
  const isSmall = length !== null && Number(length) <= largestBody;
  const body = isSmall
    ? await request.arrayBuffer()
    : await readAtMost(request.body, largestBody, mostDropped);
  return body && body.byteLength <= largestBody ? body : tooLarge(error);
}

/**
 * The request as Remix is to see it, without headers that it would believe from anyone.
 *
 * @param body what was read of it; null leaves it for a route that reads it by itself: see `takesFiles`
 */
export function believable(request: Request, body: ArrayBuffer | null): Request {
  if (!request.body && !request.headers.has(believedHeader)) return request;
  const headers = new Headers(request.headers);
  headers.delete(believedHeader);
  const { method, url, signal } = request;
  // A body that asks for nothing was not read, and a request that is made anew could not have it.
  if (body || isSafe(method)) return new Request(url, { method, headers, signal, body });
  return new Request(request, { headers });
}

const believedHeader = "X-Forwarded-Host";

function tooLarge(error: ErrorFormat): Response {
  return error(413, "That is more than this site takes at once.");
}

/** A short answer in words, for what never reaches a page. */
export function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", ...headers },
  });
}
