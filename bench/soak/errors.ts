import { inspect } from "node:util";
import { d1Outages } from "../../tests/harness/d1-outages.ts";
import { password } from "../../tests/harness/fixtures.ts";
import { fieldValue } from "../../tests/harness/html.ts";
import {
  forms,
  type MutationRequest,
  type NamedExample,
  prepareExample,
  writes,
} from "../../tests/harness/mutations/mutations.ts";
import type { Visitor } from "../../tests/harness/visitor.ts";
import { changeBetween, readRows, withoutTables } from "./changes.ts";
import { batchesHeader, type Fault, faultHeader, faultyD1Worker } from "./faulty-d1.ts";
import { findViolations } from "./invariants.ts";
import { type Market, openMarket } from "./market.ts";
import type { PartOptions, PartResult } from "./part.ts";
import { type Answer, answerOf } from "./responses.ts";

/** A new database after so many runs, so that comparing all rows stays quick. */
const runsPerMarket = 150;

const maxFailures = 30;

/** An example in one of the ways that it can be sent. */
type Sent = NamedExample & { way: "form" | "rest" };

const allSent: Sent[] = [
  ...forms.map((each) => ({ ...each, way: "form" as const })),
  ...writes.map((each) => ({ ...each, way: "rest" as const })),
];

/** A mutation that succeeds: its answer, what it changes, and the sizes of the batches that it sends to D1. */
interface Success {
  name: string;
  mutation: Sent;
  answer: Answer;
  change: string;
  batches: number[];
}

/**
 * Each mutation with each transient error of D1, before, between and after the statements of each of its batches. A first
 * pass has one error for each place; the others follow while there is time.
 */
export async function errors(options: PartOptions): Promise<PartResult & { of: number }> {
  const markets = marketSupply(options);
  const failures: string[] = [];
  const successes: Success[] = [];
  for (const each of allSent) {
    const name = `${each.name} by ${each.way}`;
    const success = await succeed(await markets.next(), name, each).catch((error) => inspect(error));
    if (typeof success === "string") failures.push(`${name}: ${success}`);
    else successes.push(success);
  }
  const places = successes.flatMap((success) =>
    success.batches.flatMap((size, batch) =>
      Array.from({ length: size + 1 }, (_, statements) => ({ success, batch, statements })),
    ),
  );
  const of = places.length * d1Outages.length;
  let runs = 0;
  while (runs < Math.min(of, options.runs) && Date.now() < options.until && failures.length < maxFailures) {
    const pass = Math.floor(runs / places.length);
    const { success, batch, statements } = places[runs % places.length] as (typeof places)[number];
    const message = d1Outages[(options.seed + runs + pass) % d1Outages.length] as string;
    const wrong = await failOnce(await markets.next(), success, { batch, statements, message });
    const place = `${success.name}, batch ${batch} of ${success.batches.length}, ${statements} of ${success.batches[batch]} statements done`;
    failures.push(...wrong.map((what) => `${place}, "${message}": ${what}`));
    runs += 1;
  }
  await markets.close();
  return {
    runs,
    of,
    failures,
    notes: `(${successes.length} requests, ${places.length} places)`,
  };
}

function marketSupply({ buildFolder }: PartOptions) {
  let market: Market | undefined;
  let used = 0;
  return {
    async next() {
      if (market && used++ < runsPerMarket) return market;
      await market?.stop();
      used = 0;
      market = await openMarket({ backend: "D1", buildFolder, wrapper: faultyD1Worker });
      // Passkeys do not work at an IP address.
      market.url = market.url.replace("127.0.0.1", "localhost");
      return market;
    },
    close: async () => market?.stop(),
  };
}

const never: Fault = { batch: -1, statements: 0, message: "" };

interface Request extends MutationRequest {
  person: Visitor;
  fields?: URLSearchParams;
  idempotencyKey?: string;
}

/** A repeated request has the same idempotency key. */
async function prepare(market: Market, mutation: Sent): Promise<Request> {
  const { person, form, rest } = await prepareExample(market, mutation);
  const request = mutation.way === "form" ? form : rest;
  if (!request) throw new Error("There is no such request.");
  const idempotencyKey = request === rest && rest.body ? crypto.randomUUID() : undefined;
  return { ...request, person, idempotencyKey };
}

