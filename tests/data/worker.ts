import { AssertionError } from "node:assert";
import { createDb, type Db } from "#app/db/client.server.ts";

type Scenarios = Record<string, (db: Db) => Promise<void>>;

const migrations = import.meta.glob<string>("../../migrations/*.sql", {
  query: "?raw",
  import: "default",
  eager: true,
});
const files = import.meta.glob<Scenarios>("./scenarios/*.ts", { eager: true });

/** Runs the scenario that the path names, on the D1 bound under that name or on the libSQL server given, which is up to date. */
export default {
  async fetch(request, environment) {
    const { pathname, searchParams } = new URL(request.url);
    const [file, name] = pathname.slice(1).split("/");
    const scenario = files[`./scenarios/${file}.ts`]?.[name ?? ""];
    if (!scenario) return Response.json({ fault: `There is no scenario ${pathname}` });
    const libsql = searchParams.get("libsql") ?? undefined;
    const d1 = environment[`${file}/${name}`];
    const db = createDb({ LIBSQL_URL: libsql, DB: d1 });
    try {
      if (!libsql && d1) await migrate(d1);
      await scenario(db);
      return Response.json({ fault: null });
    } catch (fault) {
      return Response.json({ fault: describeFault(fault) });
    }
  },
} satisfies ExportedHandler<Record<string, D1Database>>;

/** The product's own migrator asks from outside, one statement at a time, which every market of the tests does too. */
async function migrate(d1: D1Database) {
  const statements = Object.keys(migrations)
    .sort()
    .flatMap((path) => migrations[path]?.split("--> statement-breakpoint") ?? []);
  await d1.batch(statements.map((statement) => d1.prepare(statement)));
}

function describeFault(fault: unknown): string {
  if (fault instanceof AssertionError) return `${fault.message}\n${fault.stack}`;
  if (!(fault instanceof Error)) return String(fault);
  return `${fault.stack}${fault.cause ? `\ncaused by ${describeFault(fault.cause)}` : ""}`;
}
