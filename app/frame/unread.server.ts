import type { AppLoadContext } from "@remix-run/cloudflare";
import { may } from "#app/features/accounts/permissions.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { countUnreadMessages } from "#app/features/messages/conversations.server.ts";
import { countWaitingCases } from "#app/features/moderation/waiting-cases.server.ts";
import { countUnreadNotifications } from "#app/features/notifications/notifications.server.ts";

export type Unread = Awaited<ReturnType<typeof countUnread>>;

/**
 * What the viewer has not read, and what waits for a moderator, for the badges; the number of notifications ends at 100.
 *
 * @param shownPath the page that is being opened, whose loader marks what it shows as read at the same time
 */
export async function countUnread({ db }: Pick<AppLoadContext, "db">, viewer: Viewer, shownPath?: string) {
  const [notifications, messages, cases] = await Promise.all([
    countUnreadNotifications(db, viewer, shownPath),
    countUnreadMessages(db, viewer, shownPath),
    may(viewer, "moderate") ? countWaitingCases(db) : 0,
  ]);
  return { notifications, messages, cases };
}
