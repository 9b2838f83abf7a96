import { eq, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { logInAttempts } from "#app/db/schema.ts";
import { lastStep, longestWait, quietHours, waitAfter } from "./attempts.rules.ts";

const minute = 60_000;

/**
 * Counts an attempt to log in, before its password is looked at: of any number made at once no more pass than
 * are free, since the row itself decides. Rows that have been quiet for long are forgotten on the way.
 *
 * @param key names who is counted: nothing that tells an address
 * @returns null when the attempt may go on, else how many seconds to wait; such an attempt is not counted
 */
export async function countAttempt(db: Db, key: string, now = new Date()): Promise<number | null> {
  const quietSince = new Date(now.getTime() - quietHours * 60 * minute);
  const [, admitted, [row]] = await db.batch([
    db.delete(logInAttempts).where(lt(logInAttempts.lastAt, quietSince)),
    db
      .insert(logInAttempts)
      .values({
        key,
        attempts: 1,
        lastAt: now,
        blockedUntil: new Date(now.getTime() + waitAfter(1) * minute),
      })
      .onConflictDoUpdate({
        target: logInAttempts.key,
        set: {
          attempts: sql`${logInAttempts.attempts} + 1`,
          lastAt: now,
          blockedUntil: sql`${now.getTime()} + ${minute} * ${waitInSql(sql`${logInAttempts.attempts} + 1`)}`,
        },
        setWhere: lte(logInAttempts.blockedUntil, now),
      })
      .returning({ attempts: logInAttempts.attempts }),
    db
      .select({ blockedUntil: logInAttempts.blockedUntil })
      .from(logInAttempts)
      .where(eq(logInAttempts.key, key)),
  ]);
  if (admitted.length > 0 || !row) return null;
  return Math.max(1, Math.ceil((row.blockedUntil.getTime() - now.getTime()) / 1000));
}

/** Forgets what was counted: the right password was given, or the account recovered another way. */
export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await db.delete(logInAttempts).where(eq(logInAttempts.key, key));
}

/** `waitAfter`, for the database to work out. */
function waitInSql(attempts: SQL): SQL {
  const steps = Array.from(
    { length: lastStep - 1 },
    (_, index) => sql`when ${index + 1} then ${waitAfter(index + 1)}`,
  );
  return sql`case ${attempts} ${sql.join(steps, sql` `)} else ${longestWait} end`;
}
