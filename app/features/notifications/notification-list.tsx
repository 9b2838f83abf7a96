import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form } from "@remix-run/react";
import { dateTimeLabel } from "#app/ui/date-label.ts";
import { Link } from "#app/ui/link.tsx";
import type { Notification } from "./notifications.server.ts";

export function NotificationList({ notifications }: { notifications: SerializeFrom<Notification>[] }) {
  return (
    <ul className="divide-y divide-base-300 border-y border-base-300">
      {notifications.map((notification) => (
        <li key={notification.id} className="py-4">
          <div className="flex items-start justify-between gap-4">
            <Sentence {...notification} />
            {!notification.isRead && (
              <span className="badge shrink-0 border-transparent bg-accent font-medium text-accent-content">
                New
              </span>
            )}
          </div>
          <p className="mt-1 text-sm text-quiet">
            <time dateTime={notification.createdAt}>{dateTimeLabel(notification.createdAt)}</time>
          </p>
        </li>
      ))}
    </ul>
  );
}

/** An unread one is a button, since opening it marks it as read, which no link may do. */
function Sentence({ id, text, path, isRead }: SerializeFrom<Notification>) {
  const className = "min-w-0 link text-left wrap-anywhere link-hover";
  if (isRead) {
    return (
      <Link to={path} className={className}>
        {text}
      </Link>
    );
  }
  return (
    <Form method="post" className="min-w-0">
      <input type="hidden" name="intent" value="open" />
      <button type="submit" name="_id" value={id} className={`${className} font-semibold`}>
        {text}
      </button>
    </Form>
  );
}
