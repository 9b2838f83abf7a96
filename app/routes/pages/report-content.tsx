import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { formRefusal, requireUser } from "#app/auth/guard.server.ts";
import {
  contentReportRefusals,
  isTargetKind,
} from "#app/features/moderation/reports/content-report.rules.ts";
import { contentReportSchema } from "#app/features/moderation/reports/content-report.schema.ts";
import { ContentReportForm } from "#app/features/moderation/reports/content-report-form.tsx";
import { findReportTarget, reportContent } from "#app/features/moderation/reports/content-reports.server.ts";
import { hasProvider } from "#app/features/payments/provider.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { notFound } from "#app/server/http/responses.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  pageTitle(errorTitle(error) ?? (data ? `Report a ${data.kind}` : "Report"));
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in", crawled: false };

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request, "report content");
  const { kind, targetId = "" } = params;
  const target = isTargetKind(kind) ? await findReportTarget(context.db, viewer, kind, targetId) : null;
  if (!isTargetKind(kind) || !target) throw notFound();
  const { ownerId, isReported, ...shown } = target;
  const refusal = ownerId === viewer.id ? "own" : isReported ? "already reported" : null;
  const isProtected = hasProvider(context.environment);
  return { kind, target: shown, refusal, account: viewer.email, isProtected } as const;
});

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request, "report content");
  const { kind, targetId = "" } = params;
  if (!isTargetKind(kind)) throw notFound();
  const form = await readForm(request);
  const submission = parseForm(form, contentReportSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const refusal = await formRefusal({ context, request, viewer, form }, "report content");
  if (refusal) return invalidForm(submission, refusal);
  const outcome = await reportContent(context.db, viewer, kind, targetId, submission.value);
  if (outcome.refusal === "not found") throw notFound();
  if (outcome.refusal) {
    return invalidForm(submission, { status: 409, formErrors: [contentReportRefusals[outcome.refusal]] });
  }
  const message = "Thanks! A moderator will look at it.";
  return redirectWithToast(context, outcome.path, { kind: "success", message });
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

const authors = {
  listing: "seller",
  seller: "seller",
  review: "reviewer",
  message: "sender",
};

export default function ReportContent() {
  const { kind, target, refusal, account, isProtected } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  return (
    <div className="page-width py-8 sm:py-12">
      <div className="mx-auto max-w-xl">
        <h1 className="text-3xl font-semibold sm:text-4xl">Report this {kind}</h1>
        <p className="mt-3 line-clamp-3 text-lg wrap-anywhere">
          <Link to={target.path} className="link">
            {target.name || "Review without text"}
          </Link>
        </p>
        {refusal ? (
          <p className="mt-6 rounded-box bg-base-200 px-4 py-3">{contentReportRefusals[refusal]}</p>
        ) : (
          <>
            <p className="mt-3 mb-8 text-quiet">
              Moderators read each report. We don’t tell the {authors[kind]} who reported it.
            </p>
            <ContentReportForm
              kind={kind}
              account={account}
              isProtected={isProtected}
              lastResult={actionData?.result}
            />
          </>
        )}
      </div>
    </div>
  );
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
