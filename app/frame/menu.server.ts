import { isPermission, may, moderatorsMay, type Permitted } from "#app/features/accounts/permissions.ts";
import type { PageRoutes } from "#app/server/http/page-routes.server.ts";
import { type Access, handleOf, type RouteHandle } from "./route-handle.ts";

/** An entry in the dashboard's menu. */
export type MenuEntry = NonNullable<RouteHandle["menu"]> & { to: string };

type Reader = Permitted & { hasMySellings: boolean };

/**
 * The dashboard's menu for a user: what all or sellers have, and what needs a permission.
 *
 * @param isProtected whether the market has a payment provider
 */
export function dashboardMenu(
  { all }: PageRoutes,
  user: Reader,
  isProtected: boolean,
): { own: MenuEntry[]; staff: MenuEntry[] } {
  const entries = all.flatMap((page) => {
    const { access = "anyone", menu } = handleOf(page);
    const isShown = isProtected || !menu?.needsProvider;
    return menu && isShown && mayOpen(access, user) ? [{ to: page.path, access, ...menu }] : [];
  });
  const isForStaff = ({ access }: { access: Access }) => isPermission(access);
  return { own: entries.filter((entry) => !isForStaff(entry)), staff: entries.filter(isForStaff) };
}

/** Says for whom a page is, or returns null if the user may open it. */
export function refusalFor({ at }: PageRoutes, path: string, user: Reader): string | null {
  const page = at(path.replace(/[?#].*/s, ""));
  const { access = "anyone" } = page ? handleOf(page) : {};
  if (mayOpen(access, user)) return null;
  if (!isPermission(access)) return "This page is for sellers";
  return `This page is for ${moderatorsMay(access) ? "moderators" : "administrators"}`;
}

function mayOpen(access: Access, user: Reader): boolean {
  if (access === "my sellings") return user.hasMySellings;
  return !isPermission(access) || may(user, access);
}
