import { count, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";

/** Rows of each list of a user's page; the tables have the others. */
export const shownRows = 10;

/** The newest rows that a query reads, with the number of all that meet its condition. */
export async function newest<Row>(
  db: Db,
  table: SQLiteTable,
  condition: SQL | undefined,
  query: PromiseLike<Row[]>,
): Promise<{ rows: Row[]; count: number }> {
  const [rows, [counted]] = await Promise.all([
    query,
    db.select({ count: count() }).from(table).where(condition),
  ]);
  return { rows, count: counted?.count ?? 0 };
}
