import { eq, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { loginAttempts } from "#app/db/schema.ts";

/** Wrong passwords in a row before the first wait. */
export const freeAttempts = 5;

export const maxWaitMinutes = 15;

/** Attempts are deleted after so many hours without a new one. */
export const retentionHours = 12;

/** The wait after so many failed attempts in a row: at first none, then one minute, then twice as long each time. */
export function waitMinutes(attempts: number): number {
  return attempts < freeAttempts ? 0 : Math.min(maxWaitMinutes, 2 ** (attempts - freeAttempts));
}

/** Failed attempts after which the wait is the maximum. */
export const maxWaitAttempts = freeAttempts + Math.ceil(Math.log2(maxWaitMinutes));

const minute = 60_000;

/**
 * Counts a login attempt before its password is checked, so that concurrent attempts cannot exceed the limit.
 *
 * @param key a keyed hash of the email address, alone or with the device
 * @returns null if the attempt is allowed, else the seconds to wait; such an attempt is not counted
 */
export async function countAttempt(db: Db, key: string, now = new Date()): Promise<number | null> {
  const expiredBefore = new Date(now.getTime() - retentionHours * 60 * minute);
  const [, allowed, [row]] = await db.batch([
    db.delete(loginAttempts).where(lt(loginAttempts.lastAt, expiredBefore)),
    db
      .insert(loginAttempts)
      .values({
        key,
        attempts: 1,
        lastAt: now,
        blockedUntil: new Date(now.getTime() + waitMinutes(1) * minute),
      })
      .onConflictDoUpdate({
        target: loginAttempts.key,
        set: {
          attempts: sql`${loginAttempts.attempts} + 1`,
          lastAt: now,
          blockedUntil: sql`${now.getTime()} + ${minute} * ${waitMinutesSql(sql`${loginAttempts.attempts} + 1`)}`,
        },
        setWhere: lte(loginAttempts.blockedUntil, now),
      })
      .returning({ attempts: loginAttempts.attempts }),
    db
      .select({ blockedUntil: loginAttempts.blockedUntil })
      .from(loginAttempts)
      .where(eq(loginAttempts.key, key)),
  ]);
  if (allowed.length > 0 || !row) return null;
  return Math.max(1, Math.ceil((row.blockedUntil.getTime() - now.getTime()) / 1000));
}

/** Resets the count after a successful login or a password reset. */
export async function clearAttempts(db: Db, key: string): Promise<void> {
  await db.delete(loginAttempts).where(eq(loginAttempts.key, key));
}

/** `waitMinutes` as an SQL expression. */
function waitMinutesSql(attempts: SQL): SQL {
  const steps = Array.from(
    { length: maxWaitAttempts - 1 },
    (_, index) => sql`when ${index + 1} then ${waitMinutes(index + 1)}`,
  );
  return sql`case ${attempts} ${sql.join(steps, sql` `)} else ${maxWaitMinutes} end`;
}
