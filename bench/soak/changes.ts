import { getTableColumns, getTableName, is, sql } from "drizzle-orm";
import { type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import * as schema from "#app/db/schema.ts";

/** What is stored about requests themselves, what triggers derive from other rows, and what happens in the background. */
const ignored: SQLiteTable[] = [
  schema.idempotencyKeys,
  schema.loginAttempts,
  schema.usedOauthStates,
  schema.brands,
  schema.deviceVariants,
  schema.searchWords,
  schema.dataRevisions,
  schema.tabCounts,
  schema.ledgerSums,
  schema.uncountedDays,
  schema.dailyNumbers,
  schema.dailyDemand,
  schema.emptySearches,
  schema.sentEmails,
  // Deleted once the queue has sent them.
  schema.accountEmails,
  schema.jobRuns,
  schema.recordedErrors,
  schema.paymentDifferences,
  schema.providerEvents,
];

/** Written in the background after a request, for the notifications of others too, and derived from other rows. */
const ignoredColumns: SQLiteColumn[] = [
  schema.notifications.emailDoneAt,
  schema.notifications.emailOutcome,
  schema.ticketMessages.emailDoneAt,
  schema.ticketMessages.emailOutcome,
  schema.users.lastSeenDay,
  schema.phones.tab,
  schema.phones.views,
];

const readTables: SQLiteTable[] = [];
for (const each of Object.values(schema)) {
  if (is(each, SQLiteTable) && !ignored.includes(each)) readTables.push(each);
}
const tables = readTables.map((table) => getTableName(table));
const queries = readTables.map((table) => {
  const columns = Object.values(getTableColumns(table)).filter((column) => !ignoredColumns.includes(column));
  return sql.raw(`select ${columns.map(({ name }) => name)} from ${getTableName(table)}`);
});

type Rows = Map<string, Set<string>>;

/** Reads all rows, except the ignored ones. */
export async function readRows(db: Db): Promise<Rows> {
  const [first, ...others] = queries.map((query) => db.all(query));
  const results = first ? await db.batch([first, ...others]) : [];
  return new Map(
    tables.map((table, index) => [
      table,
      new Set((results[index] as unknown[]).map((row) => JSON.stringify(row))),
    ]),
  );
}

/** The numbers of new and of vanished rows in each table; a changed row counts as both. */
export function changeBetween(before: Rows, after: Rows): string {
  return tables
    .map((table) => {
      const [old, now] = [before.get(table) ?? new Set(), after.get(table) ?? new Set()];
      const added = [...now].filter((row) => !old.has(row)).length;
      const gone = [...old].filter((row) => !now.has(row)).length;
      return added + gone > 0 ? `${table} +${added} -${gone}` : "";
    })
    .filter(Boolean)
    .join(", ");
}

/** A change without that of some tables. */
export function withoutTables(change: string, tables: string[]): string {
  const parts = change.split(", ").filter((part) => !tables.includes(part.split(" ")[0] ?? ""));
  return parts.join(", ");
}
