import { activityActions } from "#app/db/values.ts";
import {
  type TableDefinition,
  type TableQuery,
  timeFilters,
  timeOrders,
} from "#app/server/forms/table-query.ts";

type Action = (typeof activityActions)[number];

export const activityTable = {
  filters: [
    { name: "q", label: "Administrator's email", kind: "words" },
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
  orders: timeOrders,
} as const satisfies TableDefinition;

export type ActivityQuery = TableQuery<typeof activityTable>;
