import type { Role } from "#app/db/values.ts";
import { normalizePath } from "#app/server/http/paths.ts";
import type { Unread } from "./unread.server.ts";

/** The pages in the dashboard's menu. Those for some users redirect the others to the login page. */
export const menu: {
  to: string;
  label: string;
  roles?: Role[];
  forSellers?: true;
  /** What its badge counts. */
  counts?: keyof Unread;
}[] = [
  { to: "/manage", label: "My Orders" },
  { to: "/manage/saved", label: "Saved" },
  { to: "/manage/mysells", label: "My Sells", forSellers: true },
  { to: "/manage/messages", label: "Messages", counts: "messages" },
  { to: "/manage/searches", label: "Searches" },
  { to: "/manage/notifications", label: "Notifications", counts: "notifications" },
  { to: "/manage/users", label: "Users", roles: ["Admin"] },
  { to: "/manage/sellers", label: "Sellers", roles: ["Admin"] },
  { to: "/manage/reports", label: "Reports", roles: ["Admin"] },
  { to: "/manage/orders", label: "All orders", roles: ["Admin"] },
  { to: "/manage/listings", label: "All listings", roles: ["Admin"] },
  { to: "/manage/moderation", label: "Moderation", roles: ["Admin"] },
  { to: "/manage/activity", label: "Activity", roles: ["Admin"] },
  { to: "/manage/account", label: "My account" },
];

/** Pages of administrators that are not in the menu. */
const otherPages = /^\/manage\/(?:search|selected|users\/[^/]+|moderation\/[^/]+\/[^/]+|[a-z]+\.csv)$/;

const forAdministrators = "This page is for administrators";

/** Says for whom a page is, or returns null if the user may open it. */
export function refusalFor(path: string, user: { userType: Role; hasMySellings: boolean }): string | null {
  const pathname = normalizePath(path.replace(/[?#].*/s, ""));
  if (otherPages.test(pathname) && user.userType !== "Admin") return forAdministrators;
  const page = menu.find(({ to }) => to === pathname);
  if (page?.roles && !page.roles.includes(user.userType)) return forAdministrators;
  if (page?.forSellers && !user.hasMySellings) return "This page is for sellers";
  return null;
}
