import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import type { Result, Statement } from "./driver.ts";
import type { Execute } from "./read-batcher.ts";

interface AdapterStatement extends Statement {
  bind(...params: unknown[]): AdapterStatement;
  run(): Promise<AdapterResult>;
  all(): Promise<AdapterResult>;
  raw(): Promise<unknown[][]>;
}

interface AdapterResult {
  results: Record<string, unknown>[];
}

/**
 * Creates a drizzle database of the D1 driver on any connection, so that D1 and libSQL have one type. The adapter has
 * only the methods of `D1Database` that the driver uses, hence the cast.
 */
export function createDrizzle(execute: Execute): DrizzleD1Database {
  function prepare(sql: string, params: unknown[] = []): AdapterStatement {
    const statement = { sql, params };
    const all = async () => toD1Result(onlyOne(await execute([statement])));
    return {
      ...statement,
      bind: (...bound) => prepare(sql, bound),
      run: all,
      all,
      raw: async () => (await all()).results.map((row) => Object.values(row)),
    };
  }
  const adapter = {
    prepare: (sql: string) => prepare(sql),
    batch: async (statements: AdapterStatement[]) => (await execute(statements)).map(toD1Result),
  };
  return drizzle(adapter as unknown as D1Database);
}

function toD1Result({ rows }: Result): AdapterResult {
  return { results: rows };
}

function onlyOne([result]: Result[]): Result {
  if (!result) throw new Error("The database returned no result for a statement.");
  return result;
}
