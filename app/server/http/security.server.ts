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
 * Reads the body of a form or an API request.
 *
 * @returns null if there is none or the method is safe; a 413 response if it is larger than 64 KiB
 */
export async function readBody(request: Request, error: ErrorFormat): Promise<ArrayBuffer | null | Response> {
  if (!request.body || isSafe(request.method)) return null;
  const isTooLarge = Number(request.headers.get("Content-Length")) > mostDropped;
  const body = isTooLarge ? null : await readAtMost(request.body, largestBody, mostDropped);
  return body ?? error(413, "That is more than this site takes at once.");
}

/** The request for Remix: without the X-Forwarded-Host header, which Remix would trust from any client. */
export function stripForwardedHost(request: Request, body: ArrayBuffer | ReadableStream | null): Request {
  if (!request.body && !request.headers.has("X-Forwarded-Host")) return request;
  const headers = new Headers(request.headers);
  headers.delete("X-Forwarded-Host");
  const { method, url, signal } = request;
  return new Request(url, { method, headers, signal, body, ...(body && { duplex: "half" }) } as RequestInit);
}

/** A short answer in words, for what never reaches a page. */
export function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", ...headers },
  });
}
