import { type TableDefinition, type TableQuery, timeSorts } from "#app/server/forms/table-query.ts";

/** Where the money of a seller's protected orders is, as its filter names it. */
export const payoutEntryStates = {
  held: "Held",
  "on its way": "On its way",
  paid: "Paid",
  "paid back": "Back to the buyer",
} as const;
export type PayoutEntryState = keyof typeof payoutEntryStates;

/** What a seller reads of where it is. What is back with the buyer, their bank no longer takes from the seller. */
export const entryLabel = ({ state, isDisputed }: { state: PayoutEntryState; isDisputed: boolean }) =>
  isDisputed && state !== "paid back" ? "Disputed by the buyer’s bank" : payoutEntryStates[state];

/** What became of a price, in cents. */
export function payoutPartsOf({
  state,
  amountCents,
  notGotCents,
  cents,
}: {
  state: PayoutEntryState;
  amountCents: number;
  notGotCents: number;
  cents: number;
}) {
  const [refundCents, gotCents] = state === "paid back" ? [amountCents, 0] : [notGotCents, cents];
  return { amountCents, refundCents, feeCents: amountCents - refundCents - gotCents, gotCents };
}

export const payoutTable = {
  filters: [{ name: "state", label: "Status", kind: "choice", any: "All", choices: payoutEntryStates }],
  sorts: timeSorts,
} as const satisfies TableDefinition;

export type PayoutQuery = TableQuery<typeof payoutTable>;
