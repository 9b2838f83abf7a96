import { createClient } from "@libsql/client";
import { drizzle } from "drizzle-orm/libsql";
import type { Db } from "#app/db/client.server.ts";
import { checkLibsql } from "./libsql-check.ts";
import { withLocalD1 } from "./local-d1.ts";
import type { LocalState } from "./local-state.ts";
import { migrateDatabase, migrateLibsql } from "./migrations.ts";

/** Opens a libSQL database and migrates it. Without a timeout: a restore may take long. */
export async function openLibsql(url: string, authToken?: string): Promise<Db> {
  const client = createClient({ url, authToken });
  await migrateLibsql(client);
  return drizzle(client);
}

/**
 * Migrates the database that a local server of this state uses, and runs `work` on it: the libSQL server at
 * `LIBSQL_URL`, or else the local D1.
 *
 * @throws SetupError if the libSQL server does not answer
 */
export async function withDatabase<Result>(
  state: LocalState,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const { LIBSQL_URL, LIBSQL_AUTH_TOKEN } = state.bindings;
  if (LIBSQL_URL) {
    await checkLibsql(state.bindings);
    return work(await openLibsql(LIBSQL_URL, LIBSQL_AUTH_TOKEN));
  }
  return withLocalD1(state.persist, async (db) => work(await migrateDatabase(db)));
}
