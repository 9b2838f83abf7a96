import { and, eq, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { jobRuns, paymentTasks, providerEvents, unmatchedListings } from "#app/db/schema.ts";
import { maxDueCounted } from "./job-runs.rules.ts";

/** Cloudflare runs the jobs every ten minutes. */
const lateMinutes = 30;

/** Records the end of a run of the scheduled jobs. @param failedJobs the names of those that failed */
export async function recordJobRun(db: Db, failedJobs: string[]): Promise<void> {
  const run = { finishedAt: new Date(), failedJobs };
  await db
    .insert(jobRuns)
    .values({ id: "last", ...run })
    .onConflictDoUpdate({ target: jobRuns.id, set: run });
}

/** The last run of the scheduled jobs; null if there was none. */
export async function findLastJobRun(db: Db) {
  const [run] = await db
    .select({ finishedAt: jobRuns.finishedAt, failedJobs: jobRuns.failedJobs })
    .from(jobRuns)
    .where(eq(jobRuns.id, "last"));
  if (!run) return null;
  return { ...run, isLate: run.finishedAt.getTime() < Date.now() - lateMinutes * 60_000 };
}

/** When the last run of the scheduled jobs ended; null if there was none, or the job failed in it. @param job its name */
export async function findLastRunOf(db: Db, job: string): Promise<Date | null> {
  const run = await findLastJobRun(db);
  return run && !run.failedJobs.includes(job) ? run.finishedAt : null;
}

const backupTest = "backup test";

/** Records that the newest backup could be restored into another database, for a try. */
export async function recordBackupTest(db: Db): Promise<void> {
  const finishedAt = new Date();
  await db
    .insert(jobRuns)
    .values({ id: backupTest, finishedAt, failedJobs: [] })
    .onConflictDoUpdate({ target: jobRuns.id, set: { finishedAt } });
}

/** When that was last; null if never. */
export async function findLastBackupTest(db: Db): Promise<Date | null> {
  const [run] = await db
    .select({ finishedAt: jobRuns.finishedAt })
    .from(jobRuns)
    .where(eq(jobRuns.id, backupTest));
  return run?.finishedAt ?? null;
}

/** The size of the database in bytes: D1 reports it with each result, libSQL lets statements ask for it. */
export async function findDatabaseSize(db: Db): Promise<number> {
  const { meta } = (await db.run(sql`select 1`)) as Partial<D1Result>;
  if (meta) return meta.size_after;
  const [{ bytes }] = (await db.all(
    sql`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`,
  )) as [{ bytes: number }];
  return bytes;
}

/** How much waits for the scheduled jobs, by what it is. Emails are in the summary of emails. */
export async function countDueForJobs(db: Db, now = new Date()) {
  const waiting = (table: SQLiteTable, condition?: SQL) =>
    sql<number>`(select count(*) from (select 1 from ${table} where ${condition ?? sql`true`} limit ${maxDueCounted}))`;
  const [found] = await db
    .select({
      payments: waiting(
        paymentTasks,
        and(isNull(paymentTasks.doneAt), isNotNull(paymentTasks.nextAt), lte(paymentTasks.nextAt, now)),
      ).as("payments"),
      events: waiting(providerEvents, isNull(providerEvents.processedAt)).as("events"),
      listings: waiting(unmatchedListings).as("listings"),
    })
    .from(sql`(select 1)`);
  return found ?? { payments: 0, events: 0, listings: 0 };
}
