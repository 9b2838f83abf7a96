import { may, moderatorsMay, type Permission, type Permitted } from "#app/features/accounts/permissions.ts";
import { normalizePath } from "#app/server/http/paths.ts";
import type { Unread } from "./unread.server.ts";

interface MenuEntry {
  to: string;
  label: string;
  forSellers?: true;
  /** What its badge counts. */
  counts?: keyof Unread;
}

/** On narrow screens the menu is in a drawer, which the header opens. */
export const dashboardDrawerId = "manage-menu";

/** The pages in the dashboard's menu. Those for some users redirect the others to the login page. */
export const menu: MenuEntry[] = [
  { to: "/manage", label: "My Orders" },
  { to: "/manage/mysells", label: "My Sells", forSellers: true },
  { to: "/manage/messages", label: "Messages", counts: "messages" },
  { to: "/manage/offers", label: "Offers", counts: "offers" },
  { to: "/manage/notifications", label: "Notifications", counts: "notifications" },
  { to: "/manage/saved", label: "Saved" },
  { to: "/manage/searches", label: "Searches" },
  { to: "/manage/account", label: "My account" },
];

/** The pages in the menu that need a permission. */
export const adminMenu: (MenuEntry & { permission: Permission })[] = [
  { to: "/manage/work", label: "Work", permission: "see work", counts: "work" },
  { to: "/manage/users", label: "Users", permission: "manage users" },
  { to: "/manage/sellers", label: "Sellers", permission: "verify sellers" },
  { to: "/manage/reports", label: "Reports", permission: "read problem reports" },
  { to: "/manage/orders", label: "All orders", permission: "manage orders" },
  { to: "/manage/listings", label: "All listings", permission: "manage listings" },
  { to: "/manage/moderation", label: "Moderation", permission: "moderate" },
  { to: "/manage/announcements", label: "Announcements", permission: "write to users" },
  { to: "/manage/pages", label: "Pages", permission: "write pages" },
  { to: "/manage/activity", label: "Activity", permission: "see activity" },
  { to: "/manage/numbers", label: "Numbers", permission: "see numbers" },
  { to: "/manage/system", label: "System", permission: "see the system" },
];

/** Pages that are not in the menu and need a permission. */
const otherPages: [RegExp, Permission][] = [
  [/^\/manage\/search$/, "search records"],
  [/^\/manage\/selected$/, "change in bulk"],
  [/^\/manage\/users\/[^/]+$/, "manage users"],
  [/^\/manage\/reports\/[^/]+$/, "read problem reports"],
  [/^\/manage\/pages\/[^/]+$/, "write pages"],
  [/^\/manage\/(?:content-reports|problems\/[^/]+|moderation\/[^/]+\/[^/]+)$/, "moderate"],
  [/^\/manage\/[a-z-]+\.csv$/, "export tables"],
];

/** A page of sellers that is not in the menu. */
const sellerNumbers = "/manage/mysells/numbers";

/** Says for whom a page is, or returns null if the user may open it. */
export function refusalFor(path: string, user: Permitted & { hasMySellings: boolean }): string | null {
  const pathname = normalizePath(path.replace(/[?#].*/s, ""));
  const needed =
    adminMenu.find(({ to }) => to === pathname)?.permission ??
    otherPages.find(([pattern]) => pattern.test(pathname))?.[1];
  if (needed && !may(user, needed)) {
    return `This page is for ${moderatorsMay(needed) ? "moderators" : "administrators"}`;
  }
  const isForSellers =
    pathname === sellerNumbers || menu.some(({ to, forSellers }) => forSellers && to === pathname);
  if (isForSellers && !user.hasMySellings) return "This page is for sellers";
  return null;
}
