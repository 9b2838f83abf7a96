import type { SellingTab } from "#app/db/enums.ts";
import { priceSorts, type TableDefinition, type TableQuery } from "#app/server/forms/table-query.ts";

export { sellingTabs } from "#app/db/enums.ts";

/** The tabs of My Sells, as they are called. */
const tabLabels = {
  "for sale": "For sale",
  "to hand over": "To hand over",
  "handed over": "Handed over",
  sold: "Sold",
  "not listed": "Not listed",
  drafts: "Drafts",
} as const satisfies Record<SellingTab, string> & { drafts: string };

/** The filters and sort orders of a tab of My Sells. */
export const sellingTable = {
  filters: [
    { name: "q", label: "Device, storage or own number", kind: "words" },
    { name: "tab", label: "Tab", kind: "choice", choices: tabLabels, isTab: true },
    { name: "photo", label: "Photos", kind: "choice", choices: { without: "Without photo" } },
  ],
  sorts: { ...priceSorts, views: "Most views" },
} as const satisfies TableDefinition;

/** What is to be handed over has an order of its own. */
export const toHandOverTable = {
  filters: [sellingTable.filters[0], sellingTable.filters[1]],
  sorts: { deadline: "Next deadline first" },
} as const satisfies TableDefinition;

export type ToHandOverQuery = TableQuery<typeof toHandOverTable>;

/** If a search finds more, only the newest are shown sorted by price or views, and the others not at all. */
export const maxSortedSellings = 50;
export const newestOnlyNote = `Sorted: the newest ${maxSortedSellings} that match. Add words to find others.`;

export type SellingQuery = TableQuery<typeof sellingTable>;

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
