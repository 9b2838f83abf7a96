import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { getTableColumns, getTableName, is, sql } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import * as schema from "#app/db/schema.ts";

/** Of one INSERT, in bytes: below the 100 KB that D1 takes in one statement. No form allows a row as long as that. */
const longestStatement = 80_000;
/** Of the statements that are restored at once, in characters. */
const longestBatch = 1_000_000;
const rowsRead = 500;

/** What triggers write from other columns and tables, which they do again when rows are restored. */
const derived = new Set<unknown>([
  schema.facetCounts,
  schema.revisions,
  schema.phones.variantId,
  ...Object.values(getTableColumns(schema.deviceVariants)).filter(({ hasDefault }) => hasDefault),
]);

/** What other rows need comes first: accounts and variants before listings. */
const tables = [
  ...new Set<unknown>([schema.users, schema.deviceVariants, schema.phones, ...Object.values(schema)]),
].filter((table) => is(table, SQLiteTable) && !derived.has(table)) as SQLiteTable[];

/**
 * All rows of all ordinary tables as SQL, one INSERT a line, each after those it refers to. What
 * triggers write is left out. Reads in steps, so the database should not be written to meanwhile.
 *
 * @throws Error when one row alone is longer than D1 takes back
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
        sql`select rowid as row_id, ${sql.raw(listed)} from ${sql.identifier(name)} where rowid > ${after} order by rowid limit ${rowsRead}`,
      );
      let values: string[] = [];
      let length = start.length;
      for (const row of rows) {
        const value = `(${columns.map((column) => literal(row[column])).join(", ")})`;
        const bytes = Buffer.byteLength(value) + ", ".length;
        if (start.length + bytes > longestStatement) {
          throw new Error(`The row ${row.row_id} of ${name} is too long: D1 would not take it back.`);
        }
        if (length + bytes > longestStatement) {
          yield `${start}${values.join(", ")};`;
          [values, length] = [[], start.length];
        }
        values.push(value);
        length += bytes;
      }
      if (values.length > 0) yield `${start}${values.join(", ")};`;
      if (rows.length < rowsRead) break;
      after = rows.at(-1)?.row_id ?? after;
    }
  }
}

/**
 * Writes an export into a new file, for its owner's eyes alone.
 *
 * @throws Error when the file is there, or as `exportRows` does
 */
export async function exportTo(path: string, db: Db): Promise<void> {
  const lines = Readable.from(exportRows(db)).map((line: string) => `${line}\n`);
  await pipeline(lines, createWriteStream(path, { flags: "wx", mode: 0o600 }));
}

/** The lines of an export's file, which is opened when the first is asked for: lines that come earlier are lost. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
}

/**
 * Takes the lines of an export into a database that is up to date and has no rows. What fails is taken back whole, so that it can be tried again.
 *
 * @throws Error when there are any rows, or the database does not take a line
 */
export async function restoreRows(db: Db, lines: AsyncIterable<string>): Promise<void> {
  const anyRows = tables.map((table) => sql`exists(select 1 from ${table})`);
  const [{ there } = { there: 0 }] = await db.all<{ there: number }>(
    sql`select ${sql.join(anyRows, sql` or `)} as there`,
  );
  if (there) throw new Error("The database is not empty; an export is restored into an empty one only.");
  try {
    await write(db, lines);
  } catch (fault) {
    for (const table of tables.toReversed()) await db.delete(table);
    await db.delete(schema.facetCounts);
    throw fault;
  }
}

async function write(db: Db, lines: AsyncIterable<string>) {
  let batch: string[] = [];
  let length = 0;
  for await (const line of lines) {
    if (!line.startsWith("INSERT ")) continue;
    if (length + line.length > longestBatch) {
      await run(db, batch);
      [batch, length] = [[], 0];
    }
    batch.push(line);
    length += line.length;
  }
  await run(db, batch);
}

async function run(db: Db, lines: string[]) {
  const [first, ...rest] = lines.map((line) => db.run(sql.raw(line)));
  if (first) await db.batch([first, ...rest]);
}

/** A value as SQL says it, on one line. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  const text = String(value);
  // NUL would end the text, in JSON too.
  if (text.includes("\0")) return `CAST(X'${Buffer.from(text).toString("hex")}' AS TEXT)`;
  if (!/\p{Cc}/u.test(text)) return quoted(text);
  // Control characters would break a line; JSON writes them shorter than anything else that D1 takes.
  return `json_extract(${quoted(JSON.stringify(text))}, '$')`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
