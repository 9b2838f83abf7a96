import type { AppLoadContext } from "@remix-run/cloudflare";
import { may } from "#app/features/accounts/permissions.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import type { WorkCounts } from "#app/features/administration/work.rules.ts";
import type { countWork } from "#app/features/administration/work.server.ts";
import { countUnreadMessages } from "#app/features/messages/conversations.server.ts";
import { countUnreadNotifications } from "#app/features/notifications/notifications.server.ts";
import { countWaitingOffers } from "#app/features/orders/offers.server.ts";

export type UnreadCounts = Awaited<ReturnType<typeof countUnread>>;

/** The page that counts the work itself, for the badges, too. */
const workPath = "/manage/work";

const notCounted: WorkCounts = {};

/** Loaded on demand: only staff have work. */
async function countStaffWork(...counted: Parameters<typeof countWork>) {
  const { countWork } = await import("#app/features/administration/work.server.ts");
  return countWork(...counted);
}

/**
 * What the viewer has not read, which offers wait for them, and the work that waits, for the badges; the number of
 * notifications ends at 100.
 *
 * @param shownPath the page that is being opened, whose loader marks what it shows as read at the same time
 */
export async function countUnread({ db }: Pick<AppLoadContext, "db">, viewer: Viewer, shownPath?: string) {
  const [notifications, messages, offers, work] = await Promise.all([
    countUnreadNotifications(db, viewer, shownPath),
    countUnreadMessages(db, viewer, shownPath),
    countWaitingOffers(db, viewer),
    shownPath === workPath || !may(viewer, "see work") ? notCounted : countStaffWork(db, viewer),
  ]);
  return { notifications, messages, offers, work };
}
