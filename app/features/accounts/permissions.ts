import type { Role } from "#app/db/values.ts";
import type { Viewer } from "./viewer.ts";

/** What each role may do beyond its own account, orders and listings. Guards, menus and SQL conditions read it here. */
const permissions = {
  Buyer: [],
  Seller: [],
  Admin: [
    "moderate",
    "manage users",
    "verify sellers",
    "manage orders",
    "manage listings",
    "read problem reports",
    "search records",
    "see numbers",
    "see activity",
    "see the system",
    "export tables",
    "delete in bulk",
  ],
} as const satisfies Record<Role, readonly string[]>;

export const roles = Object.keys(permissions) as [Role, ...Role[]];

export type Permission = (typeof permissions)[Role][number];

/** Whether a user may do something. */
export function may({ userType }: Pick<Viewer, "userType">, permission: Permission): boolean {
  return (permissions[userType] as readonly Permission[]).includes(permission);
}

/** The roles whose users may do something. */
export function rolesThatMay(permission: Permission): Role[] {
  return roles.filter((userType) => may({ userType }, permission));
}
