import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, timestamp } from "./columns.ts";

/** The last run of the scheduled jobs, in one row. */
export const jobRuns = sqliteTable("job_runs", {
  id: text("id").primaryKey(),
  finishedAt: timestamp("finished_at").notNull(),
  /** The names of the jobs that failed. */
  failedJobs: text("failed", { mode: "json" }).$type<string[]>().notNull(),
});

/** Responses that say that we failed, for 30 days. Nothing of a person: paths are masked, as in the log. */
export const recordedErrors = sqliteTable(
  "recorded_errors",
  {
    /** That of the log's lines, which the page shows. */
    reference: text("reference").primaryKey(),
    method: text("method").notNull(),
    path: text("path").notNull(),
    status: integer("status").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("recorded_errors_created_at").on(table.createdAt)],
);
