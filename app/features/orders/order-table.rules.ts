import {
  priceSorts,
  type TableDefinition,
  type TableQuery,
  timeFilters,
  timeSorts,
} from "#app/server/forms/table-query.ts";

const states = {
  reserved: "Reserved",
  "handed over": "Handed over",
  received: "Received",
  cancelled: "Cancelled",
  returned: "Order ended",
  problem: "With a problem",
} as const;

const stage = { name: "stage", label: "Status", kind: "choice" } as const;

const stageFilter = { ...stage, any: "All but cancelled", choices: { ...states, all: "All" } } as const;

/** Of the viewer's own orders. */
export const ownOrderTable = {
  filters: [{ ...stage, any: "All", choices: states }],
  sorts: timeSorts,
} as const satisfies TableDefinition;

export const orderTable = {
  filters: [
    { name: "q", label: "Buyer’s name or email, or order number", kind: "words" },
    stageFilter,
    { name: "seller", label: "Seller’s name or email", kind: "words" },
    ...timeFilters,
  ],
  sorts: priceSorts,
} as const satisfies TableDefinition;

export type OrderQuery = TableQuery<typeof orderTable>;
