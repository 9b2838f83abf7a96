import { AssertionError } from "node:assert";
import { createDb, type Db } from "#app/db/client.server.ts";
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
    const db = createDb({ LIBSQL_URL: libsql, DB });
    try {
      await emptyDatabase(db);
      await scenario(db);
      return Response.json({ error: null });
    } catch (error) {
      return Response.json({ error: serialize(error) });
    }
  },
} satisfies ExportedHandler<{ DB: D1Database }>;

function serialize(error: unknown): ScenarioError {
  if (!(error instanceof Error)) return { message: String(error), stack: "" };
  const { message, stack = "", cause } = error;
  const { actual, expected } = error instanceof AssertionError ? error : {};
  // Vitest prints the difference of the two values itself.
  if (actual !== undefined && expected !== undefined)
    return { message: message.split("\n")[0] ?? "", stack, actual, expected };
  return { message: cause instanceof Error ? `${message}\nCaused by: ${cause.message}` : message, stack };
}
