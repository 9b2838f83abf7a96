import type { SerializeFrom } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { useDateLabels } from "#app/ui/date-label.ts";
import type { Notification } from "./notifications.server.ts";

export function NotificationList({ notifications }: { notifications: SerializeFrom<Notification>[] }) {
  const { recentLabel } = useDateLabels();
  return (
    <ul className="divide-y divide-base-300 border-y border-base-300">
      {notifications.map((notification) => (
        <li key={notification.id} className="py-2">
          <div className="flex items-center justify-between gap-4">
            {/* It marks the notification as read, so it is never fetched ahead. */}
            <Link
              to={`/manage/notifications/${notification.id}`}
              prefetch="none"
              className={`link inline-flex min-h-11 min-w-0 items-center wrap-anywhere ${notification.isRead ? "" : "font-semibold"}`}
            >
              {notification.text}
            </Link>
            {!notification.isRead && (
              <span className="badge shrink-0 border-transparent bg-accent font-medium text-accent-content">
                New
              </span>
            )}
          </div>
          <p className="text-sm text-quiet">
            <time dateTime={notification.createdAt}>{recentLabel(notification.createdAt)}</time>
          </p>
        </li>
      ))}
    </ul>
  );
}
