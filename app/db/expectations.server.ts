import { type SQLWrapper, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./client.server.ts";

/** A view: its trigger `expectation_failed` ends the transaction unless a row holds. */
const expectations = sqliteTable("expectations", { number: integer("number"), holds: integer("holds") });

/** The trigger knows so many. */
const maxExpectations = 12;

/**
 * Runs statements as one transaction if all conditions hold; otherwise it stores nothing.
 *
 * @param conditions what must hold, by the refusal that follows if it does not; undefined holds
 * @returns the first refusal; null if the statements were run
 */
export async function batchUnless<Refusal extends string>(
  db: Db,
  conditions: Partial<Record<Refusal, SQLWrapper | undefined>>,
  statements: BatchItem<"sqlite">[],
): Promise<Refusal | null> {
  const refusals = (Object.keys(conditions) as Refusal[]).filter((refusal) => conditions[refusal]);
  if (refusals.length > maxExpectations) throw new Error(`At most ${maxExpectations} conditions.`);
  const rows = refusals.map((refusal, number) => ({ number, holds: sql<number>`${conditions[refusal]}` }));
  try {
    await db.batch([db.insert(expectations).values(rows), ...statements]);
    return null;
  } catch (error) {
    const refusal = refusals[failedNumber(error)];
    if (!refusal) throw error;
    return refusal;
  }
}

function failedNumber(error: unknown): number {
  if (!(error instanceof Error)) return Number.NaN;
  const [, number] = error.message.match(/\bexpectation (\d+) failed\b/) ?? [];
  return number === undefined ? failedNumber(error.cause) : Number(number);
}