/** @param fault where its use of D1 fails */
function send({ person, path, init, idempotencyKey }: Request, fault: Fault): Promise<Answer> {
  const headers = {
    ...init.headers,
    // Views by clients that are no browsers do not count.
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
    [faultHeader]: JSON.stringify(fault),
    ...(idempotencyKey && { "Idempotency-Key": idempotencyKey }),
  };
  return answerOf(person.send(path, { ...init, headers }));
}

async function succeed(market: Market, name: string, mutation: Sent): Promise<Success> {
  const request = await prepare(market, mutation);
  const before = await readRows(market.db);
  const answer = await send(request, never);
  const change = changeBetween(before, await readRows(market.db));
  const isDone = answer.status < 400 && answer.toast?.kind !== "error";
  if (!isDone || (change === "" && !mutation.isSilent && !mutation.isRead))
    throw new Error(
      `${name} was refused: ${answer.status} ${answer.toast?.message ?? answer.text.slice(0, 500)}`,
    );
  return { name, mutation, answer, change, batches: JSON.parse(answer.headers.get(batchesHeader) ?? "[]") };
}

/** Sends a mutation whose use of D1 fails once, and then the same again. @returns what is wrong */
async function failOnce(market: Market, success: Success, fault: Fault): Promise<string[]> {
  const request = await prepare(market, success.mutation);
  const before = await readRows(market.db);
  const answer = await send(request, fault);
  const change = changeBetween(before, await readRows(market.db));
  const wrong: string[] = [];
  const { isSilent, follows = [], mayRepeat, hasChallenge, isByRow } = success.mutation;
  const core = (each: string) => withoutTables(each, follows);
  const isWhole = core(change) === core(success.change);
  if (core(change) !== "" && !isWhole && !isByRow)
    wrong.push(`changed ${change} instead of ${success.change}`);
  if (isSuccess(answer, success) && !isWhole && !isSilent)
    wrong.push(`said that it was done (${answer.status}), but changed "${change}"`);
  if (!isSuccess(answer, success)) wrong.push(...checkRefusal(answer, request, hasChallenge || isByRow));
  const again = await send(request, never);
  const finalChange = changeBetween(before, await readRows(market.db));
  // Until the first request counts as failed, a minute later, the API refuses its Idempotency-Key.
  const isWaiting = again.status === 409 && request.idempotencyKey !== undefined && finalChange === change;
  const isComplete = core(finalChange) === core(success.change);
  if (!isComplete && !isWaiting && !hasChallenge && !(mayRepeat && isWhole))
    wrong.push(`sent again it had changed ${finalChange} instead of ${success.change}`);
  return [...wrong, ...(await findViolations(market.db))];
}

function isSuccess(answer: Answer, success: Success): boolean {
  return answer.status === success.answer.status && answer.toast?.kind === success.answer.toast?.kind;
}

/** A response that names an outage and keeps what was typed. @returns what is wrong */
function checkRefusal(
  { status, text, toast, headers }: Answer,
  { fields, path }: Request,
  hasTypedNothing = false,
): string[] {
  const wrong: string[] = [];
  const isToast = status === 303 && toast?.kind === "error";
  if (status !== 503 && !isToast) wrong.push(`answered ${status} ${text.slice(0, 300)}`);
  if (status === 503 && !headers.get("Retry-After")) wrong.push("answered 503 without Retry-After");
  if (/\n\s+at |node_modules|D1_ERROR|D1 DB|\.tsx?:\d/.test(text))
    wrong.push(`shows an internal text: ${text.slice(0, 500)}`);
  if (text.includes(password)) wrong.push("shows a password");
  const isOfScript = path.endsWith("/upload") || path === "/seen";
  if (status !== 503 || !fields || hasTypedNothing || isOfScript) return wrong;
  const typed = [...fields];
  if (typed.some(([name]) => /password/i.test(name))) return wrong;
  const lost = typed.filter(([name, value]) => fieldValue(text, name) !== value);
  if (lost.length > 0) wrong.push(`does not keep ${lost.map(([name]) => name)}`);
  return wrong;
}
