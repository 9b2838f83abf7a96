import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { d1Driver } from "./d1.server.ts";
import { inD1Shape } from "./d1-shape.ts";
import type { Driver, Reads } from "./driver.ts";
import { gathered } from "./gathering.ts";
import { libsqlDriver } from "./libsql.server.ts";
import { patient } from "./patience.ts";
import { withReplica } from "./replica.ts";
import * as schema from "./schema.ts";
import { counted, noTraffic, type Traffic } from "./traffic.ts";

/**
 * The database as the features see it, whichever backend is behind it.
 * Writes tell what they did through `.returning()`; the backends' own result objects differ and are not used.
 * Several statements that belong together go through `db.batch`, which is one transaction on both. Reads that are
 * asked for side by side share a round trip.
 */
export type Db = DrizzleD1Database<typeof schema>;

/** Where the database is: a libSQL server when its URL is given, else the D1 binding. */
export interface DatabaseEnvironment {
  DB?: D1Database;
  LIBSQL_URL?: string;
  LIBSQL_REPLICA_URL?: string;
  LIBSQL_AUTH_TOKEN?: string;
}

/** The database, opened for one request. */
export interface OpenDatabase {
  db: Db;
  traffic: Traffic;
  /** What a later request must have seen to see what this one wrote; null when it wrote nothing. */
  bookmark(): string | null;
}

/**
 * Opens the database for one request. Make a new one for each: sessions and clients keep state that belongs to
 * one request.
 *
 * @param reads where to read, as long as the request has not written
 * @throws Error when neither backend is configured.
 */
export function openDatabase(environment: DatabaseEnvironment, reads: Reads = "primary"): OpenDatabase {
  const traffic = noTraffic();
  const { driver, bookmark } = driverFor(environment, reads, (each) => counted(each, traffic));
  let hasWritten = false;
  const noting: Driver = {
    run(statements, kind, signal) {
      hasWritten ||= kind === "write";
      return driver.run(statements, kind, signal);
    },
  };
  const db = drizzle(inD1Shape(gathered(patient(noting))), { schema });
  return { db, traffic, bookmark: () => (hasWritten ? bookmark() : null) };
}

/** The database alone, read where everything written so far is seen. */
export function createDb(environment: DatabaseEnvironment): Db {
  return openDatabase(environment).db;
}

function driverFor(
  { DB, LIBSQL_URL, LIBSQL_REPLICA_URL, LIBSQL_AUTH_TOKEN }: DatabaseEnvironment,
  reads: Reads,
  count: (driver: Driver) => Driver,
): { driver: Driver; bookmark(): string | null } {
  if (LIBSQL_URL) {
    const primary = count(libsqlDriver(LIBSQL_URL, LIBSQL_AUTH_TOKEN));
    // Which replica has seen what it does not tell, so a bookmark leads to the primary.
    if (!LIBSQL_REPLICA_URL || reads !== "anywhere") return { driver: primary, bookmark: () => "primary" };
    const replica = count(libsqlDriver(LIBSQL_REPLICA_URL, LIBSQL_AUTH_TOKEN));
    return { driver: withReplica(primary, replica), bookmark: () => "primary" };
  }
  if (!DB) throw new Error("No database: bind D1 as DB, or set LIBSQL_URL.");
  const d1 = d1Driver(DB, reads);
  return { driver: count(d1), bookmark: () => d1.bookmark() };
}
