import fc from "fast-check";
import routes from "#app/routes.ts";
import { anyBody, anyBodyType, anyHeaders, anyPath } from "../../tests/harness/api-arbitraries.ts";
import { anyField, anyText, wellFormed } from "../../tests/harness/arbitraries.ts";
import { addAccount, addPhone, addReceivedOrder } from "../../tests/harness/fixtures.ts";
import { tagsOf } from "../../tests/harness/html.ts";
import { addPerson } from "../../tests/harness/mutations/records.ts";
import { readContract } from "../../tests/harness/openapi.ts";
import { type Visitor, visitor } from "../../tests/harness/visitor.ts";
import { leastSquaresSlope } from "../statistics.ts";
import { type Market, memoryOf, openMarket } from "./market.ts";
import { type Backend, onBothBackends, type PartOptions, type PartResult } from "./part.ts";

/** Then the accounts are new, since requests log them out and delete them. */
const requestsPerRound = 200;
const concurrency = 8;
const hangMs = 10_000;

interface FuzzedRequest {
  /** Index of the person. */
  who: number;
  method: string;
  path: string;
  headers: Record<string, string | undefined>;
  body?: string | [string, string | File][];
}

/** Random pages, forms and API requests: none may fail or hang, and the memory must stay level. */
export const fuzz = onBothBackends(async (backend, options): Promise<PartResult> => {
  const failures: string[] = [];
  const market = await openMarket({ backend, buildFolder: options.buildFolder });
  const memory: [requests: number, kilobytes: number][] = [];
  const statuses = new Map<number, number>();
  let runs = 0;
  while (runs < options.runs && Date.now() < options.until && failures.length < 10) {
    const stage = await setStage(market);
    const planned = fc.sample(await anyRequest(market, stage), {
      seed: options.seed + runs,
      numRuns: Math.min(requestsPerRound, options.runs - runs),
    });
    const queue = planned.entries();
    async function work() {
      for (const [index, request] of queue) {
        const status = await send(market, stage.people, request);
        if (typeof status === "number") statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 503 || (typeof status === "number" && status < 500)) continue;
        failures.push(describe(backend, options, runs + index, request, status));
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work));
    runs += planned.length;
    memory.push([runs, memoryOf(market.pid)]);
  }
  const logged = market.errors.filter((line) => line.includes('"level":"error"'));
  if (failures.length > 0) failures.push(...logged.slice(0, 5));
  await market.stop();
  return { runs, failures, notes: `(${statuses.get(503) ?? 0} busy, ${memoryNote(memory)})` };
});

function describe(
  backend: Backend,
  { seed }: PartOptions,
  number: number,
  request: FuzzedRequest,
  status: number | string,
) {
  return `${backend}, request ${number} of seed ${seed}: ${status}\n  ${JSON.stringify(request)}`;
}

/** The memory of workerd after each third of the requests, and its slope in the last one. */
function memoryNote(memory: [number, number][]): string {
  const third = Math.floor(memory.length / 3);
  const megabytes = ([, kilobytes]: [number, number] = [0, 0]) => Math.round(kilobytes / 1024);
  const thirds = [memory[third], memory[2 * third], memory.at(-1)].map(megabytes);
  const slope = Math.round(leastSquaresSlope(memory.slice(2 * third)) * 1000);
  return `${thirds.join(", ")} MB after each third, ${slope} KB for each 1,000 requests in the last`;
}

interface Stage {
  people: Visitor[];
  /** Ids, addresses and other texts that exist. */
  targets: string[];
  forms: { path: string; fields: string[] }[];
}

async function setStage(market: Market): Promise<Stage> {
  const { db } = market;
  const [buyer, seller, admin] = [
    await addPerson(market),
    await addPerson(market, { userType: "Seller" }),
    await addPerson(market, { userType: "Admin" }),
  ];
  const phone = await addPhone(db, { sellerId: seller.account.id });
  const other = await addAccount(db, { userType: "Seller" });
  const orderId = await addReceivedOrder(db, buyer.account, seller.account);
  const targets = [phone.id, (await addPhone(db)).id, orderId, other.id, other.email, buyer.account.id];
  const people = [visitor(market), buyer, seller, admin];
  return {
    people,
    targets: [...targets, "Android", "Smart Phone", "5"],
    forms: await findForms(people, { ":phoneId": phone.id, ":orderId": orderId, ":sellerId": other.id }),
  };
}

