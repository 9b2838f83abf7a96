import { type SQLWrapper, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./client.server.ts";

/** A view: its trigger `expectation_failed` ends the transaction unless a row holds. */
const expectations = sqliteTable("expectations", { number: integer("number"), holds: integer("holds") });

/** The trigger knows so many numbers. */
const maxExpectations = 32;

/**
 * Runs statements as one transaction if all conditions hold; otherwise it stores nothing.
 *
 * @param conditions what must hold, by the refusal that follows if it does not; undefined holds
 * @returns the first refusal; null if the statements were run
 * @throws Error if there are more than 32 conditions, counting undefined ones: each call and test of its use case fails
 */
export async function batchUnless<Refusal extends string>(
  db: Db,
  conditions: Partial<Record<Refusal, SQLWrapper | undefined>>,
  statements: BatchItem<"sqlite">[],
): Promise<Refusal | null> {
  const declared = Object.keys(conditions) as Refusal[];
  if (declared.length > maxExpectations) throw new Error(`At most ${maxExpectations} conditions.`);
  const refusals = declared.filter((refusal) => conditions[refusal]);
  const rows = refusals.map((refusal, number) => ({
    // Not a parameter, of which D1 allows 100 in a statement.
    number: sql`${sql.raw(String(number))}`,
    holds: sql`${conditions[refusal]}`,
  }));
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
