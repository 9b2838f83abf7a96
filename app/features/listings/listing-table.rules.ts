import type { SellingTab } from "#app/db/enums.ts";
import {
  priceSorts,
  type TableDefinition,
  type TableQuery,
  timeSorts,
} from "#app/server/forms/table-query.ts";

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

/** The same for all tabs together, which no index has by price or views. */
export const allSellingsTable = { ...sellingTable, sorts: timeSorts } as const satisfies TableDefinition;

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
