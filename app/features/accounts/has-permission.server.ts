import { inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import { users } from "#app/db/schema.ts";
import { moderatorsMay, type Permission, rolesThatMay } from "./permissions.ts";

/** Condition on `users`, or an alias of it: the user may do something, see `may`. */
export function hasPermission(
  permission: Permission,
  user: { userType: AnySQLiteColumn; moderatorSince: AnySQLiteColumn } = users,
): SQL {
  const byRole = inArray(user.userType, rolesThatMay(permission));
  return moderatorsMay(permission) ? sql`(${byRole} or ${isNotNull(user.moderatorSince)})` : byRole;
}
