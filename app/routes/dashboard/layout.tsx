import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Form, Outlet, useLocation, useRouteLoaderData } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { requireUser } from "#app/auth/guard.server.ts";
import { brand } from "#app/brand.ts";
import { useMay } from "#app/features/accounts/use-may.ts";
import { isSuspended } from "#app/features/accounts/viewer.ts";
import { findAnnouncements } from "#app/features/administration/shown-announcements.server.ts";
import { totalWork, totalWorkLabel } from "#app/features/administration/work.rules.ts";
import { hasMySellings } from "#app/features/listings/sellings.server.ts";
import { suspensionEndText } from "#app/features/moderation/decisions/decision.rules.ts";
import { hasProvider } from "#app/features/payments/provider.ts";
import { RouteError } from "#app/frame/error-pages.tsx";
import { dashboardDrawerId, NarrowEntries } from "#app/frame/header.tsx";
import { dashboardMenu, type MenuEntry } from "#app/frame/menu.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { countUnread } from "#app/frame/unread.server.ts";
import { UnreadBadge, useUnread } from "#app/frame/unread.tsx";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { isPrefetch } from "#app/server/http/request.server.ts";
import { useDateLabels } from "#app/ui/date-label.ts";
import { closeDrawer, Drawer } from "#app/ui/drawer.tsx";
import { CloseIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { NavLink } from "#app/ui/nav-link.tsx";
import { closedAnnouncements } from "./closed-announcements.server.ts";
import { RecordSearch } from "./record-search.tsx";

export const handle: RouteHandle = { access: "signed in", crawled: false };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const [isSelling, announcements, closed, unread] = await Promise.all([
    hasMySellings(context.db, viewer),
    findAnnouncements(context.db, viewer),
    closedAnnouncements(context, request),
    countUnread(context, viewer, shownPath(request)),
  ]);
  const suspension = isSuspended(viewer) ? { id: viewer.suspensionId, until: viewer.suspendedUntil } : null;
  const { userType, moderatorSince } = viewer;
  const permitted = { userType, moderatorSince };
  const menu = dashboardMenu(
    context.pages,
    { ...viewer, hasMySellings: isSelling },
    hasProvider(context.environment),
  );
  return {
    permitted,
    menu,
    announcements: announcements.filter(({ id }) => !closed.includes(id)),
    unread,
    suspension,
  };
});

/** The path of the page that is being opened, unless it may leave something unread: a prefetch, or a part of a list. */
function shownPath(request: Request): string | undefined {
  const { pathname, searchParams } = new URL(request.url);
  const isPart = searchParams.has("after") || searchParams.has("before");
  return isPart || isPrefetch(request) ? undefined : pathname;
}

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function ManageLayout() {
  return (
    <ManageFrame>
      <Outlet />
    </ManageFrame>
  );
}

/** Keeps the menu when a page fails, unless the layout's own loader fails. */
export function ErrorBoundary() {
  return (
    <ManageFrame>
      <RouteError />
    </ManageFrame>
  );
}

function ManageFrame({ children }: { children: ReactNode }) {
  const { dayLabel } = useDateLabels();
  const { menu, announcements = [], suspension } = useRouteLoaderData<typeof loader>("manage") ?? {};
  const drawer = useRef<HTMLDivElement>(null);
  const { key, pathname, search } = useLocation();
  const may = useMay();
  const suspensionPath = `/manage/decisions/${suspension?.id}`;
  useEffect(() => {
    closeDrawer(drawer.current);
  }, [key]);
  return (
    <div className="page-width grid gap-6 py-8 lg:grid-cols-[13rem_1fr] lg:gap-12 lg:py-12">
      <Drawer
        id={dashboardDrawerId}
        drawer={drawer}
        title="Manage"
        className="right-0 left-auto w-72 border-l"
        headerClassName="lg:hidden"
      >
        {menu && (
          <nav aria-label="Manage" className="p-4 lg:h-full lg:border-r lg:border-base-300 lg:p-0 lg:pr-6">
            {may("search records") && (
              <div className="mb-4">
                <RecordSearch id="menu-search" />
              </div>
            )}
            <div className="grid gap-6 lg:sticky lg:top-below-bars">
              <MenuList entries={menu.own} />
              {menu.staff.length > 0 && (
                <div>
                  <h2 id="admin-menu" className="mb-2 px-4 text-sm font-semibold text-quiet">
                    Administration
                  </h2>
                  <MenuList entries={menu.staff} labelledBy="admin-menu" />
                </div>
              )}
            </div>
          </nav>
        )}
        <nav aria-label="Menu" className="border-t border-base-300 px-5 py-4 lg:hidden">
          <NarrowEntries signedIn />
        </nav>
      </Drawer>
      <section className="min-w-0">
        {suspension && pathname !== suspensionPath && (
          <p className="mb-6 max-w-prose rounded-box bg-base-200 px-4 py-3">
            <strong className="font-semibold">
              Your account is suspended {suspensionEndText(suspension.until, dayLabel)}.
            </strong>{" "}
            You can still finish your orders.{" "}
            <Link to={suspensionPath} className="link">
              See why, and what you can do
            </Link>
          </p>
        )}
        {announcements.map(({ id, text }) => (
          <Form
            key={id}
            method="post"
            action="/manage/notifications"
            preventScrollReset
            className="mb-4 flex max-w-prose items-center gap-2 rounded-box bg-base-200 px-3 py-1.5 text-sm print:hidden"
          >
            <p className="min-w-0 flex-1 wrap-anywhere">
              <strong className="font-semibold">From {brand.name}:</strong> {text}
            </p>
            <input type="hidden" name="_id" value={id} />
            <input type="hidden" name="redirectTo" value={pathname + search} />
            <button
              type="submit"
              name="intent"
              value="close announcement"
              aria-label="Close the announcement"
              className="btn btn-ghost btn-sm btn-square"
            >
              <CloseIcon />
            </button>
          </Form>
        ))}
        {children}
      </section>
    </div>
  );
}

function MenuList({ entries, labelledBy }: { entries: MenuEntry[]; labelledBy?: string }) {
  const unread = useUnread();
  return (
    <ul className="grid gap-1" aria-labelledby={labelledBy}>
      {entries.map(({ to, label, counts }) => (
        <li key={to}>
          <NavLink to={to} end={to === "/manage"} className="dashboard-link">
            {label}
            {counts === "work" ? (
              <UnreadBadge
                count={totalWork(unread.work)}
                label={totalWorkLabel(unread.work)}
                meaning="waiting"
                className="ml-2"
              />
            ) : (
              counts && <UnreadBadge count={unread[counts]} className="ml-2" />
            )}
          </NavLink>
        </li>
      ))}
    </ul>
  );
}
