import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { getTableName, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { payments } from "#app/db/schema.ts";
import {
  accessTables,
  countsAtEnd,
  derivedTables,
  type ExportedRow,
  exportEndLine,
  exportedTables,
  insertStatementsOf,
  rowsOf,
} from "#app/features/administration/backup.server.ts";
import { messageOf } from "./run-command.ts";

const maxBatchLength = 1_000_000;
const pageSize = 500;

/**
 * Exports the rows of all tables as SQL, one INSERT per line, without the columns that triggers fill and without what lets
 * somebody in. The last line says how many rows each table has. It reads page by page, so the database must not change
 * during the export.
 *
 * @throws Error if a row is too long for a D1 statement
 */
async function* exportRows(db: Db): AsyncGenerator<string> {
  const counts: Record<string, number> = {};
  for (const table of exportedTables) {
    let count = 0;
    for (let after = -1; ; ) {
      const rows = await db.all<ExportedRow>(rowsOf(table, { after, limit: pageSize }));
      yield* insertStatementsOf(table, rows);
      count += rows.length;
      if (rows.length < pageSize) break;
      after = rows.at(-1)?.row_id ?? after;
    }
    counts[getTableName(table)] = count;
  }
  yield exportEndLine(counts);
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

/**
 * Restores an export into a migrated database without rows, and ends all sessions and tokens of that. If it fails, it
 * deletes all rows, so that it can be retried.
 *
 * @throws Error if the file is no complete export, the database has rows, or rejects a line
 */
export async function restoreFrom(path: string, db: Db): Promise<void> {
  const counts = await checkExport(path);
  const anyRows = exportedTables.map((table) => sql`exists(select 1 from ${table})`);
  const [{ hasRows } = { hasRows: 0 }] = await db.all<{ hasRows: number }>(
    sql`select ${sql.join(anyRows, sql` or `)} as hasRows`,
  );
  if (hasRows) throw new Error("The database is not empty. Restore into an empty database.");
  try {
    await insertLines(db, readLines(path));
    for (const table of exportedTables) {
      const name = getTableName(table);
      const [expected, count] = [counts[name], await db.$count(table)];
      if (expected !== undefined && expected !== count)
        throw new Error(`The file has ${count} of ${expected} rows of ${name}. Nothing was restored.`);
    }
  } catch (error) {
    // Entries of the ledger can be deleted once their payments are.
    for (const table of [payments, ...exportedTables.toReversed()]) await db.delete(table);
    for (const table of derivedTables) await db.delete(table);
    throw error;
  }
  for (const table of accessTables) await db.delete(table);
  // Phones come before the decisions and orders that they are hidden by.
  await db.run(sql`update phones set tab = (select tab from listing_tabs where listing_tabs.id = phones.id)
    where tab is not (select tab from listing_tabs where listing_tabs.id = phones.id)`);
  // Earlier versions had none.
  await db.run(sql`insert into brands select lower(brand), brand
    from (select brand, min(id) from device_variants group by lower(brand)) where not exists (select 1 from brands)`);
}

async function* readLines(path: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
}

/** Reads an export up to its end, and returns the counts there. @throws Error if it is none, or is cut off */
async function checkExport(path: string): Promise<Record<string, number>> {
  let counts: Record<string, number> | null = null;
  let number = 0;
  for await (const line of readLines(path)) {
    number += 1;
    const table = tableOf(withNewName(line));
    if (counts || (line !== "" && !line.startsWith("--") && !(table && allTables.includes(table))))
      throw new Error(`Line ${number} of ${path} belongs to no export. Nothing was restored.`);
    counts = countsAtEnd(line);
  }
  if (counts) return counts;
  throw new Error(
    `${path} does not end as an export does, so it may be cut off. Nothing was restored. If version 0.1.0 wrote it, and all of it, add this line: ${exportEndLine({})}`,
  );
}

const allTables: string[] = [...exportedTables, ...accessTables].map(getTableName);
const unrestored: string[] = accessTables.map(getTableName);

const tableOf = (line: string) => /^INSERT INTO "(\w+)" /.exec(line)?.[1];

async function insertLines(db: Db, lines: AsyncIterable<string>) {
  let batch: string[] = [];
  let length = 0;
  for await (const exported of lines) {
    const line = withNewName(exported);
    const table = tableOf(line);
    // Earlier versions exported all tables.
    if (!table || unrestored.includes(table)) continue;
    if (length + line.length > maxBatchLength) {
      await runBatch(db, batch);
      [batch, length] = [[], 0];
    }
    batch.push(line);
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
  if (!first) return;
  try {
    await db.batch([first, ...rest]);
  } catch (error) {
    throw new Error(`The database rejects a row of the file (${messageOf(error)}). Nothing was restored.`);
  }
}
