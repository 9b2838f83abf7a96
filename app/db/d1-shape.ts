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
    const one = async () => only(await ask([statement]));
    const run = async () => toResult(await one());
    return {
      ...statement,
      bind: (...bound) => prepare(sql, bound),
      run,
      all: run,
      raw: async () => (await one()).rows,
    };
  }
  const shape = {
    prepare: (sql: string) => prepare(sql),
    batch: async (statements: PreparedStatement[]) => (await ask(statements)).map(toResult),
  };
  return shape as unknown as D1Database;
}

/** Rows by the names of their columns; of two of the same name each has its place, as SQLite would give it. */
function toResult({ columns, rows }: Answer): Result {
  const names: string[] = [];
  for (const column of columns) {
    let name = column;
    for (let copy = 1; names.includes(name); copy += 1) name = `${column}:${copy}`;
    names.push(name);
  }
  return { results: rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]]))) };
}

function only([answer]: Answer[]): Answer {
  if (!answer) throw new Error("The database left a statement without an answer.");
  return answer;
}
