import { type SQLWrapper, sql } from "drizzle-orm";

/** Normalizes an email address for comparison. Valid addresses are ASCII, as SQL's `lower` requires. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Whether two email addresses are the same. */
export function isSameEmail(one: string, other: string): boolean {
  return normalizeEmail(one) === normalizeEmail(other);
}

/** SQL condition: two email addresses are the same. Matches the indexes on `lower(email)`. */
export function emailEquals(one: SQLWrapper, other: SQLWrapper | string) {
  return sql`lower(${one}) = lower(${other})`;
}
