import { and, asc, count, desc, gt, gte, lt, lte, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./client.server.ts";
import { type Cursor, isBackwards, keysetPage, sortKeyOf } from "./cursor.ts";

const tablePageSize = 25;

/** Which rows a query reads, in which order and how many. */
interface PageQuery {
  where: SQL | undefined;
  orderBy: SQL;
  limit: number;
}

/** A page of a table whose rows are numbered from 1 on its first page. */
export interface NumberedPage<Row> {
  rows: Row[];
  /** The number of the first row. */
  firstNumber: number;
  previous: string | null;
  next: string | null;
  isFirstPage: boolean;
}

/** Where a page of rows sorted by id begins, and the order to read them in: backwards before a cursor. */
export function keyset(id: SQLiteColumn, cursor: Cursor, order: typeof asc | typeof desc = desc) {
  const ascending = (order === asc) !== isBackwards(cursor);
  const key = sortKeyOf(cursor);
  return {
    afterCursor: key === null ? undefined : (ascending ? gt : lt)(id, key),
    throughCursor: key === null ? undefined : (ascending ? lte : gte)(id, key),
    orderBy: (ascending ? asc : desc)(id),
  };
}

/**
 * Reads a page of a table sorted by id, newest first unless `order` says otherwise, and counts the rows before it, in
 * one round trip.
 */
export async function numberedPage<Row extends { id: string }>(
  db: Db,
  cursor: Cursor,
  {
    table,
    where,
    order,
    read,
  }: {
    table: SQLiteTable & { id: SQLiteColumn };
    where?: SQL;
    order?: typeof asc;
    read(query: PageQuery): Promise<Row[]>;
  },
): Promise<NumberedPage<Row>> {
  const { afterCursor, throughCursor, orderBy } = keyset(table.id, cursor, order);
  const backwards = isBackwards(cursor);
  const [rows, counted] = await Promise.all([
    // One more than a page, to know whether there is another page.
    read({ where: and(where, afterCursor), orderBy, limit: tablePageSize + 1 }),
    cursor &&
      db
        .select({ count: count() })
        .from(table as SQLiteTable)
        .where(and(where, backwards ? afterCursor : throughCursor)),
  ]);
  const page = keysetPage(rows, cursor, tablePageSize, (row) => row.id);
  const countedRows = counted?.[0]?.count ?? 0;
  // A page before a cursor is itself among the rows counted.
  const before = backwards ? countedRows - page.rows.length : countedRows;
  return { ...page, firstNumber: before + 1 };
}
