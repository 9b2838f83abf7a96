import { getTableColumns, getTableName, is, sql } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import * as schema from "#app/db/schema.ts";
import { writeWithoutTriggers } from "./rebuild-shelves.ts";

/** Rows of one INSERT: below what D1 takes in one statement, 100 KB, for rows of any length a form allows. */
const rowsAtOnce = 10;
const rowsRead = 500;
const statementsAtOnce = 50;

/**
 * Accounts and listings first, which other rows refer to; a module does not keep the order of what it exports. What
 * is written from other tables is not kept but written anew.
 */
const tables = [...new Set<unknown>([schema.users, schema.phones, ...Object.values(schema)])].filter(
  (table) => is(table, SQLiteTable) && table !== schema.shelfValues,
) as SQLiteTable[];

/**
 * All rows of all ordinary tables as SQL, one INSERT a line, each after those it refers to. Virtual tables and what
 * goes with them are left out. Reads in steps, so the database should not be written to meanwhile.
 */
export async function* exportRows(db: Db): AsyncGenerator<string> {
  for (const table of tables) {
    const name = sql.identifier(getTableName(table));
    const columns = Object.values(getTableColumns(table)).map((column) => column.name);
    const listed = columns.map((column) => `"${column}"`).join(", ");
    for (let after = -1; ; ) {
      const rows = await db.all<Record<string, unknown> & { row_id: number }>(
        sql`select rowid as row_id, ${sql.raw(listed)} from ${name} where rowid > ${after} order by rowid limit ${rowsRead}`,
      );
      for (let at = 0; at < rows.length; at += rowsAtOnce) {
        const values = rows
          .slice(at, at + rowsAtOnce)
          .map((row) => `(${columns.map((column) => literal(row[column])).join(", ")})`);
        yield `INSERT INTO "${getTableName(table)}" (${listed}) VALUES ${values.join(", ")};`;
      }
      if (rows.length < rowsRead) break;
      after = rows.at(-1)?.row_id ?? after;
    }
  }
}

/**
 * Takes the lines of an export into a database that is up to date and has no accounts and no listings, and writes
 * the shelves' indexes.
 *
 * @throws Error when there are any
 */
export async function restoreRows(db: Db, lines: AsyncIterable<string>): Promise<void> {
  const [{ there } = { there: 0 }] = await db.all<{ there: number }>(
    sql`select exists(select 1 from users) or exists(select 1 from phones) as there`,
  );
  if (there) throw new Error("The database is not empty; an export is restored into an empty one only.");
  await writeWithoutTriggers(db, async () => {
    let batch: string[] = [];
    for await (const line of lines) {
      if (line.startsWith("INSERT ")) batch.push(line);
      if (batch.length === statementsAtOnce) {
        await run(db, batch);
        batch = [];
      }
    }
    await run(db, batch);
  });
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
  // Control characters would break a line or, NUL, end the text.
  if (/\p{Cc}/u.test(text)) return `CAST(X'${Buffer.from(text).toString("hex")}' AS TEXT)`;
  return `'${text.replaceAll("'", "''")}'`;
}
