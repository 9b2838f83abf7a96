import { and, asc, Column, count, desc, gt, gte, is, lt, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteSelect, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./client.server.ts";
import {
  type Cursor,
  idKey,
  isBackwards,
  keysetPage,
  sortKeyOf,
  splitValueAndId,
  valueAndIdKey,
} from "./cursor.ts";

const tablePageSize = 25;

/** Rows that an export reads at once. They have to fit into memory; but each read evaluates a filter again. */
export const exportBatchSize = 5000;

/** Which rows a query reads, in which order and how many. */
export interface PageQuery {
  where: SQL | undefined;
  /** Of `where`, the place at which the page begins. */
  afterCursor?: SQL | undefined;
  orderBy: SQL[];
  limit: number;
  /** What the rows are sorted by before their ids, to be selected with them. */
  sortValue: SQL.Aliased<string | number | null>;
}

export interface SortedRow {
  id: string;
  sortValue: string | number | null;
}

/** The rows of a table: which, in which order, and how to read them. */
export type TableRows<Row extends SortedRow> = NamedTable & {
  where?: SQL;
  /** Of a page, if not the usual number. */
  size?: number;
  /** Of `sortBy` and the ids; newest first by default. */
  order?: typeof asc | typeof desc;
  /** A column or `lower(column)`, not null; the ids alone by default. */
  sortBy?: SQL | SQLiteColumn;
  /** Rows are then sorted by `sortBy` alone, since a full-text index has no ids. */
  isUnique?: boolean;
  /** A full-text index that leads to the rows of the table; `where` joins it. */
  index?: SQL | undefined;
  read(query: PageQuery): Promise<Row[]>;
};

/** A table, and the column that names its rows, if it is not called `id`. */
type NamedTable =
  | { table: SQLiteTable & { id: SQLiteColumn }; id?: undefined }
  | { table: SQLiteTable; id: SQLiteColumn };

const idOf = (named: NamedTable) => (named.id ? named.id : named.table.id);

/** The order of a table whose rows have a price: by that or, by default, by time. */
export function sortingOf(
  sort: "newest" | "oldest" | "price-up" | "price-down" | undefined,
  price: SQLiteColumn,
) {
  return {
    order: sort === "oldest" || sort === "price-up" ? asc : desc,
    sortBy: sort === "price-up" || sort === "price-down" ? price : undefined,
  };
}

/** A page of a table with row numbers, from 1 on its first page. */
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

/** Like `keyset` for rows sorted by a value, then by id. A cursor of another order leads to the first page. */
function sortedKeyset<Row extends SortedRow>(rows: TableRows<Row>, cursor: Cursor) {
  const { order = desc, sortBy, isUnique } = rows;
  const id = idOf(rows);
  const { afterCursor, throughCursor, orderBy } = keyset(id, cursor, order);
  if (!sortBy) return { afterCursor, throughCursor, orderBy: [orderBy] };
  const ascending = (order === asc) !== isBackwards(cursor);
  const direction = ascending ? asc : desc;
  const key = sortKeyOf(cursor);
  const sorted = { orderBy: [direction(sortBy), ...(isUnique ? [] : [direction(id)])] };
  if (key === null) return { ...sorted, afterCursor: undefined, throughCursor: undefined };
  const { value: text, id: lastId } = splitValueAndId(key);
  // A full-text index compares whole numbers alone, and D1 binds others.
  const value = isNumber(sortBy) ? sql`cast(${text} as integer)` : text;
  // The first comparison is for SQLite, which does not compare pairs by an index on an expression.
  const compare = (operator: string) =>
    sql`${sortBy} ${sql.raw(operator[0] ?? "")}= ${value}
      and (${sortBy}, ${id}) ${sql.raw(operator)} (${value}, ${lastId})`;
  return {
    ...sorted,
    afterCursor: compare(ascending ? ">" : "<"),
    throughCursor: compare(ascending ? "<=" : ">="),
  };
}

function readRows<Row extends SortedRow>(rows: TableRows<Row>, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = sortedKeyset(rows, cursor);
  return rows.read({
    where: and(rows.where, afterCursor),
    afterCursor,
    orderBy,
    limit,
    sortValue: sql<string | number | null>`${rows.sortBy ?? sql`null`}`.as("sort_value"),
  });
}

/** The query, joined with the full-text index that leads to its rows, if there is one. */
export function withIndex<Select extends SQLiteSelect>(select: Select, index: SQL | undefined): Select {
  if (index) select.innerJoin(index, sql`true`);
  return select;
}

function keyOf({ sortBy }: { sortBy?: unknown }, { id, sortValue }: SortedRow): string {
  return sortBy ? `${sortValue}.${id}` : id;
}

function isNumber(sortBy: unknown): boolean {
  return is(sortBy, Column) && sortBy.dataType === "number";
}

/** The cursor if it is of this order, otherwise null. */
function cursorOf({ sortBy }: { sortBy?: unknown }, cursor: Cursor): Cursor {
  const key = sortKeyOf(cursor) ?? "";
  const isOfOrder = (sortBy ? valueAndIdKey : idKey).test(key);
  const isValid = !isNumber(sortBy) || /^\d{1,12}$/.test(splitValueAndId(key).value);
  return isOfOrder && isValid ? cursor : null;
}

/** Reads a page of a table in one round trip, and counts the rows before it if the cursor does not say how many. */
export async function numberedPage<Row extends SortedRow>(
  db: Db,
  given: Cursor,
  rows: TableRows<Row>,
): Promise<NumberedPage<Omit<Row, "sortValue">>> {
  const { size = tablePageSize } = rows;
  const cursor = cursorOf(rows, given);
  const { afterCursor, throughCursor } = sortedKeyset(rows, cursor);
  const backwards = isBackwards(cursor);
  const [read, counted] = await Promise.all([
    // One more than a page, to know whether there is another page.
    readRows(rows, cursor, size + 1),
    cursor && !cursor.row
      ? db
          .select({ count: count() })
          .from(sql`${rows.index ? sql`${rows.index} cross join ` : sql``}${rows.table}`)
          .where(and(rows.where, backwards ? afterCursor : throughCursor))
      : null,
  ]);
  const page = keysetPage(read, cursor, size, (row) => keyOf(rows, row));
  const countedRows = cursor?.row ? Number(cursor.row) - 1 : (counted?.[0]?.count ?? 0);
  // A page before a cursor is itself among the rows counted.
  const before = backwards ? countedRows - page.rows.length : countedRows;
  return {
    ...page,
    rows: page.rows.map(({ sortValue, ...row }) => row),
    // Rows may have gone since they were counted.
    firstNumber: page.previous || page.rows.length === 0 ? Math.max(before, 0) + 1 : 1,
  };
}

/** Reads all rows of a table in batches. */
export async function* allRows<Row extends SortedRow>(
  rows: TableRows<Row>,
  size: number,
): AsyncGenerator<Row[], void> {
  for (let cursor: Cursor = null; ; ) {
    const batch: Row[] = await readRows(rows, cursor, size);
    const last = batch.at(-1);
    if (!last) return;
    yield batch;
    if (batch.length < size) return;
    cursor = { after: keyOf(rows, last) };
  }
}
