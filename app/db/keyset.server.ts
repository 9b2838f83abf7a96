import { and, asc, desc, gt, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./client.server.ts";
import { type Cursor, isBackwards, keysetPage, sortKeyOf } from "./cursor.ts";

const tablePageSize = 25;

/** Which rows a query reads, and in which order. */
export interface Slice {
  where: SQL | undefined;
  orderBy: SQL;
  limit: number;
}

/** A page of a table whose rows are numbered from 1 on its first page. */
export interface NumberedPage<Row> {
  rows: Row[];
  /** The number of the first row. */
  first: number;
  previous: string | null;
  next: string | null;
  isFirstPage: boolean;
}

/** Where a page of rows sorted by id begins, and the order to read them in: backwards before a cursor. */
export function keyset(id: SQLiteColumn, cursor: Cursor, order: typeof asc | typeof desc = desc) {
  const ascending = (order === asc) !== isBackwards(cursor);
  const key = sortKeyOf(cursor);
  return {
    beyond: key === null ? undefined : (ascending ? gt : lt)(id, key),
    upTo: key === null ? undefined : (ascending ? lte : gte)(id, key),
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
    read(slice: Slice): Promise<Row[]>;
  },
): Promise<NumberedPage<Row>> {
  const { beyond, upTo, orderBy } = keyset(table.id, cursor, order);
  const backwards = isBackwards(cursor);
  const [rows, counted] = await Promise.all([
    // One more than a page, to know whether there is another page.
    read({ where: and(where, beyond), orderBy, limit: tablePageSize + 1 }),
    cursor &&
      db
        .select({ count: sql<number>`count(*)` })
        .from(table as SQLiteTable)
        .where(and(where, backwards ? beyond : upTo)),
  ]);
  const page = keysetPage(rows, cursor, tablePageSize, (row) => row.id);
  const count = counted?.[0]?.count ?? 0;
  // A page before a cursor is itself among the rows counted.
  const before = backwards ? count - page.rows.length : count;
  return { ...page, first: before + 1, isFirstPage: cursor === null };
}
