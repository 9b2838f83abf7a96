import { type Cursor, idKey, parseCursor, tableKey } from "#app/db/cursor.ts";
import { parseTableQuery, type TableDefinition } from "#app/server/forms/table-query.ts";

/** The cursor of a table's page in the query. */
export function tableCursor(request: Request): Cursor {
  return parseCursor(new URL(request.url).searchParams, idKey);
}

/** The filters, the order and the cursor of a table's page in the query. */
export function tableQuery<const Table extends TableDefinition>(table: Table, request: Request) {
  const { searchParams } = new URL(request.url);
  return { cursor: parseCursor(searchParams, tableKey), query: parseTableQuery(table, searchParams) };
}