/** All paths of pages, with their parameters. */
const pagePaths: string[] = [];
(function collect(entries: typeof routes, parent: string) {
  for (const { path = "", file, children } of entries) {
    const own = `${parent}/${path}`.replaceAll(/\/+/g, "/");
    if (!file.startsWith("routes/api/")) pagePaths.push(own);
    if (children) collect(children, own);
  }
})(routes, "");

const knownForms = new Map<string, string[]>();

/** The fields of the forms of each page, as its HTML has them; read once. */
async function findForms(people: Visitor[], ids: Record<string, string>) {
  for (const path of knownForms.size > 0 ? [] : pagePaths) {
    const fields = new Set<string>();
    for (const person of people) {
      const response = await person.get(path.replaceAll(/:\w+/g, (name) => ids[name] ?? "5"));
      for (const { name, attributes } of tagsOf(await response.text())) {
        if (["input", "textarea", "select", "button"].includes(name))
          fields.add(attributes.get("name") ?? "");
      }
    }
    fields.delete("");
    knownForms.set(path, fields.size > 0 ? [...fields] : ["_id", "intent"]);
  }
  return [...knownForms].map(([path, fields]) => ({ path, fields }));
}

async function anyRequest(
  market: Market,
  { people, targets, forms }: Stage,
): Promise<fc.Arbitrary<FuzzedRequest>> {
  const who = fc.integer({ min: 0, max: people.length - 1 });
  const name = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...targets) },
    { weight: 1, arbitrary: anyText().map((text) => wellFormed(text).slice(0, 500)) },
  );
  const filled = (path: string) =>
    fc.array(name, { minLength: 3, maxLength: 3 }).map((names) => {
      let at = 0;
      return path.replaceAll(/:\w+|\*/g, () => encodeURIComponent(names[at++] ?? ""));
    });
  const intents = ["cancel", "delivery", "review", "reply", "verify", "delete", "create", "revoke", "close"];
  const queried = (path: string, fields: string[]) => {
    const key = fc.constantFrom("after", "before", "_data", "redirectTo", "index", "q", "sort", ...fields);
    const words = fc.array(fc.tuple(key, name), { maxLength: 3 });
    return fc
      .tuple(filled(path), words)
      .map(([address, query]) => `${address}${query.length > 0 ? `?${new URLSearchParams(query)}` : ""}`);
  };
  const page = fc.constantFrom(...forms).chain(({ path, fields }) =>
    fc.record({
      who,
      method: fc.constantFrom("GET", "GET", "GET", "HEAD"),
      path: queried(path, fields),
      headers: fc.record({ Accept: fc.constantFrom("text/html", "*/*", "application/json") }),
    }),
  );
  const form = fc.constantFrom(...forms).chain(({ path, fields }) => {
    const intent = fc.constantFrom(...intents).map((value): [string, string] => ["intent", value]);
    const target = fc.constantFrom(...targets).map((value): [string, string] => ["_id", value]);
    return fc.record({
      who,
      method: fc.constant("POST"),
      path: queried(path, fields),
      headers: fc.constant({ Accept: "text/html", Origin: market.url }),
      body: fc.array(fc.oneof({ weight: 6, arbitrary: anyField(fields) }, intent, target), { maxLength: 8 }),
    });
  });
  const { operations } = await readContract(market);
  const call = fc.constantFrom(...operations).chain(({ method, template, operation }) =>
    fc
      .record({
        path: anyPath(template, operation, targets),
        headers: anyHeaders(),
        type: anyBodyType(),
        body: anyBody(operation, targets),
        who,
      })
      .map(({ headers, type, ...request }) => ({
        ...request,
        method,
        headers: {
          ...headers,
          Cookie: undefined,
          ...(request.body !== undefined && { "Content-Type": type }),
        },
      })),
  );
  return fc.oneof(page, form, call);
}

/** @returns the status, or why there is none */
async function send(
  market: Market,
  people: Visitor[],
  { who, method, path, headers, body }: FuzzedRequest,
): Promise<number | string> {
  // Of its own, so that a response to another request does not end the session.
  const person = visitor(market);
  for (const [name, value] of people[who]?.cookies ?? []) person.cookies.set(name, value);
  const sent = typeof body === "string" || body === undefined ? body : new FormData();
  if (sent instanceof FormData) {
    for (const [name, value] of body as [string, string | File][]) sent.append(name, value as string);
  }
  const known = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  try {
    const signal = AbortSignal.timeout(hangMs);
    const response = await person.send(path, { method, headers: known, body: sent, signal });
    await response.text();
    return response.status;
  } catch (error) {
    const { message, cause } = error as Error;
    return `${message} ${cause ?? ""}`;
  }
}
