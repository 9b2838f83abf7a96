import { desc, eq, lt, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { type CursorRange, pageSlice, tablePage } from "#app/db/page.ts";
import { reports } from "#app/db/schema.ts";
import type { NewReport } from "./report.schema.ts";

/** Stores a report and returns its id; a report with the same form key is stored once. */
export async function createReport(db: Db, report: NewReport, formKey: string | null): Promise<string> {
  const id = timeOrderedId();
  const [created] = await db
    .insert(reports)
    .values({ id, ...report, formKey })
    .onConflictDoNothing({ target: reports.formKey })
    .returning({ id: reports.id });
  if (created || !formKey) return id;
  const [first] = await db.select({ id: reports.id }).from(reports).where(eq(reports.formKey, formKey));
  return first?.id ?? id;
}

const reportColumns = { id: reports.id, name: reports.name, email: reports.email, details: reports.details };

export type ReportRow = Awaited<ReturnType<typeof reportsAfter>>[number];

/** A page of the reports, newest first. */
export async function listReports(db: Db, page: number) {
  const { limit, offset } = pageSlice(page);
  const [rows, count] = await db.batch([
    db.select(reportColumns).from(reports).orderBy(desc(reports.id)).limit(limit).offset(offset),
    db.select({ count: sql<number>`count(*)` }).from(reports),
  ]);
  return tablePage(rows, page, count[0]?.count ?? 0);
}

/** Selects reports after a cursor, newest first. */
export function reportsAfter(db: Db, { after, limit }: CursorRange) {
  return db
    .select(reportColumns)
    .from(reports)
    .where(after ? lt(reports.id, after) : undefined)
    .orderBy(desc(reports.id))
    .limit(limit);
}
