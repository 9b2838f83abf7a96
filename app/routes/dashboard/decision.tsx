import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { formRefusal, requireUser } from "#app/auth/guard.server.ts";
import { appealSchema } from "#app/features/moderation/decisions/decision.schema.ts";
import { AppealForm, OwnDecisionView } from "#app/features/moderation/decisions/own-decision-view.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { markPageNotificationsAsRead } from "../mark-as-read.server.ts";

export const meta: MetaFunction = () => pageTitle("A moderator’s decision");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in" };

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  // Loaded on demand: few requests need it.
  const { findOwnDecision } = await import("#app/features/moderation/decisions/own-decisions.server.ts");
  const [decision] = await Promise.all([
    findOwnDecision(context.db, viewer, params.decisionId ?? ""),
    markPageNotificationsAsRead(context, request, viewer),
  ]);
  if (!decision) throw notFound();
  return { decision, account: viewer.email };
});

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const form = await readForm(request);
  const submission = parseForm(form, appealSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const refusal = await formRefusal({ context, request, viewer, form }, "appeal decision");
  if (refusal) return invalidForm(submission, refusal);
  const id = params.decisionId ?? "";
  const { appealDecision, findOwnDecision } = await import(
    "#app/features/moderation/decisions/own-decisions.server.ts"
  );
  if (!(await appealDecision(context.db, viewer, id, submission.value.appeal))) {
    if (!(await findOwnDecision(context.db, viewer, id))) throw notFound();
    const formErrors = ["You’ve already appealed, or the decision is no longer in effect."];
    return invalidForm(submission, { status: 409, formErrors });
  }
  return redirectWithToast(context, pathAndQuery(request), { kind: "success", message: "Appeal sent" });
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function DecisionPage() {
  const { decision, account } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  return (
    <OwnDecisionView decision={decision}>
      <AppealForm account={account} lastResult={actionData?.result} />
    </OwnDecisionView>
  );
}
