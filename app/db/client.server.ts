import { createClient } from "@libsql/client/web";
import { type DrizzleD1Database, drizzle as overD1 } from "drizzle-orm/d1";
import { drizzle as overLibsql } from "drizzle-orm/libsql/web";
import * as schema from "./schema.ts";

/**
 * The database as the features see it, whichever backend is behind it.
 * Writes tell what they did through `.returning()`; the backends' own result objects differ and are not used.
 * Several statements that belong together go through `db.batch`, which is one transaction on both.
 */
export type Db = DrizzleD1Database<typeof schema>;

/** Where the database is: a libSQL server when its URL is given, else the D1 binding. */
export interface DatabaseEnvironment {
  DB?: D1Database;
  LIBSQL_URL?: string;
  LIBSQL_AUTH_TOKEN?: string;
}

/**
 * Opens the database for one request. Make a new one for each: a libSQL client that outlives its request
 * keeps connection state the server has forgotten.
 *
 * @throws Error when neither backend is configured.
 */
export function createDb(environment: DatabaseEnvironment): Db {
  if (environment.LIBSQL_URL) {
    const client = createClient({ url: environment.LIBSQL_URL, authToken: environment.LIBSQL_AUTH_TOKEN });
    return overLibsql(client, { schema }) as unknown as Db;
  }
  if (!environment.DB) throw new Error("No database: bind D1 as DB, or set LIBSQL_URL.");
  return overD1(environment.DB, { schema });
}
