import { eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import type { Role } from "#app/db/enums.ts";
import { phones, users } from "#app/db/schema.ts";
import { findAccount } from "./accounts.server.ts";
import { isSameEmail } from "./email.server.ts";
import { may, moderatorsMay, type Permission, rolesThatMay } from "./permissions.ts";
import type { Viewer } from "./viewer.ts";

/** Whether an account has a role. Only its owner and administrators may know; others get false. */
export async function hasRole(db: Db, viewer: Viewer | null, email: string, role: Role): Promise<boolean> {
  if (viewer && isSameEmail(email, viewer.email)) return viewer.userType === role;
  if (!viewer || !may(viewer, "manage users")) return false;
  return (await findAccount(db, email.trim()))?.userType === role;
}

/**
 * Finds the account whose data a viewer requests: their own by default, any account for administrators.
 *
 * @returns null if the viewer may not read that account; an id of null if it does not exist
 */
export async function findAccessibleAccount(
  db: Db,
  viewer: Viewer,
  email: string | undefined,
): Promise<{ id: string | null } | null> {
  if (email === undefined || isSameEmail(email, viewer.email)) return { id: viewer.id };
  if (!may(viewer, "manage users")) return null;
  return { id: (await findAccount(db, email))?.id ?? null };
}

/** Condition on `phones`: the viewer may change the listing, as its seller or an administrator. */
export function mayChangeListing(viewer: Viewer) {
  return may(viewer, "manage listings") ? undefined : eq(phones.sellerId, viewer.id);
}

/** Condition on `users`, or an alias of it: the user may do something, see `may`. */
export function hasPermission(
  permission: Permission,
  user: { userType: AnySQLiteColumn; moderatorSince: AnySQLiteColumn } = users,
): SQL {
  const byRole = inArray(user.userType, rolesThatMay(permission));
  return moderatorsMay(permission) ? sql`(${byRole} or ${isNotNull(user.moderatorSince)})` : byRole;
}
