import type { SerializeFrom } from "@remix-run/cloudflare";
import { undoMinutes } from "#app/terms.ts";
import { useDateLabels } from "#app/ui/date-label.ts";
import { UndoButton } from "#app/ui/undo-button.tsx";
import type { DeletionRecord } from "./deletions.server.ts";

/**
 * Says who deleted something, with its Undo.
 *
 * @param what "this user"
 * @param target its name, for screen readers
 */
export function DeletionNote({
  deletion: { at, by, undoId },
  what,
  target,
}: {
  deletion: SerializeFrom<DeletionRecord>;
  what: string;
  target: string;
}) {
  const { dateTimeLabel } = useDateLabels();
  return (
    <div className="max-w-prose">
      <p className="wrap-anywhere">
        {by === null ? (
          <>
            They closed their account on <time dateTime={at}>{dateTimeLabel(at)}</time>.
          </>
        ) : (
          <>
            <bdi>{by}</bdi> deleted {what} on <time dateTime={at}>{dateTimeLabel(at)}</time>.
          </>
        )}{" "}
        {undoId
          ? `You can undo it for ${undoMinutes} minutes from then on.`
          : by !== null && "It’s too late to undo that, or it’s for the person who did it."}
      </p>
      {undoId && (
        <div className="mt-4">
          <UndoButton id={undoId} target={target} />
        </div>
      )}
    </div>
  );
}
