import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { countUnreadMessages } from "#app/features/messages/conversations.server.ts";
import { countUnreadNotifications } from "#app/features/notifications/notifications.server.ts";

export type Unread = Awaited<ReturnType<typeof countUnread>>;

/** What the viewer has not read, for the badges; the number of notifications ends at 100. */
export async function countUnread({ db }: Pick<AppLoadContext, "db">, viewer: Viewer) {
  const [notifications, messages] = await Promise.all([
    countUnreadNotifications(db, viewer),
    countUnreadMessages(db, viewer),
  ]);
  return { notifications, messages };
}
