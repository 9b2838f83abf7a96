import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { getTableColumns, getTableName, is, sql } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import * as schema from "#app/db/schema.ts";

/** D1 accepts statements of up to 100 KB. No form accepts a row of that size. */
const maxStatementBytes = 80_000;
const maxBatchLength = 1_000_000;
const pageSize = 500;

/** Tables that triggers or the scheduled jobs fill again when rows are restored. */
const derivedTables = [schema.dailyNumbers, schema.dailyDemand, schema.uncountedDays, schema.jobRuns];

/** Tables and columns that are not exported. */
const derived = new Set<unknown>([
  ...derivedTables,
  schema.revisions,
  schema.phones.variantId,
  ...Object.values(getTableColumns(schema.deviceVariants)).filter(({ hasDefault }) => hasDefault),
]);

/** Referenced tables come first; those of phones without a foreign key too, since triggers read them. */
const tables = referencedFirst(
  [schema.deviceVariants, schema.phones, ...Object.values<unknown>(schema)].filter(
    (table): table is SQLiteTable => is(table, SQLiteTable) && !derived.has(table),
  ),
);

function referencedFirst(unordered: SQLiteTable[], ordered = new Set<SQLiteTable>()): SQLiteTable[] {
  for (const table of unordered) {
    if (ordered.has(table)) continue;
    const references = getTableConfig(table).foreignKeys.map((key) => key.reference().foreignTable);
    referencedFirst(references, ordered);
    ordered.add(table);
  }
  return [...ordered];
}

/**
 * Exports the rows of all tables as SQL, one INSERT per line, without the columns that triggers fill. It reads page by
 * page, so the database must not change during the export.
 *
 * @throws Error if a row is too long for a D1 statement
 */
export async function* exportRows(db: Db): AsyncGenerator<string> {
  for (const table of tables) {
    const name = getTableName(table);
    const columns = Object.values(getTableColumns(table))
      .filter((column) => !column.generated && !derived.has(column))
      .map((column) => column.name);
    const listed = columns.map((column) => `"${column}"`).join(", ");
    const start = `INSERT INTO "${name}" (${listed}) VALUES `;
    for (let after = -1; ; ) {
      const rows = await db.all<Record<string, unknown> & { row_id: number }>(
        sql`select rowid as row_id, ${sql.raw(listed)} from ${sql.identifier(name)} where rowid > ${after} order by rowid limit ${pageSize}`,
      );
      let values: string[] = [];
      let length = start.length;
      for (const row of rows) {
        const value = `(${columns.map((column) => sqlLiteral(row[column])).join(", ")})`;
        const bytes = Buffer.byteLength(value) + ", ".length;
        if (start.length + bytes > maxStatementBytes) {
          throw new Error(
            `The row ${row.row_id} of ${name} is too long for a D1 statement, so it could not be restored.`,
          );
        }
        if (length + bytes > maxStatementBytes) {
          yield `${start}${values.join(", ")};`;
          [values, length] = [[], start.length];
        }
        values.push(value);
        length += bytes;
      }
      if (values.length > 0) yield `${start}${values.join(", ")};`;
      if (rows.length < pageSize) break;
      after = rows.at(-1)?.row_id ?? after;
    }
  }
}

/**
 * Exports the database into a new file that only its owner can read.
 *
 * @throws Error if the file exists, or as `exportRows` does
 */
export async function exportTo(path: string, db: Db): Promise<void> {
  const lines = Readable.from(exportRows(db)).map((line: string) => `${line}\n`);
  await pipeline(lines, createWriteStream(path, { flags: "wx", mode: 0o600 }));
}

/** The lines of an export file, which is opened by the first iteration. */
export async function* readLines(path: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
}

/**
 * Restores an export into a migrated database without rows. If it fails, it deletes all rows, so that it can be retried.
 *
 * @throws Error if the database has rows, or rejects a line
 */
export async function restoreRows(db: Db, lines: AsyncIterable<string>): Promise<void> {
  const anyRows = tables.map((table) => sql`exists(select 1 from ${table})`);
  const [{ hasRows } = { hasRows: 0 }] = await db.all<{ hasRows: number }>(
    sql`select ${sql.join(anyRows, sql` or `)} as hasRows`,
  );
  if (hasRows) throw new Error("The database is not empty. Restore into an empty database.");
  try {
    await insertLines(db, lines);
  } catch (error) {
    for (const table of tables.toReversed()) await db.delete(table);
    for (const table of derivedTables) await db.delete(table);
    throw error;
  }
}

async function insertLines(db: Db, lines: AsyncIterable<string>) {
  let batch: string[] = [];
  let length = 0;
  for await (const line of lines) {
    if (!line.startsWith("INSERT ")) continue;
    if (length + line.length > maxBatchLength) {
      await runBatch(db, batch);
      [batch, length] = [[], 0];
    }
    batch.push(withNewName(line));
    length += line.length;
  }
  await runBatch(db, batch);
}

/** Names the table of an export of version 0.1.0 or earlier as it is named now. */
function withNewName(line: string): string {
  return line
    .replace(/^INSERT INTO "bookings"/, 'INSERT INTO "orders"')
    .replace(/^INSERT INTO "conversation_sides"/, 'INSERT INTO "conversation_participants"');
}

async function runBatch(db: Db, lines: string[]) {
  const [first, ...rest] = lines.map((line) => db.run(sql.raw(line)));
  if (first) await db.batch([first, ...rest]);
}

/** A value as an SQL literal without line breaks. */
function sqlLiteral(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  const text = String(value);
  // SQLite ends a string literal at NUL, JSON included.
  if (text.includes("\0")) return `CAST(X'${Buffer.from(text).toString("hex")}' AS TEXT)`;
  if (!/\p{Cc}/u.test(text)) return sqlString(text);
  // JSON escapes control characters, line breaks included.
  return `json_extract(${sqlString(JSON.stringify(text))}, '$')`;
}

function sqlString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
