import type { Answer, Statement } from "./driver.ts";
import type { Ask } from "./gathering.ts";

/** A statement as `drizzle-orm/d1` handles it. */
interface PreparedStatement extends Statement {
  bind(...params: unknown[]): PreparedStatement;
  run(): Promise<Result>;
  all(): Promise<Result>;
  raw(): Promise<unknown[][]>;
}

interface Result {
  results: Record<string, unknown>[];
}

/** As much of D1 as `drizzle-orm/d1` asks of it, for any database, so that both have one type. */
export function inD1Shape(ask: Ask): D1Database {
  function prepare(sql: string, params: unknown[] = []): PreparedStatement {
    const statement = { sql, params };
    const one = async () => toResult(only(await ask([statement])));
    return {
      ...statement,
      bind: (...bound) => prepare(sql, bound),
      run: one,
      all: one,
      raw: async () => (await one()).results.map((row) => Object.values(row)),
    };
  }
  const shape = {
    prepare: (sql: string) => prepare(sql),
    batch: async (statements: PreparedStatement[]) => (await ask(statements)).map(toResult),
  };
  return shape as unknown as D1Database;
}

const toResult = ({ rows }: Answer): Result => ({ results: rows });

function only([answer]: Answer[]): Answer {
  if (!answer) throw new Error("The database left a statement without an answer.");
  return answer;
}
