import { type Role, roles } from "#app/db/enums.ts";
import type { Viewer } from "./viewer.ts";

/**
 * What each role may do beyond its own account, orders and listings. Guards, menus and SQL conditions read it here.
 * "Moderator" comes on top of the role that an account signed up with.
 */
const permissions = {
  Buyer: [],
  Seller: ["see My Sells"],
  Moderator: ["see work", "moderate", "write notes", "keep saved replies"],
  Admin: [
    "see My Sells",
    "see work",
    "moderate",
    "write notes",
    "keep saved replies",
    "suspend for good",
    "manage moderators",
    "manage users",
    "write to users",
    "write pages",
    "verify sellers",
    "manage orders",
    "manage listings",
    "read support tickets",
    "search records",
    "see numbers",
    "see activity",
    "see the system",
    "export tables",
    "change in bulk",
  ],
} as const satisfies Record<Role | "Moderator", readonly string[]>;

/** A role of an account, or Moderator, which is added to one. */
export type AnyRole = keyof typeof permissions;
export const allRoles = Object.keys(permissions) as AnyRole[];

export type Permission = (typeof permissions)[keyof typeof permissions][number];

export function isPermission(text: string): text is Permission {
  return Object.values(permissions).some((some: readonly string[]) => some.includes(text));
}

/** The columns of an account that its permissions follow from; in the browser, times are text. */
export interface Permitted extends Pick<Viewer, "userType" | "byToken"> {
  moderatorSince: Date | string | null;
}

const includes = (role: AnyRole, permission: Permission) =>
  (permissions[role] as readonly Permission[]).includes(permission);

/** Whether a user may do something. A personal access token acts for its owner's own account alone. */
export function may({ userType, moderatorSince, byToken }: Permitted, permission: Permission): boolean {
  if (byToken) return false;
  return includes(userType, permission) || (moderatorSince !== null && moderatorsMay(permission));
}

/** The roles whose users may do something. */
export function rolesThatMay(permission: Permission): Role[] {
  return roles.filter((userType) => includes(userType, permission));
}

/** Whether moderators may do something, whatever their other role. */
export function moderatorsMay(permission: Permission): boolean {
  return includes("Moderator", permission);
}
