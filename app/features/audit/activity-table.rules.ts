import { activityActions } from "#app/db/values.ts";
import type { TableDefinition, TableQuery } from "#app/server/forms/table-query.ts";

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
    { name: "from", label: "From", kind: "date" },
    { name: "to", label: "To", kind: "date" },
  ],
  orders: { newest: "Newest first", oldest: "Oldest first" },
} as const satisfies TableDefinition;

export type ActivityQuery = TableQuery<typeof activityTable>;
