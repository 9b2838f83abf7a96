import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireRole } from "#app/auth/guard.server.ts";
import { listReports } from "#app/features/moderation/reports.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { CheckIcon } from "#app/ui/icons.tsx";
import { Address, DashboardTable, tableCursor } from "./dashboard-table.tsx";

export const meta: MetaFunction = () => pageTitle("Reports");

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  await requireRole(context, request, "Admin");
  return listReports(context.db, tableCursor(request));
});

export default function Reports() {
  const reports = useLoaderData<typeof loader>();
  return (
    <DashboardTable
      title="Reports"
      columns={[
        { label: "Name", breakAnywhere: true },
        { label: "Email", breakAnywhere: true },
        { label: "Deails", breakAnywhere: true },
      ]}
      table={reports}
      cells={(report) => [
        report.name,
        <Address key="email" email={report.email} />,
        <span key="details" className="whitespace-pre-wrap">
          {report.details}
        </span>,
      ]}
      empty={
        <EmptyState
          icon={<CheckIcon className="size-10" />}
          title="No reports"
          text="Nobody has reported a problem."
        />
      }
    />
  );
}
