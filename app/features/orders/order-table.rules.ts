import type { TableDefinition, TableQuery } from "#app/server/forms/table-query.ts";

const stageFilter = {
  name: "stage",
  label: "Stage",
  kind: "choice",
  any: "All but cancelled",
  choices: {
    reserved: "Reserved",
    "handed over": "Handed over",
    received: "Received",
    cancelled: "Cancelled",
    all: "All",
  },
} as const;

/** Of the viewer's own orders. */
export const ownOrderTable = {
  filters: [stageFilter],
  orders: { newest: "Newest first", oldest: "Oldest first" },
} as const satisfies TableDefinition;

export const orderTable = {
  filters: [
    { name: "q", label: "Buyer's name or email", kind: "words" },
    stageFilter,
    { name: "seller", label: "Seller's name or email", kind: "words" },
    { name: "from", label: "From", kind: "date" },
    { name: "to", label: "To", kind: "date" },
  ],
  orders: {
    newest: "Newest first",
    oldest: "Oldest first",
    "price-up": "Price: low to high",
    "price-down": "Price: high to low",
  },
} as const satisfies TableDefinition;

export type OrderQuery = TableQuery<typeof orderTable>;
