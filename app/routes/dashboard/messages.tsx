import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useLocation } from "@remix-run/react";
import { requireUser } from "#app/auth/guard.server.ts";
import { ConversationList } from "#app/features/messages/conversation-list.tsx";
import { listConversations, newestMessageId } from "#app/features/messages/conversations.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { EmptyPage, EmptyState } from "#app/ui/empty-state.tsx";
import { ShortMessageIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { useRevalidateOnChange } from "#app/ui/live-data.ts";
import { CursorPager } from "#app/ui/pager.tsx";
import { tableCursor } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("Messages");

export const handle: RouteHandle = { access: "signed in", menu: { label: "Messages", counts: "messages" } };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const [page, newest] = await Promise.all([
    listConversations(context.db, viewer, tableCursor(request)),
    newestMessageId(context.db, viewer),
  ]);
  return { ...page, newest };
});

export default function Messages() {
  const { rows, previous, next, isFirstPage, newest } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  useRevalidateOnChange(isFirstPage ? "/manage/messages/newest" : null, newest);
  return (
    <>
      <h1 className="mb-6 text-3xl font-semibold">Messages</h1>
      {rows.length > 0 && <ConversationList conversations={rows} />}
      {rows.length === 0 && !isFirstPage && <EmptyPage firstPage={pathname} />}
      {rows.length === 0 && isFirstPage && (
        <EmptyState
          icon={<ShortMessageIcon className="size-10" />}
          title="No messages yet"
          text="Your conversations with sellers show up here."
        >
          <Link to="/products" className="btn btn-primary">
            Browse devices
          </Link>
        </EmptyState>
      )}
      <CursorPager path={pathname} previous={previous} next={next} />
    </>
  );
}
