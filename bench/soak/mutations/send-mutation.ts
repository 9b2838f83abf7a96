import { type Fault, faultHeader } from "../faulty-d1.ts";
import type { Market } from "../market.ts";
import { type Answer, answerOf } from "../responses.ts";
import type { MutationRequest } from "./mutation-case.ts";

const idempotencyKeys = new WeakMap<MutationRequest, string>();

function idempotencyKeyOf(request: MutationRequest): string {
  const key = idempotencyKeys.get(request) ?? crypto.randomUUID();
  idempotencyKeys.set(request, key);
  return key;
}

/** Sends a mutation; a repeated one has the same idempotency key. @param fault where its use of D1 fails */
export function sendMutation(market: Market, request: MutationRequest, fault: Fault): Promise<Answer> {
  const { person, path, fields, file, method = "POST", body } = request;
  const type = file ? "application/octet-stream" : body && "application/json";
  const sent = file ? new Uint8Array(file) : fields ? new URLSearchParams(fields) : JSON.stringify(body);
  const headers = {
    Origin: market.url,
    // Views by clients that are no browsers do not count.
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
    [faultHeader]: JSON.stringify(fault),
    ...(type && { "Content-Type": type }),
    ...(body && { "Idempotency-Key": idempotencyKeyOf(request) }),
    ...(fields && { Accept: "text/html" }),
  };
  return answerOf(person.send(path, { method, body: sent, headers }));
}
