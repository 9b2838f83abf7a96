import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form, useLocation } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import type { listDecided } from "./decided-list.server.ts";
import { DecisionItem } from "./decision-history.tsx";

type Decided = Awaited<ReturnType<typeof listDecided>>["rows"][number];

/** A decision in the list of all, which its moderator can undo for a while. */
export function DecidedItem({ decision }: { decision: SerializeFrom<Decided> }) {
  const { pathname, search } = useLocation();
  return (
    <DecisionItem decision={decision} showsTarget>
      {decision.canUndo && (
        <Form method="post" action="/manage/undo" preventScrollReset className="mt-3">
          <input type="hidden" name="_id" value={decision.id} />
          <input type="hidden" name="redirectTo" value={pathname + search} />
          <SubmitButton
            action="/manage/undo"
            pending={{ _id: decision.id }}
            className="btn-outline btn-sm"
            description={decision.target}
          >
            Undo
          </SubmitButton>
        </Form>
      )}
      {decision.isDependedOn && (
        <p className="mt-3 text-sm text-quiet">
          This cannot be undone: a later decision depends on this one.
        </p>
      )}
    </DecisionItem>
  );
}
