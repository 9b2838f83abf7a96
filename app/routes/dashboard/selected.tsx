import type {
  ActionFunctionArgs,
  LoaderFunctionArgs,
  MetaFunction,
  SerializeFrom,
} from "@remix-run/cloudflare";
import { Form, useLoaderData } from "@remix-run/react";
import { requireRole } from "#app/auth/guard.server.ts";
import {
  type BulkAction,
  bulkActionLabels,
  bulkActions,
  bulkMessage,
  maxSelected,
  refusalText,
  selectedLabel,
} from "#app/features/moderation/bulk.rules.ts";
import { applyToSelected, findSelected, type SelectedRow } from "#app/features/moderation/bulk.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { overLimit, withinLimit } from "#app/server/http/rate-limits.server.ts";
import { badRequest } from "#app/server/http/responses.server.ts";
import { safeRedirect } from "#app/server/http/safe-redirect.ts";
import { ActionError } from "#app/ui/action-error.tsx";
import { SubmitButton } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";

export const meta: MetaFunction = () => pageTitle("Confirm");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

/** What was chosen, from the query or from a form. */
function selectionOf(parameters: URLSearchParams | FormData) {
  const action = bulkActions.find((known) => known === parameters.get("action"));
  if (!action) throw badRequest("There is no such action.");
  const ids = [...new Set(parameters.getAll("id").map(String))].slice(0, maxSelected);
  return { action, ids, back: safeRedirect(parameters.get("back"), "/manage") };
}

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireRole(context, request, "Admin");
  const { action, ids, back } = selectionOf(new URL(request.url).searchParams);
  const rows = await findSelected(context.db, viewer, action, ids);
  if (rows.length > 0) return { action, rows, back };
  throw await redirectWithToast(context, back, { kind: "error", message: "Select at least one row first." });
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireRole(context, request, "Admin");
  if (!(await withinLimit(context, "bulk action", request))) return refusedForm(overLimit("bulk action"));
  const { action: chosen, ids, back } = selectionOf(await readForm(request));
  const { done, removalIds, refusals } = await applyToSelected(context.db, viewer, chosen, ids);
  return redirectWithToast(context, back, {
    kind: done > 0 ? "success" : "error",
    message: bulkMessage(chosen, done, refusals),
    undo: removalIds.join(",") || undefined,
  });
});

export default function Selected() {
  const { action: chosen, rows, back } = useLoaderData<typeof loader>();
  const { verb } = bulkActionLabels[chosen];
  const possible = rows.filter(({ refusal }) => refusal === null);
  const impossible = rows.filter(({ refusal }) => refusal !== null);
  const what = `${verb} ${selectedLabel(chosen, possible.length)}`;
  return (
    <div className="max-w-prose">
      <h1 className="mb-4 text-3xl font-semibold">
        {possible.length > 0 ? `${what}?` : `Nothing to ${verb.toLowerCase()}`}
      </h1>
      <ActionError />
      {possible.length > 0 && <RowList rows={possible} action={chosen} />}
      {impossible.length > 0 && (
        <section className="mt-6">
          <h2 className="font-semibold">Left out</h2>
          <RowList rows={impossible} action={chosen} />
        </section>
      )}
      {possible.length > 0 && chosen !== "verify sellers" && (
        <p className="mt-6 text-quiet">You can undo this for 10 minutes.</p>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        {possible.length > 0 && (
          <Form method="post">
            <input type="hidden" name="action" value={chosen} />
            <input type="hidden" name="back" value={back} />
            {possible.map(({ id }) => (
              <input key={id} type="hidden" name="id" value={id} />
            ))}
            <SubmitButton>{what}</SubmitButton>
          </Form>
        )}
        <Link to={back} className="btn btn-outline">
          {possible.length > 0 ? "Cancel" : "Back"}
        </Link>
      </div>
    </div>
  );
}

// In the layout's, the headers of a refused form would be lost.
export { RouteError as ErrorBoundary } from "../pages/error-pages.tsx";

const namedRows = 20;

function RowList({ rows, action }: { rows: SerializeFrom<SelectedRow>[]; action: BulkAction }) {
  const more = rows.length - namedRows;
  return (
    <ul className="mt-3 list-disc pl-5">
      {rows.slice(0, namedRows).map(({ id, label, refusal }) => (
        <li key={id} className="wrap-anywhere">
          {label}
          {refusal && <span className="text-quiet"> {refusalText(refusal)}</span>}
        </li>
      ))}
      {more > 0 && <li>and {selectedLabel(action, more).replace(" ", " more ")}</li>}
    </ul>
  );
}
