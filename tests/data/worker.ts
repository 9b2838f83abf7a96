import { AssertionError } from "node:assert";
import { createDb, type Db } from "#app/db/client.server.ts";
import { assertTabsMatch } from "../harness/catalog-counts.ts";
import { emptyDatabase } from "../harness/empty-database.ts";

/** An error of a scenario as JSON. */
export interface ScenarioError {
  message: string;
  stack: string;
  actual?: unknown;
  expected?: unknown;
}

type Scenarios = Record<string, (db: Db) => Promise<void>>;

const files = import.meta.glob<Scenarios>("./scenarios/*.ts", { eager: true });

/** Runs the scenario that the path names, on D1 or on the libSQL server at `?libsql`, without what others left there. */
export default {
  async fetch(request, { DB }) {
    const { pathname, searchParams } = new URL(request.url);
    const [file, name] = pathname.slice(1).split("/");
    const scenario = files[`./scenarios/${file}.ts`]?.[name ?? ""];
    if (!scenario) return Response.json({ error: serialize(new Error(`There is no scenario ${pathname}`)) });
    const libsql = searchParams.get("libsql") ?? undefined;
    const db = withCheckedBatches(await createDb({ LIBSQL_URL: libsql, DB: withCheckedStatements(DB) }));
    try {
      await emptyDatabase(db);
      await scenario(db);
      await assertTabsMatch(db, "the tabs of My Sells at the end");
      return Response.json({ error: null });
    } catch (error) {
      return Response.json({ error: serialize(error) });
    }
  },
} satisfies ExportedHandler<{ DB: D1Database }>;

/** A condition that compares a column with itself: it was passed into a statement that reads the same table. */
const selfComparison = /(?<![\w".])((?:"\w+"\.)?"\w+") = \1(?![\w".])/;

/** A column of an outer statement is another one in a statement within that reads the same table: it needs an alias. */
function withCheckedStatements(database: D1Database): D1Database {
  return {
    withSession(constraint?: string) {
      const session = database.withSession(constraint);
      const prepare = session.prepare.bind(session);
      return Object.assign(session, {
        prepare(sql: string) {
          const [compared] = selfComparison.exec(sql) ?? [];
          if (compared) throw new Error(`A statement compares a column with itself: ${compared}. ${sql}`);
          return prepare(sql);
        },
      });
    },
  } as D1Database;
}

/**
 * D1 returns the rows of a batch as objects, in which the last of several columns of one name is left: they need
 * aliases.
 */
function withCheckedBatches(db: Db): Db {
  const batch = db.batch.bind(db);
  return Object.assign(db, {
    batch(statements: Parameters<Db["batch"]>[0]) {
      for (const statement of statements) {
        const { sql } = (statement as unknown as { toSQL(): { sql: string } }).toSQL?.() ?? { sql: "" };
        const names = columnNames(sql);
        const twice = names.find((name, index) => names.indexOf(name) !== index);
        if (twice) throw new Error(`A batch reads two columns named ${twice}: give one an alias. ${sql}`);
      }
      return batch(statements);
    },
  });
}

/** The names of the columns that a select statement returns, where they can be told from its text. */
function columnNames(sql: string): string[] {
  if (!sql.startsWith("select ")) return [];
  const columns = [""];
  let depth = 0;
  for (const part of sql.slice("select ".length).split(/(\bfrom\b|[(),])/)) {
    if (part === "from" && depth === 0) break;
    if (part === "(") depth += 1;
    if (part === ")") depth -= 1;
    if (part === "," && depth === 0) columns.push("");
    else columns[columns.length - 1] += part;
  }
  return columns.flatMap((column) => column.match(/"([^"]+)"\s*$/)?.[1] ?? []);
}

function serialize(error: unknown): ScenarioError {
  if (!(error instanceof Error)) return { message: String(error), stack: "" };
  const { message, stack = "", cause } = error;
  const { actual, expected } = error instanceof AssertionError ? error : {};
  // Vitest prints the difference of the two values itself.
  if (actual !== undefined && expected !== undefined)
    return { message: message.split("\n")[0] ?? "", stack, actual, expected };
  return { message: cause instanceof Error ? `${message}\nCaused by: ${cause.message}` : message, stack };
}
