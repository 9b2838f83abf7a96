import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useRouteLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { requireUser } from "#app/auth/guard.server.ts";
import type { Role } from "#app/db/values.ts";
import { isSelling } from "#app/features/listings/sellings.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { NavLink } from "#app/ui/nav-link.tsx";
import { RouteError } from "../pages/error-pages.tsx";

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  return { userType: viewer.userType, isSelling: await isSelling(context.db, viewer) };
});

const entries: { to: string; label: string; roles?: Role[]; forSellers?: true }[] = [
  { to: "/manage", label: "My Orders" },
  { to: "/manage/mysells", label: "My Sells", forSellers: true },
  { to: "/manage/users", label: "Users", roles: ["Admin"] },
  { to: "/manage/sellers", label: "Sellers", roles: ["Admin"] },
  { to: "/manage/reports", label: "Reports", roles: ["Admin"] },
  { to: "/manage/orders", label: "All orders", roles: ["Admin"] },
  { to: "/manage/listings", label: "All listings", roles: ["Admin"] },
  { to: "/manage/activity", label: "Activity", roles: ["Admin"] },
  { to: "/manage/account", label: "My account" },
];

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function ManageLayout() {
  return (
    <ManageFrame>
      <Outlet />
    </ManageFrame>
  );
}

/** Keeps the drawer when a page fails. If the layout's own loader fails, it has the entries that all roles see. */
export function ErrorBoundary() {
  return (
    <ManageFrame>
      <RouteError />
    </ManageFrame>
  );
}

function ManageFrame({ children }: { children: ReactNode }) {
  const { userType, isSelling = false } = useRouteLoaderData<typeof loader>("manage") ?? {};
  const shown = entries.filter(
    ({ roles, forSellers }) =>
      (!roles || (userType && roles.includes(userType))) && (!forSellers || isSelling),
  );
  return (
    <div className="page-width grid gap-6 py-8 lg:grid-cols-[13rem_1fr] lg:gap-12 lg:py-12">
      <nav aria-label="Manage" className="lg:border-r lg:border-base-300 lg:pr-6">
        <ul className="flex flex-wrap gap-2 lg:sticky lg:top-24 lg:flex-col">
          {shown.map(({ to, label }) => (
            <li key={to}>
              <NavLink to={to} end className="dashboard-link">
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <section className="min-w-0">{children}</section>
    </div>
  );
}
