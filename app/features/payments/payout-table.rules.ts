import { type TableDefinition, type TableQuery, timeSorts } from "#app/server/forms/table-query.ts";

/** Where the money of a seller's protected orders is, as its filter names it. */
export const payoutEntryStates = {
  held: "Held",
  "on its way": "On its way",
  paid: "Paid",
  "paid back": "Back to the buyer",
} as const;
export type PayoutEntryState = keyof typeof payoutEntryStates;

interface EntryFacts {
  state: PayoutEntryState;
  isDisputed: boolean;
  isFailing: boolean;
  isHeldBySuspension: boolean;
  settledAt: Date | string | null;
}

/** What a seller reads of where it is. What is back with the buyer, their bank no longer takes from the seller. */
export function entryLabel({ state, isDisputed, isFailing, isHeldBySuspension, settledAt }: EntryFacts) {
  if (state === "paid back") return settledAt ? payoutEntryStates[state] : "Goes back to the buyer";
  if (isDisputed) return "Disputed by the buyer’s bank";
  if (state === "on its way" && isFailing) return "Delayed";
  return isHeldBySuspension ? "Held, as you’re suspended" : payoutEntryStates[state];
}

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
