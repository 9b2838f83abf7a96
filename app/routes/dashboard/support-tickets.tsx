import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import { BulkButtons } from "#app/features/administration/bulk-buttons.tsx";
import { ticketStateLabels, ticketTable } from "#app/features/support-tickets/ticket-table.rules.ts";
import { DashboardTable } from "#app/features/tables/dashboard-table.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { CheckIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { tableQuery } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("Reports");

export const handle = { access: "read support tickets", menu: { label: "Reports" } } satisfies RouteHandle;

/** Loaded on demand: few requests need it. */
const loadTickets = () => import("#app/features/support-tickets/tickets.server.ts");

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  await requirePermission(context, request, handle.access);
  const { cursor, query } = tableQuery(ticketTable, request);
  return { query, reports: await (await loadTickets()).listTickets(context.db, cursor, query) };
});

const pageLink = ({ id }: { id: string }, label: string) => (
  <Link key="page" to={`/manage/reports/${id}`} className="link">
    {label}
  </Link>
);

export default function Tickets() {
  const { query, reports } = useLoaderData<typeof loader>();
  return (
    <DashboardTable
      title="Reports"
      columns={[
        { label: "Name", longWords: true },
        { label: "Email", longWords: true },
        { label: "Deails", longWords: true },
      ]}
      filters={{ table: ticketTable, query }}
      bulk={{
        buttons: <BulkButtons actions={["delete tickets"]} />,
        label: ({ name, email }) => `report by ${email || name || "an anonymous person"}`,
      }}
      table={reports}
      cells={(ticket) => [
        ticket.name && pageLink(ticket, ticket.name),
        ticket.email && (
          <Link
            key="email"
            to={`/manage/users?${new URLSearchParams({ q: ticket.email })}`}
            aria-description="Find this user"
            className="link"
          >
            <EmailAddress email={ticket.email} />
          </Link>
        ),
        <div key="details">
          <p className="whitespace-pre-wrap">
            {ticket.name ? ticket.details : pageLink(ticket, ticket.details || "No text")}
          </p>
          {ticket.state !== "open" && <p className="text-sm text-quiet">{ticketStateLabels[ticket.state]}</p>}
        </div>,
      ]}
      empty={
        <EmptyState icon={<CheckIcon className="size-10" />} title="No reports" text="No problems so far." />
      }
    />
  );
}
