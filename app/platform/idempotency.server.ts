import { breakOff, claimCall, forgetCall, keepAnswer } from "#app/db/first-answers.server.ts";
import { problem } from "./problem.server.ts";
import type { RequestContext } from "./request-context.server.ts";
import { derivedKey, keyedHash } from "./secrets.server.ts";

/** What the header may hold: a quoted string, as its draft has it, or the bare word that most clients send. */
const keyPattern = /^"?([\x21\x23-\x7e]{1,200})"?$/;

/** A refusal that may be different the next time, and so is not kept. */
const passing = [401, 429];

/**
 * Makes a call once: its repeat, known by the `Idempotency-Key` header, is answered as the first was, and does
 * nothing. Without the header the call is just made. `make` is given a name of the call that is the same in each
 * repeat.
 *
 * @param call.caller whose keys these are
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */
export async function once(
  { db, secrets: [newest = ""] }: RequestContext,
  request: Request,
  call: { caller: string; body: string },
  make: (name: string | null) => Promise<Response>,
): Promise<Response> {
  const header = request.headers.get("Idempotency-Key");
  if (header === null) return make(null);
  const key = keyPattern.exec(header)?.[1];
  if (!key) return problem(400, "The Idempotency-Key must be 1 to 200 visible ASCII characters.");

  const secret = await derivedKey(newest, "idempotency keys");
  const id = await keyedHash(secret, [call.caller, pathOf(request), key].join("\n"));
  const known = await claimCall(db, { id, bodyHash: await keyedHash(secret, call.body) });
  if (known.state === "answered") return replayed(known);
  if (known.state === "other body") {
    return problem(422, "This Idempotency-Key was used with another body. Take a new one for a new call.");
  }
  if (known.state === "at work") {
    const headers = { "Retry-After": "1" };
    return problem(409, "The first call with this Idempotency-Key is still at work.", { headers });
  }
  return keepWhatIs(db, id, () => make(known.name));
}

async function keepWhatIs(db: RequestContext["db"], id: string, make: () => Promise<Response>) {
  try {
    const answer = await make();
    const { status } = answer;
    if (passing.includes(status)) await forgetCall(db, id);
    else if (status >= 500) await breakOff(db, id);
    else await keepAnswer(db, id, { status, answer: await answer.clone().text() });
    return answer;
  } catch (fault) {
    await (fault instanceof Response ? forgetCall(db, id) : breakOff(db, id));
    throw fault;
  }
}

/** A path however it is written. */
function pathOf(request: Request): string {
  return decodeURI(new URL(request.url).pathname).toLowerCase().replace(/\/+$/, "");
}

function replayed({ status, answer }: { status: number; answer: string }): Response {
  const type = status < 400 ? "application/json" : "application/problem+json";
  const headers = { "Content-Type": type, "Cache-Control": "no-store", "Idempotent-Replayed": "true" };
  return new Response(answer, { status, headers });
}
