import { type TableDefinition, type TableQuery, timeSorts } from "#app/server/forms/table-query.ts";

/** Where the money of a seller's protected orders is, as its filter names it. */
export const entryStates = {
  held: "Held",
  "on its way": "On its way",
  paid: "Paid",
  "paid back": "Back to the buyer",
} as const;
export type EntryState = keyof typeof entryStates;

export const payoutTable = {
  filters: [{ name: "state", label: "Status", kind: "choice", any: "All", choices: entryStates }],
  sorts: timeSorts,
} as const satisfies TableDefinition;

export type PayoutQuery = TableQuery<typeof payoutTable>;
