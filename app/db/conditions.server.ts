import { exists, type GetColumnData, gte, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "./client.server.ts";

/** Follows all texts that begin with a prefix. */
const lastCharacter = "\u{10FFFF}";

/** SQL condition: a text begins with a prefix, in any letter case (ASCII). Matches the indexes on `lower(column)`. */
export function startsWith(column: SQLWrapper, prefix: string): SQL {
  return sql`(lower(${column}) >= lower(${prefix}) and lower(${column}) < lower(${prefix}) || ${lastCharacter})`;
}

/** SQL condition: a table has a row that meets another. */
export function hasRow(db: Db, table: SQLiteTable, condition: SQL | undefined): SQL {
  return exists(db.select({ one: sql`1` }).from(table).where(condition));
}

/** SQL condition: `IN` with one JSON parameter, since D1 allows only 100 bound parameters per statement. */
export function isOneOf(column: SQLWrapper, values: readonly (string | number)[]): SQL {
  if (values.length === 1) return sql`${column} = ${values[0]}`;
  return sql`${column} in (select json_each.value from json_each(${JSON.stringify(values)}))`;
}

/** SQL conditions: a time is in a range; the end is excluded. */
export function isWithin(column: SQLiteColumn, { from, before }: { from?: Date; before?: Date }): SQL[] {
  return [...(from ? [gte(column, from)] : []), ...(before ? [lt(column, before)] : [])];
}

/** The first of all time-ordered ids made at or after a time: the primary key finds rows by age. */
export function firstIdAt(time: Date): string {
  return timeOrderedId({ msecs: Math.max(0, time.getTime()), seq: 0, random: new Uint8Array(16) });
}

/** A value for a column in an `insert … select`, encoded as the column does. */
export function valueFor<Column extends SQLiteColumn>(column: Column, value: GetColumnData<Column>) {
  return sql<GetColumnData<Column>>`${sql.param(value, column)}`.as(column.name);
}

/** A time-ordered id (UUID version 7) for each row of a statement. */
export function newId() {
  const milliseconds = Date.now();
  const time = milliseconds.toString(16).padStart(12, "0");
  const start = `${time.slice(0, 8)}-${time.slice(8)}-7`;
  return sql<string>`${start} || substr(lower(hex(randomblob(2))), 2) || '-8' || substr(lower(hex(randomblob(2))), 2)
    || '-' || lower(hex(randomblob(6)))`;
}

/** The groups of a number, "4F2A-91C0-77BE", from each of which on it is found by an index. */
const numberGroups = [12, 8, 4];

/** What pages and emails write before the number of an order. */
const numberSign = /^(?:order\s*#?|#)\s*(?=[0-9a-f][0-9a-f\s-]*$)/i;

/** What is searched for, without what pages and emails write before a number. */
export const withoutNumberSign = (text: string) => text.trim().replace(numberSign, "");

/** Conditions for the number of an order or a report, or at least three digits of it, from the beginning of a group on. */
export function numberConditions(id: SQLWrapper, text: string): SQL[] {
  const digits = withoutNumberSign(text).replaceAll(/[\s-]/g, "").toLowerCase();
  // "Abe" is a name, "#abe" is not.
  if (!/^[0-9a-f]{3,12}$/.test(digits) || !(/\d/.test(digits) || numberSign.test(text.trim()))) return [];
  return numberGroups
    .filter((length) => digits.length <= length)
    .map((length) => {
      const number = sql`substr(${id}, ${sql.raw(`-${length}`)})`;
      return sql`(${number} >= ${digits} and ${number} <= ${digits.padEnd(length, "f")})`;
    });
}
