import { eq } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { keyset, numberedPage } from "#app/db/keyset.server.ts";
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

/** A page of the reports, newest first. */
export function listReports(db: Db, cursor: Cursor) {
  return numberedPage(db, cursor, {
    table: reports,
    read: ({ where, orderBy, limit }) =>
      db.select(reportColumns).from(reports).where(where).orderBy(orderBy).limit(limit),
  });
}

export type ReportRow = Awaited<ReturnType<typeof selectReports>>[number];

/** Selects reports for the API, newest first. */
export function selectReports(db: Db, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(reports.id, cursor);
  return db.select(reportColumns).from(reports).where(afterCursor).orderBy(orderBy).limit(limit);
}
