import type { ReportState } from "#app/db/values.ts";
import {
  type TableDefinition,
  type TableQuery,
  timeFilters,
  timeSorts,
} from "#app/server/forms/table-query.ts";

export const reportStateLabels: Record<ReportState, string> = {
  open: "Open",
  answered: "Answered",
  closed: "Closed",
};

export const reportTable = {
  filters: [
    { name: "q", label: "Name, email or words", kind: "words" },
    { name: "state", label: "State", kind: "choice", choices: reportStateLabels },
    ...timeFilters,
  ],
  sorts: timeSorts,
} as const satisfies TableDefinition;

export type ReportQuery = TableQuery<typeof reportTable>;
