import {
  priceSorts,
  type TableDefinition,
  type TableQuery,
  timeFilters,
} from "#app/server/forms/table-query.ts";

/** How far the money of a protected order is, as the filter of staff names it. */
const paymentStates = {
  "to pay": "To pay",
  "not paid": "Not paid",
  held: "Held",
  suspended: "Held, as the seller is suspended",
  released: "Paid to the seller",
  "to be refunded": "To be paid back",
  refunded: "Paid back, in whole or part",
  disputed: "Disputed by a bank",
  failing: "Fails at the provider",
} as const;
export type PaymentFilter = keyof typeof paymentStates;

export const paymentTable = {
  filters: [
    { name: "q", label: "Buyer’s name or email, or order number", kind: "words" },
    { name: "state", label: "Status", kind: "choice", any: "All", choices: paymentStates },
    { name: "seller", label: "Seller’s name or email", kind: "words" },
    ...timeFilters,
  ],
  sorts: priceSorts,
} as const satisfies TableDefinition;

export type PaymentQuery = TableQuery<typeof paymentTable>;
