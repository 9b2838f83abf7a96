import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import {
  bulkActionLabels,
  bulkActions,
  bulkMessage,
  maxSelectedRows,
  nothingSelected,
  tooManySelected,
} from "#app/features/administration/bulk.rules.ts";
import { hidingReason, hidingReasonSchema } from "#app/features/administration/bulk.schema.ts";
import { SelectedView } from "#app/features/administration/selected-view.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import {
  invalidForm,
  parseForm,
  readForm,
  refusedForm,
  submissionKeyOf,
} from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { safeRedirect } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { badRequest } from "#app/server/http/responses.server.ts";

export const meta: MetaFunction = () => pageTitle("Confirm");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

/** What was chosen, from the query or from a form. */
function selectionOf(parameters: URLSearchParams | FormData) {
  const action = bulkActions.find((known) => known === parameters.get("action"));
  if (!action) throw badRequest("No such action.");
  const ids = [...new Set(parameters.getAll("id").map(String))];
  return { action, ids, back: safeRedirect(parameters.get("back"), bulkActionLabels[action].table) };
}

export const handle = { access: "change in bulk" } satisfies RouteHandle;

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const { action, ids, back } = selectionOf(new URL(request.url).searchParams);
  const isTooMany = ids.length > maxSelectedRows;
  if (isTooMany || ids.length === 0) {
    const message = isTooMany ? tooManySelected : nothingSelected;
    throw await redirectWithToast(context, back, { kind: "error", message });
  }
  const { findSelected } = await import("#app/features/administration/bulk.server.ts");
  const rows = await findSelected(context.db, viewer, action, ids);
  return { action, rows, missing: ids.length - rows.length, back, formKey: crypto.randomUUID() };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const form = await readForm(request);
  const { action: chosen, ids, back } = selectionOf(form);
  const submission = chosen === "hide listings" ? parseForm(form, hidingReasonSchema) : null;
  if (submission && submission.status !== "success") return invalidForm(submission);
  const refusal = await rateLimitRefusal(context, "bulk action", request);
  if (refusal) return submission ? invalidForm(submission, refusal) : refusedForm(refusal);
  if (ids.length > maxSelectedRows)
    return redirectWithToast(context, back, { kind: "error", message: tooManySelected });
  const reason = submission ? hidingReason(submission.value) : "";
  const formKey = (await submissionKeyOf({ request, form })) ?? crypto.randomUUID();
  const { applyToSelected } = await import("#app/features/administration/bulk.server.ts");
  const { removalIds, refusals } = await applyToSelected(context.db, viewer, chosen, ids, formKey, reason);
  return redirectWithToast(context, back, {
    kind: removalIds.length > 0 ? "success" : "error",
    message: bulkMessage(chosen, removalIds.length, refusals),
    undo: removalIds.join(",") || undefined,
  });
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Selected() {
  const { action: chosen, ...selection } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  return <SelectedView action={chosen} {...selection} lastResult={actionData?.result} />;
}

// In the layout's, the headers of a refused form would be lost.
export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
