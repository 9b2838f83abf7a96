import type { Environment } from "./environment.server.ts";

/** What a page of another origin may read of an answer beside its body. */
const readable = "ETag, Link, Retry-After, Idempotent-Replayed";

/** What a page of another origin may send. */
const sendable = "Authorization, Content-Type, Idempotency-Key, If-None-Match";

/** How long a browser may remember a preflight, in seconds. */
const preflightSeconds = 600;

/** The origin a request came from, when it is one that the deployment lets in. */
export function listedOrigin(request: Request, { CORS_ORIGINS }: Environment): string | null {
  const origin = request.headers.get("Origin");
  return origin !== null && CORS_ORIGINS.includes(origin) ? origin : null;
}

/**
 * What an answer to a call says to browsers about other origins.
 *
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function crossOriginHeaders(request: Request, environment: Environment): [string, string][] {
  const origin = listedOrigin(request, environment);
  if (!origin) return [["Vary", "Origin"]];
  return [
    ["Vary", "Origin"],
    ["Access-Control-Allow-Origin", origin],
    ["Access-Control-Allow-Credentials", "true"],
    ["Access-Control-Expose-Headers", readable],
  ];
}

/** Answers OPTIONS: which methods there are, and to a listed origin's browser what it may send. */
export function optionsAnswer(request: Request, methods: string[], environment: Environment): Response {
  const headers = new Headers({ Allow: methods.join(", "), "Cache-Control": "no-store" });
  if (listedOrigin(request, environment)) {
    headers.set("Access-Control-Allow-Methods", methods.join(", "));
    headers.set("Access-Control-Allow-Headers", sendable);
    headers.set("Access-Control-Max-Age", String(preflightSeconds));
  }
  return new Response(null, { status: 204, headers });
}
