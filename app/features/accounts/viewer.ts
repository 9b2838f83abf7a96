import type { Role } from "#app/db/values.ts";

/** The signed-in user of a request, as read from the database. */
export interface Viewer {
  id: string;
  name: string;
  email: string;
  userType: Role;
  /** The decision that suspends the account; null unless suspended. The suspension may be over: see `isSuspended`. */
  suspensionId: string | null;
  suspendedUntil: Date | null;
}

/** Whether the account is suspended now: it may read and finish its orders, but not publish, book or write. */
export function isSuspended(
  { suspensionId, suspendedUntil }: Pick<Viewer, "suspensionId" | "suspendedUntil">,
  now = new Date(),
): boolean {
  return suspensionId !== null && (suspendedUntil === null || suspendedUntil > now);
}
