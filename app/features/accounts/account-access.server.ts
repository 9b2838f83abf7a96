import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones } from "#app/db/schema.ts";
import type { Role } from "#app/db/values.ts";
import { findAccount } from "./accounts.server.ts";
import type { Viewer } from "./viewer.ts";

/** Whether two addresses are one: they are compared without case. */
export function isSameAddress(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.toLowerCase();
}

/** Whether an account has a role, told to its owner and to administrators; to anyone else it has none. */
export async function hasRole(db: Db, viewer: Viewer | null, email: string, role: Role): Promise<boolean> {
  if (viewer && isSameAddress(email, viewer.email)) return viewer.userType === role;
  if (viewer?.userType !== "Admin") return false;
  return (await findAccount(db, email.trim()))?.userType === role;
}

/**
 * Whose things a viewer asks for: their own, also without an address, or anybody's for an administrator.
 *
 * @returns the account's id, null in it when there is no such account; null when it is not theirs to ask for
 */
export async function accountAsked(
  db: Db,
  viewer: Viewer,
  email: string | undefined,
): Promise<{ id: string | null } | null> {
  if (email === undefined || isSameAddress(email, viewer.email)) return { id: viewer.id };
  if (viewer.userType !== "Admin") return null;
  return { id: (await findAccount(db, email))?.id ?? null };
}

/** Restricts listings to those of the viewer; an administrator has a say over all. */
export function ownUnlessAdmin(viewer: Viewer) {
  return viewer.userType === "Admin" ? undefined : eq(phones.sellerId, viewer.id);
}
