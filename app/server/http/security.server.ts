import { brand } from "#app/brand.ts";
import type { Environment } from "../config/environment.server.ts";
import { readAtMost } from "./request.server.ts";

export const pageMethods = ["GET", "HEAD", "POST"];
const safeMethods = ["GET", "HEAD", "OPTIONS"];

export function isSafeMethod(method: string): boolean {
  return safeMethods.includes(method);
}

/** Of a body that is no upload. */
export const defaultMaxBodyKiB = 64;

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

/**
 * Reads a request's body: null if there is none or the method is safe, a 413 response if it is too large, a 400 response
 * if the client stopped sending it.
 */
export async function readBody(
  request: Request,
  error: ErrorFormat,
  maxKiB = defaultMaxBodyKiB,
): Promise<ArrayBuffer | null | Response> {
  if (!request.body || isSafeMethod(request.method)) return null;
  const isTooLarge = Number(request.headers.get("Content-Length")) > maxDiscardedBytes;
  try {
    const body = isTooLarge ? null : await readAtMost(request.body, maxKiB * 1024, maxDiscardedBytes);
    return body ?? error(413, `The request body is larger than ${maxKiB} KiB.`);
  } catch {
    return error(400, "The request body is incomplete.");
  }
}

/** Reads a body that nobody has read, so that the client finishes sending and receives the response. */
export async function discardUnread({ body, bodyUsed }: Request): Promise<void> {
  // A client that stops sending needs nothing.
  if (body && !bodyUsed) await readAtMost(body, 0, maxDiscardedBytes).catch(() => null);
}

/** Removes the X-Forwarded-Host header, which Remix would trust from any client. */
export function stripForwardedHost(request: Request, body: ArrayBuffer | ReadableStream | null): Request {
  if (!request.body && !request.headers.has("X-Forwarded-Host")) return request;
  const headers = new Headers(request.headers);
  headers.delete("X-Forwarded-Host");
  const { method, url, signal } = request;
  return new Request(url, { method, headers, signal, body, ...(body && { duplex: "half" }) } as RequestInit);
}

/** Security headers of every response of the Worker; `public/_headers` has the same for static files. */
const securityHeaders = Object.entries({
  "Strict-Transport-Security": "max-age=63072000; includeSubDomains; preload",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  // `no-referrer` would blank the Origin header of our own form posts.
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy":
    "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self), usb=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
});

/** The policy of what is no page. `default-src` does not include `base-uri`. */
const filePolicy = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Adds the security headers, changing the response in place: a copy would turn its body into a stream. */
export function withSecurityHeaders(response: Response, nonce: string, formTargets: string[] = []): Response {
  const { headers } = response;
  const resourcePolicy = headers.get("Cross-Origin-Resource-Policy");
  for (const [name, value] of securityHeaders) headers.set(name, value);
  if (resourcePolicy) headers.set("Cross-Origin-Resource-Policy", resourcePolicy);
  // A 304 must not replace the policy of the browser's stored page, whose nonce is older.
  if (response.status !== 304) {
    const isPage = headers.get("Content-Type")?.startsWith("text/html");
    headers.set("Content-Security-Policy", isPage ? pagePolicy(nonce, formTargets) : filePolicy);
  }
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  return response;
}

function pagePolicy(nonce: string, formTargets: string[]): string {
  // Vite's development server uses inline styles and a web socket.
  const development = import.meta.env.DEV;
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self'${development ? " 'unsafe-inline'" : ""}`,
    `img-src 'self'${brand.imageLinks ? " https:" : ""} data:`,
    "font-src 'self'",
    `connect-src 'self'${development ? " ws:" : ""}`,
    "manifest-src 'self'",
    // Chromium applies this to the redirects after a form post too.
    ["form-action 'self'", ...formTargets].join(" "),
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const exposedHeaders = "ETag, Link, Retry-After, Idempotent-Replayed";

const allowedHeaders = "Authorization, Content-Type, Idempotency-Key, If-None-Match";

/** How long a browser may cache a preflight response, in seconds. */
const preflightMaxAge = 600;

/** Whether a request comes from an origin in `CORS_ORIGINS`. */
export function isListedOrigin(request: Request, { CORS_ORIGINS }: Environment): boolean {
  return CORS_ORIGINS.includes(request.headers.get("Origin") ?? "");
}

/**
 * Adds the CORS headers to a response of the API, changed in place.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function withCorsHeaders(response: Response, request: Request, environment: Environment): Response {
  const { headers } = response;
  headers.append("Vary", "Origin");
  if (!isListedOrigin(request, environment)) return response;
  headers.set("Access-Control-Allow-Origin", request.headers.get("Origin") ?? "");
  headers.set("Access-Control-Allow-Credentials", "true");
  headers.set("Access-Control-Expose-Headers", exposedHeaders);
  if (request.method === "OPTIONS") {
    headers.set("Access-Control-Allow-Methods", headers.get("Allow") ?? "");
    headers.set("Access-Control-Allow-Headers", allowedHeaders);
    headers.set("Access-Control-Max-Age", String(preflightMaxAge));
  }
  return response;
}
