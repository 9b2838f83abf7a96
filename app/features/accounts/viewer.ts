import { brand } from "#app/brand.ts";
import type { Role } from "#app/db/enums.ts";

/** The signed-in user of a request, as read from the database. */
export interface Viewer {
  id: string;
  name: string;
  email: string;
  userType: Role;
  /** The decision that suspends the account; null unless suspended. The suspension may be over: see `isSuspended`. */
  suspensionId: string | null;
  suspendedUntil: Date | null;
  /** Null unless the account is a moderator's. */
  moderatorSince: Date | null;
  /** Raised when the account's sessions are ended, see `openSession`. */
  sessionVersion: number;
  /** Whether a personal access token stands for the account: it carries no permission, see `may`. */
  byToken?: true;
}

/** The actor of what a job does by itself. No account has its id, so nobody can undo it. */
export const system = { id: "", name: brand.name, email: brand.name, userType: "system" } as const;

/** Who does something: a person or the system. */
export type Actor = Viewer | typeof system;

/** Whether the account is suspended now: it may read and finish its orders, but not publish, book or write. */
export function isSuspended(
  { suspensionId, suspendedUntil }: Pick<Viewer, "suspensionId" | "suspendedUntil">,
  now = new Date(),
): boolean {
  return suspensionId !== null && (suspendedUntil === null || suspendedUntil > now);
}

/** Stands for the name of an account that is closed or removed. */
export const formerMember = "Former member";

/** A person's name as strangers see it: the first name and the initial of the last. */
export function publicName(name: string | null): string {
  if (name === null) return formerMember;
  const [first = "", ...others] = name.trim().split(/\s+/);
  const initial = [...(others.at(-1) ?? "")][0];
  return initial ? `${first} ${initial}.` : first;
}

/** The name of the other side of an order or a conversation: a seller’s as their listings show it, a buyer’s as strangers see it. */
export function otherSideName(name: string | null, isSeller: boolean): string {
  return name !== null && isSeller ? name : publicName(name);
}
