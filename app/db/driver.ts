export interface Statement {
  sql: string;
  params: unknown[];
}

export interface Result {
  /** Values by column name, in column order. Names are unique within a row. */
  rows: Record<string, unknown>[];
  /** Unknown on libSQL. */
  rowsRead?: number;
}

/** Converts rows to objects. Columns of the same name are renamed as SQLite does in a subquery: `id`, `id:1`. */
export function namedRows(columns: string[], rows: ArrayLike<unknown>[]): Record<string, unknown>[] {
  const names: string[] = [];
  for (const column of columns) {
    let name = column;
    for (let copy = 1; names.includes(name); copy += 1) name = `${column}:${copy}`;
    names.push(name);
  }
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])));
}

export type Mode = "read" | "write";

export interface Driver {
  /** Runs statements in one round trip and one transaction. @throws Unreachable */
  run(statements: Statement[], mode: Mode, signal: AbortSignal): Promise<Result[]>;
}

/** Where a request reads: any replica, the primary, or any replica that has reached a bookmark. */
export type Reads = "anywhere" | "primary" | { since: string };

const readStatement = /^\s*(select|explain)\b/i;
const withStatement = /^\s*with\b/i;
const writeKeywords = /\b(insert|update|delete|replace)\b/i;

/** Whether a statement only reads; in doubt, false. */
export function isRead(sql: string): boolean {
  return readStatement.test(sql) || (withStatement.test(sql) && !writeKeywords.test(sql));
}
