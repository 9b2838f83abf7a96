import type { Mutation } from "#app/server/http/mutations.server.ts";
import { accounts } from "./accounts.ts";
import { administration } from "./administration.ts";
import type { Example, Examples, Market, Rows, Sender } from "./example.ts";
import { listings } from "./listings.ts";
import { moderation } from "./moderation.ts";
import { orders } from "./orders.ts";
import { adminOf, buyerOf, formParams, type Person } from "./records.ts";

/** The examples of each mutation. A mutation without any does not compile. */
const allExamples: Required<Examples> = {
  ...accounts,
  ...listings,
  ...orders,
  ...moderation,
  ...administration,
};

/** What only administrators and moderators do, who cannot be suspended. */
export const ofStaff: readonly Mutation[] = [
  "decide report",
  "decide problem",
  "take case",
  "answer ticket",
  "keep saved replies",
  "write note",
  "delete user",
  "verify seller",
  "change role",
  "write to users",
  "write pages",
  "bulk action",
  "end sessions",
];

export type NamedExample = Example & { mutation: Mutation; name: string };

export const examples: NamedExample[] = Object.entries(allExamples).flatMap(([key, some]) =>
  some.map((example: Example, index) => {
    const mutation = key as Mutation;
    return { ...example, mutation, name: `${mutation} ${index}` };
  }),
);

type WithForm = NamedExample & { form: string };
type WithOperation = NamedExample & { rest: string };
export const forms = examples.filter((each): each is WithForm => each.form !== undefined);
export const writes = examples.filter((each): each is WithOperation => each.rest !== undefined);

/** A request, ready to be sent. */
export interface MutationRequest {
  path: string;
  init: RequestInit & { headers: Record<string, string> };
}

interface PreparedExample {
  person: Sender;
  form?: MutationRequest & { fields: URLSearchParams };
  rest?: MutationRequest & { method: string; body?: object };
  /** The rows that it changes, as text. */
  rows(): Promise<string>;
}

/**
 * Brings the market into the state before an example.
 *
 * @param by who sends it, if it is of nobody
 * @param more fields and properties that nothing asks for
 */
export async function prepareExample(
  market: Market,
  example: NamedExample,
  by?: Person,
  more: Record<string, string> = {},
): Promise<PreparedExample> {
  const { form, rest, of, mutation } = example;
  const { person, ids = [], query = "", rows, ...added } = await example.prepare(market, by);
  const file = added.file && new Uint8Array(added.file);
  const sender = person ?? by ?? (await (ofStaff.includes(mutation) ? adminOf : buyerOf)(market));
  const prepared: PreparedExample = {
    person: of ? sender : (by ?? sender),
    rows: () => rowsAsText(market, rows),
  };
  if (form) {
    const fields = formParams({
      ...more,
      ...(example.hasKey && { formKey: crypto.randomUUID() }),
      ...example.fields,
      ...added.fields,
    });
    // The index of the dashboard is My Orders.
    const path = filled(form, ids) + (form === "/manage" ? "?index" : query);
    const type = file && { "Content-Type": "application/octet-stream" };
    const headers = { Origin: market.url, Accept: "text/html", ...type };
    prepared.form = { path, fields, init: { method: "POST", body: file ?? fields, headers } };
  }
  if (rest) {
    const [method = "", template = ""] = rest.split(" ");
    const own = added.body ?? example.body;
    const body = own && { ...more, ...own };
    const type = file ? "image/jpeg" : body && "application/json";
    const headers = { ...(type && { "Content-Type": type }) };
    prepared.rest = {
      ...{ path: filled(template, ids), method, body },
      init: { method, body: file ?? JSON.stringify(body), headers },
    };
  }
  return prepared;
}

/** A path with values for its parameters, in their order. */
export function filled(path: string, values: string[]): string {
  let at = 0;
  return path.replaceAll(/:\w+|\{\w+\}/g, () => encodeURIComponent(values[at++] ?? ""));
}

async function rowsAsText({ db }: Market, { table, where }: Rows): Promise<string> {
  const rows = await db.select().from(table).where(where);
  // Written in the background after a request.
  const ignored = ["emailDoneAt", "emailOutcome"];
  return JSON.stringify(rows, (column, value) => (ignored.includes(column) ? undefined : value));
}
