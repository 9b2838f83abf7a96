import { activityActions } from "#app/db/enums.ts";
import {
  type TableDefinition,
  type TableQuery,
  timeFilters,
  timeSorts,
} from "#app/server/forms/table-query.ts";

type Action = (typeof activityActions)[number];

export const activityTable = {
  filters: [
    { name: "q", label: "Email of who did it", kind: "words" },
    {
      name: "action",
      label: "Action",
      kind: "choice",
      choices: Object.fromEntries(activityActions.map((action) => [action, action])) as Record<
        Action,
        string
      >,
    },
    ...timeFilters,
  ],
  sorts: timeSorts,
} as const satisfies TableDefinition;

export type ActivityQuery = TableQuery<typeof activityTable>;
