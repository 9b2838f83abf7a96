import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import { may } from "#app/features/accounts/permissions.ts";
import { decisionLabel } from "#app/features/moderation/decisions/decision.rules.ts";
import {
  contentReportTable,
  contentReportTableWithoutEmails,
} from "#app/features/moderation/reports/content-report.rules.ts";
import { listContentReports } from "#app/features/moderation/reports/content-reports.server.ts";
import { DashboardTable } from "#app/features/tables/dashboard-table.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { CheckIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { tableQuery } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("Content reports");

export const handle = { access: "moderate" } satisfies RouteHandle;

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const { cursor, query } = tableQuery(contentReportTable, request);
  const seesAccounts = may(viewer, "manage users");
  const reports = await listContentReports(context.db, viewer, cursor, query);
  return { query, reports, seesAccounts, viewerId: viewer.id };
});

export default function ContentReports() {
  const { dayLabel } = useDateLabels();
  const { query, reports, seesAccounts, viewerId } = useLoaderData<typeof loader>();
  return (
    <>
      <BackLink to="/manage/moderation">Moderation</BackLink>
      <DashboardTable
        title="Content reports"
        columns={[
          { label: "Reported", longWords: true },
          { label: "Reason", longWords: true },
          "Reported by",
          "Sent",
          "Decision",
        ]}
        filters={{ table: seesAccounts ? contentReportTable : contentReportTableWithoutEmails, query }}
        table={reports}
        cells={({
          kind,
          targetId,
          target,
          reason,
          details,
          reporterId,
          reporterName,
          createdAt,
          decision,
        }) => [
          <Link key="target" to={`/manage/moderation/${kind}/${targetId}`} className="link">
            {target}
          </Link>,
          <div key="reason">
            {reason}
            {details && <p className="line-clamp-3 text-sm whitespace-pre-wrap text-quiet">{details}</p>}
          </div>,
          // Moderators have no page about themselves.
          reporterId && (seesAccounts || reporterId !== viewerId) ? (
            <Link
              key="reporter"
              to={seesAccounts ? `/manage/users/${reporterId}` : `/manage/moderation/seller/${reporterId}`}
              className="link"
            >
              {reporterName}
            </Link>
          ) : (
            reporterName
          ),
          <time key="sent" dateTime={createdAt} className="whitespace-nowrap">
            {dayLabel(createdAt)}
          </time>,
          decision ? decisionLabel(decision) : "Open",
        ]}
        empty={
          <EmptyState
            icon={<CheckIcon className="size-10" />}
            title="No reports"
            text="Nobody has reported anything."
          />
        }
      />
    </>
  );
}
