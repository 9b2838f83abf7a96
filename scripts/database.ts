import { createClient } from "@libsql/client";
import { drizzle as overD1 } from "drizzle-orm/d1";
import { migrate as migrateD1 } from "drizzle-orm/d1/migrator";
import { drizzle as overLibsql } from "drizzle-orm/libsql";
import { migrate as migrateLibsql } from "drizzle-orm/libsql/migrator";
import { getPlatformProxy } from "wrangler";
import type { Db } from "#app/db/client.server.ts";
import { createDrizzle } from "#app/db/d1-adapter.ts";
import { libsqlDriver } from "#app/db/libsql.server.ts";
import type { LocalState } from "./local-state.ts";

const migrationsFolder = "migrations";

/** Brings a D1 database, local to this machine, up to date. */
export async function openD1(binding: D1Database): Promise<Db> {
  return upToDate(overD1(binding));
}

/** Brings a D1 database, however it is asked, up to date. */
export async function upToDate(db: Db): Promise<Db> {
  await migrateD1(db, { migrationsFolder });
  return db;
}

/** Brings a libSQL database up to date. */
export async function openLibsql(url: string, authToken?: string): Promise<Db> {
  const client = createClient({ url, authToken });
  await migrateLibsql(overLibsql(client), { migrationsFolder });
  client.close();
  const driver = libsqlDriver(url, authToken);
  // However long it takes: what is done here may be much.
  const { signal } = new AbortController();
  return createDrizzle((statements) => driver.run(statements, "write", signal));
}

/**
 * Runs `work` on the database that a local market of this state uses, brought up to date first: the libSQL
 * server that `LIBSQL_URL` names, else the local D1.
 */
export async function withDatabase<Result>(
  state: LocalState,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const { LIBSQL_URL, LIBSQL_AUTH_TOKEN } = state.bindings;
  if (LIBSQL_URL) return work(await openLibsql(LIBSQL_URL, LIBSQL_AUTH_TOKEN));
  const platform = await getPlatformProxy<{ DB: D1Database }>({ persist: { path: state.persist } });
  try {
    return await work(await openD1(platform.env.DB));
  } finally {
    await platform.dispose();
  }
}
