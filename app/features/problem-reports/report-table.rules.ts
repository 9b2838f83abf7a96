import type { TableDefinition, TableQuery } from "#app/server/forms/table-query.ts";

export const reportTable = {
  filters: [
    { name: "q", label: "Name, email or words", kind: "words" },
    { name: "from", label: "From", kind: "date" },
    { name: "to", label: "To", kind: "date" },
  ],
  orders: { newest: "Newest first", oldest: "Oldest first" },
} as const satisfies TableDefinition;

export type ReportQuery = TableQuery<typeof reportTable>;
