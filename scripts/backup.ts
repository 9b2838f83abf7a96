import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import {
  derivedTables,
  type ExportedRow,
  exportedTables,
  insertsOf,
  rowsOf,
} from "#app/features/administration/backup.server.ts";

const maxBatchLength = 1_000_000;
const pageSize = 500;

/**
 * Exports the rows of all tables as SQL, one INSERT per line, without the columns that triggers fill. It reads page by
 * page, so the database must not change during the export.
 *
 * @throws Error if a row is too long for a D1 statement
 */
export async function* exportRows(db: Db): AsyncGenerator<string> {
  for (const table of exportedTables) {
    for (let after = -1; ; ) {
      const rows = await db.all<ExportedRow>(rowsOf(table, { after, limit: pageSize }));
      yield* insertsOf(table, rows);
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
  const anyRows = exportedTables.map((table) => sql`exists(select 1 from ${table})`);
  const [{ hasRows } = { hasRows: 0 }] = await db.all<{ hasRows: number }>(
    sql`select ${sql.join(anyRows, sql` or `)} as hasRows`,
  );
  if (hasRows) throw new Error("The database is not empty. Restore into an empty database.");
  try {
    await insertLines(db, lines);
  } catch (error) {
    for (const table of exportedTables.toReversed()) await db.delete(table);
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
