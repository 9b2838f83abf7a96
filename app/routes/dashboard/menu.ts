import type { Role } from "#app/db/values.ts";
import { normalizePath } from "#app/server/http/paths.ts";
import type { Unread } from "./unread.server.ts";

interface MenuEntry {
  to: string;
  label: string;
  forSellers?: true;
  /** What its badge counts. */
  counts?: keyof Unread;
}

/** The pages in the dashboard's menu. Those for some users redirect the others to the login page. */
export const menu: MenuEntry[] = [
  { to: "/manage", label: "My Orders" },
  { to: "/manage/mysells", label: "My Sells", forSellers: true },
  { to: "/manage/messages", label: "Messages", counts: "messages" },
  { to: "/manage/notifications", label: "Notifications", counts: "notifications" },
  { to: "/manage/saved", label: "Saved" },
  { to: "/manage/searches", label: "Searches" },
  { to: "/manage/account", label: "My account" },
];

/** The pages of administrators in the menu. */
export const adminMenu: MenuEntry[] = [
  { to: "/manage/users", label: "Users" },
  { to: "/manage/sellers", label: "Sellers" },
  { to: "/manage/reports", label: "Reports" },
  { to: "/manage/orders", label: "All orders" },
  { to: "/manage/listings", label: "All listings" },
  { to: "/manage/moderation", label: "Moderation" },
  { to: "/manage/activity", label: "Activity" },
  { to: "/manage/numbers", label: "Numbers" },
];

/** Pages of administrators that are not in the menu. */
const otherPages =
  /^\/manage\/(?:search|selected|content-reports|users\/[^/]+|moderation\/[^/]+\/[^/]+|[a-z-]+\.csv)$/;

/** A page of sellers that is not in the menu. */
const sellerNumbers = "/manage/mysells/numbers";

const forAdministrators = "This page is for administrators";

/** Says for whom a page is, or returns null if the user may open it. */
export function refusalFor(path: string, user: { userType: Role; hasMySellings: boolean }): string | null {
  const pathname = normalizePath(path.replace(/[?#].*/s, ""));
  const isForAdministrators = otherPages.test(pathname) || adminMenu.some(({ to }) => to === pathname);
  if (isForAdministrators && user.userType !== "Admin") return forAdministrators;
  const isForSellers =
    pathname === sellerNumbers || menu.some(({ to, forSellers }) => forSellers && to === pathname);
  if (isForSellers && !user.hasMySellings) return "This page is for sellers";
  return null;
}
