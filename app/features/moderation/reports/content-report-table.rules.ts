import type { TableDefinition, TableQuery } from "#app/server/forms/table-query.ts";

/** Reports of listings, sellers, reviews and messages. */
export const contentReportTable = {
  filters: [
    { name: "q", label: "Reporter's name or email", kind: "words" },
    { name: "owner", label: "Owner's name or email", kind: "words" },
    {
      name: "kind",
      label: "Kind",
      kind: "choice",
      choices: { listing: "Listing", seller: "Seller", review: "Review", message: "Message" },
    },
    {
      name: "state",
      label: "Decision",
      kind: "choice",
      choices: { open: "Open", decided: "Decided" },
    },
    { name: "from", label: "From", kind: "date" },
    { name: "to", label: "To", kind: "date" },
  ],
  orders: { newest: "Newest first", oldest: "Oldest first" },
} as const satisfies TableDefinition;

/** For moderators, who see no email addresses and so cannot look for one. */
export const contentReportTableByName = {
  ...contentReportTable,
  filters: contentReportTable.filters.map((filter) => ({
    ...filter,
    label: filter.label.replace(" or email", ""),
  })) as unknown as typeof contentReportTable.filters,
};

export type ContentReportQuery = TableQuery<typeof contentReportTable>;
