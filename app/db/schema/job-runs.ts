import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** The last run of the scheduled jobs, in one row. */
export const jobRuns = sqliteTable("job_runs", {
  id: text("id").primaryKey(),
  finishedAt: timestamp("finished_at").notNull(),
  /** The names of the jobs that failed. */
  failedJobs: text("failed", { mode: "json" }).$type<string[]>().notNull(),
});
