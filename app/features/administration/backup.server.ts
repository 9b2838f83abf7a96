import { getTableColumns, getTableName, is, sql } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import type { Db } from "#app/db/client.server.ts";
import * as schema from "#app/db/schema.ts";
import { dayMs, hourMs } from "#app/time.ts";
import { alarmLimits } from "../notifications/alarm-text.ts";
import { findDatabaseSize } from "./job-runs.server.ts";

/** D1 accepts statements of up to 100 KB. No form accepts a row of that size. */
const maxStatementBytes = 80_000;

/** Tables that triggers or the scheduled jobs fill again when rows are restored. */
export const derivedTables = [
  schema.dailyNumbers,
  schema.dailyDemand,
  schema.uncountedDays,
  schema.usualPrices,
  schema.jobRuns,
  schema.listedCounts,
  schema.tabCounts,
  schema.ledgerSums,
  schema.recordNumbers,
];

/** Tables of what lets somebody in or is tried just now: restored, they would revive access, or an import, that has ended since. */
export const accessTables = [
  schema.sessions,
  schema.personalAccessTokens,
  schema.oneTimeTokens,
  schema.accountEmails,
  schema.loginAttempts,
  schema.usedOauthStates,
  schema.idempotencyKeys,
  schema.listingImports,
  schema.listingImportRows,
];

/** Tables and columns that are not exported. */
const unexported: unknown[] = [
  ...derivedTables,
  ...accessTables,
  schema.dataRevisions,
  schema.phones.variantId,
  schema.phones.tab,
  schema.phones.views,
  ...Object.values(getTableColumns(schema.deviceVariants)).filter(({ hasDefault }) => hasDefault),
];

/** Referenced tables come first; those of phones and of the ledger without a foreign key too, since triggers read them. */
export const exportedTables = referencedFirst(
  [schema.deviceVariants, schema.phones, schema.payments, ...Object.values<unknown>(schema)].filter(
    (table): table is SQLiteTable => is(table, SQLiteTable) && !unexported.includes(table),
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

export type ExportedRow = Record<string, unknown> & { row_id: number };

/** Selects the exported columns of a table, some of its rows or all. */
export function rowsOf(table: SQLiteTable, { after = -1, limit = -1 } = {}) {
  const listed = exportedColumns(table).map((name) => sql.identifier(name));
  // Without parameters, which drizzle does not bind to a raw statement of a batch on D1.
  return sql`select rowid as row_id, ${sql.join(listed, sql`, `)} from ${table}
    where rowid > ${sql.raw(`${after}`)} order by rowid limit ${sql.raw(`${limit}`)}`;
}

function exportedColumns(table: SQLiteTable): string[] {
  return Object.values(getTableColumns(table))
    .filter((column) => !column.generated && !unexported.includes(column))
    .map((column) => column.name);
}

/**
 * Writes rows of a table as INSERT statements, one per line.
 *
 * @throws Error if a row is too long for a D1 statement
 */
export function* insertStatementsOf(table: SQLiteTable, rows: ExportedRow[]): Generator<string> {
  const name = getTableName(table);
  const columns = exportedColumns(table);
  const start = `INSERT INTO "${name}" (${columns.map((column) => `"${column}"`).join(", ")}) VALUES `;
  let values: string[] = [];
  let length = start.length;
  for (const row of rows) {
    const value = `(${columns.map((column) => sqlLiteral(row[column])).join(", ")})`;
    const bytes = encoder.encode(value).length + ", ".length;
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
}

const encoder = new TextEncoder();

/** A value as an SQL literal without line breaks. */
function sqlLiteral(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  const text = String(value);
  // SQLite ends a string literal at NUL, JSON included.
  if (text.includes("\0")) return `CAST(X'${hex(text)}' AS TEXT)`;
  if (!/\p{Cc}/u.test(text)) return sqlString(text);
  // JSON escapes control characters, line breaks included.
  return `json_extract(${sqlString(JSON.stringify(text))}, '$')`;
}

function hex(text: string): string {
  return Array.from(encoder.encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function sqlString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

const endStart = "-- End of export: ";

/** The last line of an export, by which a restore knows that it is complete. @param counts rows of each table */
export const exportEndLine = (counts: Record<string, number>) => `${endStart}${JSON.stringify(counts)}`;

/** The counts of a last line; null for any other line. */
export function countsAtEnd(line: string): Record<string, number> | null {
  const counts = line.startsWith(endStart) && endSchema.safeParse(line.slice(endStart.length));
  return counts ? (counts.data ?? null) : null;
}

const endSchema = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: "custom" });
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string(), z.number()));

/** A Worker has 128 MB of memory, and holds all rows at once. */
const maxDatabaseBytes = 25_000_000;

const keptDays = 30;

/**
 * Writes the rows of all tables into the bucket once a day, as `npm run db:export` does, and deletes backups that are
 * older than 30 days. The rows are read in one transaction, so they belong together.
 *
 * @throws Error if the database is too large, or a row too long
 */
export async function backUp(db: Db, bucket: R2Bucket): Promise<void> {
  const now = new Date();
  const name = backupName(now);
  const { objects } = await bucket.list();
  if (objects.some(({ key }) => key === name)) return;
  const bytes = await findDatabaseSize(db);
  if (bytes > maxDatabaseBytes) {
    throw new Error(
      `The database has ${bytes} bytes: too large for a backup by the jobs. Export it instead.`,
    );
  }
  const [first, ...others] = exportedTables.map((table) => db.all<ExportedRow>(rowsOf(table)));
  if (!first) return;
  const results = await db.batch([first, ...others]);
  const lines = exportedTables.flatMap((table, index) => [
    ...insertStatementsOf(table, results[index] as ExportedRow[]),
  ]);
  const counts = exportedTables.map((table, index) => [getTableName(table), results[index]?.length ?? 0]);
  await bucket.put(name, `${[...lines, exportEndLine(Object.fromEntries(counts))].join("\n")}\n`);
  const oldest = backupName(new Date(now.getTime() - keptDays * dayMs));
  const old = objects.map(({ key }) => key).filter((key) => key < oldest);
  if (old.length > 0) await bucket.delete(old);
}

/** Named by its day in UTC, so that names sort by age. */
const backupName = (time: Date) => `${time.toISOString().slice(0, 10)}.sql`;

/** The last backup; null if there is none. */
export async function findLastBackup(bucket: R2Bucket, now = new Date()) {
  const last = (await bucket.list()).objects.at(-1);
  if (!last) return null;
  const { key: name, size: bytes, uploaded } = last;
  const hoursOld = Math.floor((now.getTime() - uploaded.getTime()) / hourMs);
  return { name, bytes, hoursOld, isLate: hoursOld > alarmLimits.backupHours };
}
