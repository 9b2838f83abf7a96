import type { TableDefinition, TableQuery } from "#app/server/forms/table-query.ts";

const states = {
  reserved: "Reserved",
  "handed over": "Handed over",
  received: "Received",
  cancelled: "Cancelled",
  returned: "Returned",
  problem: "With a problem",
} as const;

const stage = { name: "stage", label: "Status", kind: "choice" } as const;

const stageFilter = { ...stage, any: "All but cancelled", choices: { ...states, all: "All" } } as const;

/** Of the viewer's own orders. */
export const ownOrderTable = {
  filters: [{ ...stage, any: "All", choices: states }],
  sorts: { newest: "Newest first", oldest: "Oldest first" },
} as const satisfies TableDefinition;

export const orderTable = {
  filters: [
    { name: "q", label: "Buyer’s name or email", kind: "words" },
    stageFilter,
    { name: "seller", label: "Seller’s name or email", kind: "words" },
    { name: "from", label: "From", kind: "date" },
    { name: "to", label: "To", kind: "date" },
  ],
  sorts: {
    newest: "Newest first",
    oldest: "Oldest first",
    "price-up": "Price: low to high",
    "price-down": "Price: high to low",
  },
} as const satisfies TableDefinition;

export type OrderQuery = TableQuery<typeof orderTable>;
