import { priceSorts, type TableDefinition, type TableQuery } from "#app/server/forms/table-query.ts";

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
  sorts: priceSorts,
} as const satisfies TableDefinition;

export type ListingQuery = TableQuery<typeof listingTable>;
