import type { Environment } from "../config/environment.server.ts";

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
