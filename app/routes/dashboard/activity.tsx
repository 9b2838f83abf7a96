import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import type { ActivityAction } from "#app/db/enums.ts";
import { system } from "#app/features/accounts/viewer.ts";
import { activityTargetText } from "#app/features/administration/activity-texts.ts";
import { listActivity } from "#app/features/audit/activity.server.ts";
import { activityTable } from "#app/features/audit/activity-table.rules.ts";
import { DashboardTable } from "#app/features/tables/dashboard-table.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { useDateLabels } from "#app/ui/date-label.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { CheckIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { UndoButton } from "#app/ui/undo-button.tsx";
import { tableQuery } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("Activity");

export const handle = { access: "see activity", menu: { label: "Activity" } } satisfies RouteHandle;

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const { cursor, query } = tableQuery(activityTable, request);
  const { rows, ...page } = await listActivity(context.db, viewer, cursor, query);
  const named = rows.map(({ details, ...row }) => ({
    ...row,
    target: activityTargetText({ details, ...row }),
  }));
  return { query, activity: { ...page, rows: named } };
});

/** Actions whose target is an account that may have a page. */
const aboutAccounts: ReadonlySet<ActivityAction> = new Set([
  "verified seller",
  "ended sessions",
  "changed address",
  "appointed moderator",
  "withdrew moderator",
  "undid role change",
  "undid verification",
  "deleted user",
  "wrote to user",
  "warned user",
  "suspended user",
]);

export default function ActivityPage() {
  const { dateTimeLabel } = useDateLabels();
  const { query, activity } = useLoaderData<typeof loader>();
  return (
    <DashboardTable
      title="Activity"
      columns={[{ label: "By", longWords: true }, "Action", { label: "Target", longWords: true }, "Time"]}
      filters={{ table: activityTable, query }}
      table={activity}
      cells={({ id, actorId, actorEmail, action, targetId, target, canUndo, createdAt }) => [
        actorId === system.id ? (
          actorEmail
        ) : (
          <Link key="administrator" to={`/manage/users/${actorId}`} className="link">
            <EmailAddress email={actorEmail} />
          </Link>
        ),
        <div key="action" className="flex flex-wrap items-center gap-x-3 gap-y-1 max-md:justify-end">
          {action}
          {canUndo && <UndoButton id={id} target={target} />}
        </div>,
        aboutAccounts.has(action) && target.includes("@") ? (
          <Link key="target" to={`/manage/users/${targetId}`} className="link">
            <EmailAddress email={target} />
          </Link>
        ) : target.includes("@") ? (
          <EmailAddress key="target" email={target} />
        ) : (
          target
        ),
        <time key="time" dateTime={createdAt}>
          {dateTimeLabel(createdAt)}
        </time>,
      ]}
      empty={
        <EmptyState
          icon={<CheckIcon className="size-10" />}
          title="No activity yet"
          text="What moderators and administrators decide, delete and restore shows up here."
        />
      }
    />
  );
}
