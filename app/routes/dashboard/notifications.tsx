import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { Form, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/auth/guard.server.ts";
import { NotificationList } from "#app/features/notifications/notification-list.tsx";
import {
  listNotifications,
  markNotificationsAsRead,
} from "#app/features/notifications/notifications.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { useUnread } from "#app/frame/unread.tsx";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { safeRedirect } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { badRequest } from "#app/server/http/responses.server.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { EmptyPage, EmptyState } from "#app/ui/empty-state.tsx";
import { ActionError } from "#app/ui/error-box.tsx";
import { BellIcon } from "#app/ui/icons.tsx";
import { CursorPager } from "#app/ui/pager.tsx";
import { tableCursor } from "./table-requests.server.ts";

const address = "/manage/notifications";

export const meta: MetaFunction = () => pageTitle("Notifications");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = {
  access: "signed in",
  menu: { label: "Notifications", counts: "notifications" },
};

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  return listNotifications(context.db, viewer, tableCursor(request));
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const form = await readForm(request);
  const intent = form.get("intent");
  const limitRefusal = await rateLimitRefusal(context, "read notifications", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  if (intent === "close announcement") {
    const { closeAnnouncement } = await import("./closed-announcements.server.ts");
    const closed = await closeAnnouncement(context, request, String(form.get("_id")));
    return redirect(safeRedirect(form.get("redirectTo"), "/manage"), {
      status: 303,
      headers: { "Set-Cookie": closed },
    });
  }
  if (intent !== "read all") throw badRequest();
  await markNotificationsAsRead(context.db, viewer);
  return redirectWithToast(context, address, {
    kind: "success",
    message: "All notifications marked as read",
  });
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Notifications() {
  const { rows, previous, next, isFirstPage } = useLoaderData<typeof loader>();
  const hasUnread = useUnread().notifications > 0;
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="text-3xl font-semibold">Notifications</h1>
        {hasUnread && (
          <Form method="post" action={address}>
            <input type="hidden" name="intent" value="read all" />
            <SubmitButton pending={{ intent: "read all" }} className="btn-outline">
              Mark all as read
            </SubmitButton>
          </Form>
        )}
      </div>
      <ActionError />
      {rows.length > 0 && <NotificationList notifications={rows} />}
      {rows.length === 0 && (isFirstPage ? <NoNotifications /> : <EmptyPage firstPage={address} />)}
      <CursorPager path={address} previous={previous} next={next} />
    </>
  );
}

function NoNotifications() {
  return (
    <EmptyState
      icon={<BellIcon className="size-10" />}
      title="No notifications yet"
      text="News on your orders, sales and reviews shows up here."
    />
  );
}
