import { inArray, type SQL } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import { users } from "#app/db/schema.ts";
import { type Permission, rolesThatMay } from "./permissions.ts";

/** Condition on `users`, or an alias of it: the user may do something, see `may`. */
export function hasPermission(permission: Permission, user: { userType: AnySQLiteColumn } = users): SQL {
  return inArray(user.userType, rolesThatMay(permission));
}
