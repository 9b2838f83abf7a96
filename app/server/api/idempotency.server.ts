import {
  claimIdempotencyKey,
  letRetryTakeOver,
  releaseKey,
  storeIdempotentResponse,
} from "#app/db/idempotency-keys.server.ts";
import { derivedKey, keyedHash } from "../config/crypto.server.ts";
import { normalizePath } from "../http/paths.ts";
import type { RequestContext } from "../http/request-context.server.ts";
import { publicPath } from "./api-operations.server.ts";
import { problemDetails } from "./problem-details.server.ts";

/** A quoted string as in the draft standard, or the unquoted string that most clients send. */
const keyPattern = /^"?([\x21\x23-\x7e]{1,200})"?$/;

/**
 * Handles a request once for each owner and `Idempotency-Key`; a retry gets the stored response.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */
export async function withIdempotencyKey(
  { db, secrets: [newest = ""] }: RequestContext,
  request: Request,
  { owner, body }: { owner: string; body: string },
  handle: (requestId: string | null) => Promise<Response>,
): Promise<Response> {
  const header = request.headers.get("Idempotency-Key");
  if (header === null) return handle(null);
  const key = keyPattern.exec(header)?.[1];
  if (!key) return problemDetails(400, "The Idempotency-Key must be 1 to 200 visible ASCII characters.");

  const secret = await derivedKey(newest, "idempotency keys");
  const id = await keyedHash(secret, [owner, pathOf(request), key].join("\n"));
  const claim = await claimIdempotencyKey(db, { id, bodyHash: await keyedHash(secret, body) });
  if (claim.state === "completed") return replay(claim);
  if (claim.state === "other body") {
    return problemDetails(
      422,
      "This Idempotency-Key was used with another body. Use a new key for a new request.",
    );
  }
  if (claim.state === "in progress") {
    const headers = { "Retry-After": "1" };
    return problemDetails(409, "The first request with this Idempotency-Key is still in progress.", {
      headers,
    });
  }
  return handleAndStore(db, id, () => handle(claim.name));
}

async function handleAndStore(db: RequestContext["db"], id: string, handle: () => Promise<Response>) {
  try {
    const response = await handle();
    const { status } = response;
    // A retry may succeed.
    if (status === 401) await releaseKey(db, id);
    else if (status >= 500) await letRetryTakeOver(db, id);
    else await storeIdempotentResponse(db, id, { status, response: await response.clone().text() });
    return response;
  } catch (error) {
    await (error instanceof Response ? releaseKey(db, id) : letRetryTakeOver(db, id));
    throw error;
  }
}

function pathOf(request: Request): string {
  return normalizePath(decodeURI(publicPath(new URL(request.url).pathname)));
}

function replay({ status, response }: { status: number; response: string }): Response {
  const type = status < 400 ? "application/json" : "application/problem+json";
  const headers = { "Content-Type": type, "Cache-Control": "no-store", "Idempotent-Replayed": "true" };
  return new Response(response, { status, headers });
}
