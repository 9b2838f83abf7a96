import type { AppLoadContext } from "@remix-run/cloudflare";
import { sessionIdOf } from "#app/auth/guard.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import {
  findUnread,
  markNotificationsAsRead,
  markPathAsRead,
} from "#app/features/notifications/notifications.server.ts";
import { isPrefetch } from "#app/server/http/request.server.ts";

/** Marks the viewer's notifications that lead to the requested page as read, unless it is only fetched ahead. */
export async function markPageNotificationsAsRead(
  context: AppLoadContext,
  request: Request,
  viewer: Viewer,
): Promise<void> {
  if (!isPrefetch(request)) await markPathAsRead(context.db, viewer, new URL(request.url).pathname);
}

/** The same for a public page, in two steps: what is unread is found beside the lookup of the viewer. */
export async function findUnreadOfPage(context: AppLoadContext, request: Request) {
  const sessionId = await sessionIdOf(context, request);
  const unread =
    sessionId && !isPrefetch(request)
      ? await findUnread(context.db, sessionId, new URL(request.url).pathname)
      : [];
  return async (viewer: Viewer | null) => {
    if (viewer && unread.length > 0) await markNotificationsAsRead(context.db, viewer, unread);
  };
}
