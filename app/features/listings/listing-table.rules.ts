import type { TableDefinition, TableQuery } from "#app/server/forms/table-query.ts";

export const listingTable = {
  filters: [
    { name: "q", label: "Seller’s name or email", kind: "words" },
    {
      name: "status",
      label: "Status",
      kind: "choice",
      choices: {
        available: "Available",
        reserved: "Reserved",
        sold: "Sold",
        hidden: "Hidden",
        held: "Held for approval",
        suspended: "Seller suspended",
      },
    },
    { name: "device", label: "Brand or model", kind: "words" },
    { name: "minPrice", label: "Price from", kind: "price" },
    { name: "maxPrice", label: "Price to", kind: "price" },
  ],
  sorts: {
    newest: "Newest first",
    oldest: "Oldest first",
    "price-up": "Price: low to high",
    "price-down": "Price: high to low",
  },
} as const satisfies TableDefinition;

export type ListingQuery = TableQuery<typeof listingTable>;
