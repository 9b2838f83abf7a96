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

/** The kind of a removal, by the action that the log names it by. */
const removalKinds: Partial<Record<Action, string>> = {
  "deleted user": "user",
  "deleted listing": "phone",
  "deleted order": "order",
  "deleted report": "report",
  "verified seller": "verification",
  "appointed moderator": "appointment",
  "withdrew moderator": "withdrawal",
  "dismissed reports": "decision",
  "hid content": "decision",
  "removed listing": "decision",
  "warned user": "decision",
  "suspended user": "decision",
  "approved listing": "decision",
  "upheld decision": "decision",
  "reversed decision": "decision",
};

/**
 * The id of the removal that an action of the viewer was, as long as they can undo it. None if there are several of a kind
 * about the same target: the row does not say which.
 */
export function undoOf(
  { action, targetId }: { action: Action; targetId: string },
  undoable: { id: string; kind: string; targetId: string }[],
) {
  const kind = removalKinds[action];
  const found = undoable.filter((removal) => removal.kind === kind && removal.targetId === targetId);
  return found.length === 1 ? found[0]?.id : undefined;
}

export type ActivityQuery = TableQuery<typeof activityTable>;
