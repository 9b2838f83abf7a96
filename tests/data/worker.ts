import { AssertionError } from "node:assert";
import { createDb, type Db } from "#app/db/client.server.ts";

/** An error of a scenario as JSON. */
export interface ScenarioError {
  message: string;
  stack: string;
  actual?: unknown;
  expected?: unknown;
}

type Scenarios = Record<string, (db: Db) => Promise<void>>;

const migrations = import.meta.glob<string>("../../migrations/*.sql", {
  query: "?raw",
  import: "default",
  eager: true,
});
const files = import.meta.glob<Scenarios>("./scenarios/*.ts", { eager: true });

/** Runs the scenario that the path names, on its D1 binding or on the migrated libSQL server at `?libsql`. */
export default {
  async fetch(request, environment) {
    const { pathname, searchParams } = new URL(request.url);
    const [file, name] = pathname.slice(1).split("/");
    const scenario = files[`./scenarios/${file}.ts`]?.[name ?? ""];
    if (!scenario) return Response.json({ error: serialize(new Error(`There is no scenario ${pathname}`)) });
    const libsql = searchParams.get("libsql") ?? undefined;
    const d1 = environment[`${file}/${name}`];
    const db = createDb({ LIBSQL_URL: libsql, DB: d1 });
    try {
      if (!libsql && d1 && environment.template) await migrate(d1, environment.template);
      await scenario(db);
      return Response.json({ error: null });
    } catch (error) {
      return Response.json({ error: serialize(error) });
    }
  },
} satisfies ExportedHandler<Record<string, D1Database>>;

/** The statements that create what the migrations lead to. They insert no rows. */
let schema: Promise<string[]> | undefined;

/** Creates the tables of a migrated database, which is faster than all migrations. */
async function migrate(d1: D1Database, template: D1Database) {
  schema ??= migratedSchema(template);
  const statements = await schema;
  await d1.batch(statements.map((statement) => d1.prepare(statement)));
}

async function migratedSchema(d1: D1Database): Promise<string[]> {
  const statements = Object.keys(migrations)
    .sort()
    .flatMap((path) => migrations[path]?.split("--> statement-breakpoint") ?? []);
  await d1.batch(statements.map((statement) => d1.prepare(statement)));
  // Without the tables that D1, SQLite and its full-text search create themselves.
  const { results } = await d1
    .prepare(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '*_fts_*' ORDER BY rowid",
    )
    .all<{ sql: string }>();
  return results.map(({ sql }) => sql);
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
