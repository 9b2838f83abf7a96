import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { requireUser } from "#app/auth/guard.server.ts";
import {
  findNotificationPath,
  markNotificationsAsRead,
} from "#app/features/notifications/notifications.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { isPrefetch } from "#app/server/http/request.server.ts";
import { notFound } from "#app/server/http/responses.server.ts";

export const handle: RouteHandle = { access: "signed in" };

/** Marks a notification as read, and leads to its page: not every page does so itself. */
export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const id = params.notificationId ?? "";
  const path = await findNotificationPath(context.db, viewer, id);
  if (path === null) throw notFound();
  if (!isPrefetch(request)) await markNotificationsAsRead(context.db, viewer, [id]);
  return redirect(path, { headers: { "Cache-Control": "private, no-store" } });
});

/** Never shown: with a component, errors have the frame of the dashboard. */
export default function OpenNotification() {
  return null;
}
