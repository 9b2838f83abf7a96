import type { DrizzleD1Database } from "drizzle-orm/d1";
import { type DatabaseStats, newStats, withDeadline, withStats } from "./connection.ts";
import { d1Driver } from "./d1.server.ts";
import { createDrizzle } from "./d1-adapter.ts";
import type { Driver, Reads } from "./driver.ts";
import { libsqlDriver, patientLibsqlDriver } from "./libsql.server.ts";
import { batchReads } from "./read-batcher.ts";

/**
 * The database, D1 or libSQL. Use `db.batch` for transactions, and `.returning()` for the result of a write, because
 * the result objects of D1 and libSQL differ. Concurrent reads share a round trip.
 */
export type Db = DrizzleD1Database;

interface DatabaseEnvironment {
  DB?: D1Database;
  LIBSQL_URL?: string;
  LIBSQL_REPLICA_URL?: string;
  LIBSQL_AUTH_TOKEN?: string;
}

interface OpenDatabase {
  db: Db;
  stats: DatabaseStats;
  /** Checks that the primary responds within one second. @throws Unreachable */
  ping(): Promise<void>;
}

const pingTimeoutMs = 1000;

/**
 * Opens the database for one request. Do not share the result between requests.
 *
 * @param reads where to read until the request writes
 * @throws Error when neither D1 nor libSQL is configured
 */
export function openDatabase(environment: DatabaseEnvironment, reads: Reads = "primary"): OpenDatabase {
  const { driver, primary, bookmark } = driversFor(environment, reads);
  const stats = newStats(bookmark);
  return {
    db: createDrizzle(batchReads(withStats(withDeadline(driver), stats))),
    stats,
    async ping() {
      const connection = withStats(withDeadline(primary(), pingTimeoutMs), stats);
      await connection.run([{ sql: "select 1", params: [] }], "read");
    },
  };
}

export function createDb(environment: DatabaseEnvironment): Db {
  return openDatabase(environment).db;
}

function driversFor(
  environment: DatabaseEnvironment,
  reads: Reads,
): { driver: Driver; primary(): Driver; bookmark(): string | null } {
  const { DB, LIBSQL_URL: url, LIBSQL_REPLICA_URL, LIBSQL_AUTH_TOKEN: authToken } = environment;
  if (url) {
    return {
      driver: patientLibsqlDriver(url, reads === "anywhere" ? LIBSQL_REPLICA_URL : undefined, authToken),
      primary: () => libsqlDriver(url, authToken),
      // A libSQL replica does not report its position, so a bookmark selects the primary.
      bookmark: () => "primary",
    };
  }
  if (!DB) throw new Error("No database: bind D1 as DB, or set LIBSQL_URL.");
  const driver = d1Driver(DB, reads);
  return { driver, primary: () => d1Driver(DB, "primary"), bookmark: driver.bookmark };
}
