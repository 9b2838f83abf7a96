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
    { name: "q", label: "Administrator’s email", kind: "words" },
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

/** What a removal is of, by the action that the log names it by. */
const deletions: Partial<Record<Action, string>> = {
  "deleted user": "user",
  "deleted listing": "phone",
  "deleted order": "order",
  "deleted report": "report",
};

/** The id of the deletion that an action of the viewer was, as long as they can undo it. */
export function undoOf(
  { action, targetId }: { action: Action; targetId: string },
  undoable: { id: string; kind: string; targetId: string }[],
) {
  return undoable.find((removal) => removal.kind === deletions[action] && removal.targetId === targetId)?.id;
}

export type ActivityQuery = TableQuery<typeof activityTable>;
