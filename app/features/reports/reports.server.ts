import { desc, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { pageSlice, tablePage } from "#app/db/page.ts";
import { reports } from "#app/db/schema.ts";
import type { NewReport } from "./report.schema.ts";

/**
 * Keeps a report for the administrator.
 *
 * @param formKey names the filled-in form; the same form sent again makes no second report
 */
export async function fileReport(db: Db, report: NewReport, formKey: string | null): Promise<void> {
  await db
    .insert(reports)
    .values({ ...report, formKey })
    .onConflictDoNothing({ target: reports.formKey });
}

/** A page of the reports, newest first. */
export async function listReports(db: Db, page: number) {
  const { limit, offset } = pageSlice(page);
  const [rows, count] = await db.batch([
    db
      .select({ id: reports.id, name: reports.name, email: reports.email, details: reports.details })
      .from(reports)
      .orderBy(desc(reports.id))
      .limit(limit)
      .offset(offset),
    db.select({ count: sql<number>`count(*)` }).from(reports),
  ]);
  return tablePage(rows, page, count[0]?.count ?? 0);
}
