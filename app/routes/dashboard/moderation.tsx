import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import { idKey, parseCursor } from "#app/db/cursor.ts";
import { workCountLabel } from "#app/features/administration/work.rules.ts";
import { isQueue, QueueView } from "#app/features/moderation/queue-view.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { useUnread } from "#app/frame/unread.tsx";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { markPageNotificationsAsRead } from "../mark-as-read.server.ts";

export const meta: MetaFunction = () => pageTitle("Moderation");

export const handle = { access: "moderate", menu: { label: "Moderation" } } satisfies RouteHandle;

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  await markPageNotificationsAsRead(context, request, viewer);
  const { listAppealed, listDecided, listHeld, listReported, listSignals, queueKey } = await import(
    "#app/features/moderation/moderation-queue.server.ts"
  );
  const queues = { reported: listReported, held: listHeld, appealed: listAppealed };
  const { searchParams } = new URL(request.url);
  const show = searchParams.get("show");
  const queue = isQueue(show) ? show : "reported";
  const cursor = parseCursor(searchParams, queue === "reported" ? queueKey : idKey);
  if (queue === "decided") return { queue, ...(await listDecided(context.db, viewer, cursor)) };
  if (queue === "problems") {
    const { listWaitingProblems } = await import(
      "#app/features/order-problems/order-problem-details.server.ts"
    );
    return { queue, ...(await listWaitingProblems(context.db, viewer, cursor)) };
  }
  if (queue === "signals") {
    const { findLastRunOf } = await import("#app/features/administration/job-runs.server.ts");
    const [page, searchedAt] = await Promise.all([
      listSignals(context.db, viewer, cursor),
      findLastRunOf(context.db, "signals"),
    ]);
    return { queue, ...page, searchedAt };
  }
  return { queue, ...(await queues[queue](context.db, viewer, cursor)) };
});

export default function ModerationPage() {
  const { work } = useUnread();
  const labelOf = (count = 0) => (count > 0 ? workCountLabel(count) : undefined);
  const counts = {
    reported: labelOf(work.reports),
    signals: labelOf(work.signals),
    held: labelOf(work["first-listings"]),
    appealed: labelOf(work.appeals),
    problems: labelOf(work["order-problems"]),
  };
  return <QueueView {...useLoaderData<typeof loader>()} counts={counts} />;
}
