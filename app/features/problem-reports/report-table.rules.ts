import {
  type TableDefinition,
  type TableQuery,
  timeFilters,
  timeOrders,
} from "#app/server/forms/table-query.ts";

export const reportTable = {
  filters: [
    { name: "q", label: "Name, email or words", kind: "words" },
    { name: "state", label: "State", kind: "choice", choices: { open: "Open", closed: "Closed" } },
    ...timeFilters,
  ],
  orders: timeOrders,
} as const satisfies TableDefinition;

export type ReportQuery = TableQuery<typeof reportTable>;
