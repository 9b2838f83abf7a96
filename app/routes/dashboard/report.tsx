import type { SubmissionResult } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import { NotesSection } from "#app/features/administration/notes-section.tsx";
import { findClaim } from "#app/features/administration/work.server.ts";
import { CaseClaim } from "#app/features/administration/work-view.tsx";
import { ReportView, reportTitle } from "#app/features/problem-reports/report-view.tsx";
import { changeReportState, findReport } from "#app/features/problem-reports/reports.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { badRequest, notFound } from "#app/server/http/responses.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { notesFor, writeNote } from "./write-note.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageTitle(data ? reportTitle(data.report) : "Report");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, "read problem reports");
  const { reportId = "" } = params;
  const [report, work, notes] = await Promise.all([
    findReport(context.db, reportId),
    findClaim(context.db, viewer, `/manage/reports/${reportId}`),
    notesFor(context, viewer, { kind: "report", id: reportId }),
  ]);
  if (!report) throw notFound();
  return { report, work, notes };
});

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requirePermission(context, request, "read problem reports");
  const form = await readForm(request);
  const { reportId = "" } = params;
  const intent = form.get("intent");
  if (intent === "note") return writeNote(context, request, viewer, { kind: "report", id: reportId }, form);
  if (intent !== "close" && intent !== "reopen") throw badRequest();
  const limitRefusal = await rateLimitRefusal(context, "close report", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const state = intent === "close" ? "closed" : "open";
  if (!(await changeReportState(context.db, viewer, reportId, state))) throw notFound();
  const message = intent === "close" ? "Report closed" : "Report open again";
  return redirectWithToast(context, pathAndQuery(request), { kind: "success", message });
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function ReportPage() {
  const { report, work, notes } = useLoaderData<typeof loader>();
  const result = useActionData<{ result?: SubmissionResult<string[]> }>()?.result;
  return (
    <>
      <BackLink to="/manage/reports">Reports</BackLink>
      <CaseClaim work={work} />
      <ReportView report={report} />
      {notes && (
        <div className="mt-10">
          <NotesSection {...notes} result={result} />
        </div>
      )}
    </>
  );
}
