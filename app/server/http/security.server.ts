import { readAtMost } from "./body.server.ts";

export const pageMethods = ["GET", "HEAD", "POST"];
const safeMethods = ["GET", "HEAD", "OPTIONS"];

export function isSafeMethod(method: string): boolean {
  return safeMethods.includes(method);
}

const maxBodyBytes = 64 * 1024;

const maxDiscardedBytes = 1024 * 1024;

export type ErrorFormat = (status: number, text: string, headers?: Record<string, string>) => Response;

/**
 * Whether a browser reports that another site sent this request; other clients send neither header.
 * @see https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
export function isCrossOrigin(request: Request): boolean {
  const site = request.headers.get("Sec-Fetch-Site");
  if (site !== null && site !== "same-origin" && site !== "none") return true;
  const origin = request.headers.get("Origin");
  return origin !== null && origin !== new URL(request.url).origin;
}

/** Reads a request's body: null if there is none or the method is safe, a 413 response if it is too large. */
export async function readBody(request: Request, error: ErrorFormat): Promise<ArrayBuffer | null | Response> {
  if (!request.body || isSafeMethod(request.method)) return null;
  const isTooLarge = Number(request.headers.get("Content-Length")) > maxDiscardedBytes;
  const body = isTooLarge ? null : await readAtMost(request.body, maxBodyBytes, maxDiscardedBytes);
  return body ?? error(413, "The request body is larger than 64 KiB.");
}

/** Reads a body that nobody has read, so that the client finishes sending and receives the response. */
export async function discardUnread({ body, bodyUsed }: Request): Promise<void> {
  if (body && !bodyUsed) await readAtMost(body, 0, maxDiscardedBytes);
}

/** Removes the X-Forwarded-Host header, which Remix would trust from any client. */
export function stripForwardedHost(request: Request, body: ArrayBuffer | ReadableStream | null): Request {
  if (!request.body && !request.headers.has("X-Forwarded-Host")) return request;
  const headers = new Headers(request.headers);
  headers.delete("X-Forwarded-Host");
  const { method, url, signal } = request;
  return new Request(url, { method, headers, signal, body, ...(body && { duplex: "half" }) } as RequestInit);
}
