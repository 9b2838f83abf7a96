import type { DrizzleD1Database } from "drizzle-orm/d1";
import { circuitOf, type GuardedDriver, withCircuitBreaker } from "./circuit-breaker.ts";
import { d1Driver } from "./d1.server.ts";
import { createDrizzle } from "./d1-adapter.ts";
import { type DatabaseStats, newStats, withStats } from "./database-stats.ts";
import { withDeadline } from "./deadline.ts";
import type { Driver, Reads } from "./driver.ts";
import { libsqlDriver } from "./libsql.server.ts";
import { withOneWriter, writeTurnOf } from "./one-writer.ts";
import { batchReads } from "./read-batcher.ts";
import { withReplica } from "./replica.ts";
import { withRetry } from "./retry.ts";

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

/**
 * Opens the database for one request. Do not share the result between requests.
 *
 * @param reads where to read until the request writes
 * @throws Error when neither D1 nor libSQL is configured
 */
export function openDatabase(environment: DatabaseEnvironment, reads: Reads = "primary"): OpenDatabase {
  const { driver, primary, stats } = driversFor(environment, reads);
  return { db: createDrizzle(batchReads(withDeadline(driver))), stats, ping: () => primary().ping() };
}

export function createDb(environment: DatabaseEnvironment): Db {
  return openDatabase(environment).db;
}

function driversFor(
  { DB, LIBSQL_URL, LIBSQL_REPLICA_URL, LIBSQL_AUTH_TOKEN }: DatabaseEnvironment,
  reads: Reads,
): { driver: Driver; primary(): GuardedDriver; stats: DatabaseStats } {
  if (LIBSQL_URL) {
    // A libSQL replica does not report its position, so a bookmark selects the primary.
    const stats = newStats(() => "primary");
    const connect = (url: string) => withStats(libsqlDriver(url, LIBSQL_AUTH_TOKEN), stats);
    const oneWriter = withOneWriter(connect(LIBSQL_URL), writeTurnOf(LIBSQL_URL));
    const primary = withCircuitBreaker(withRetry(oneWriter), circuitOf(LIBSQL_URL));
    const useReplica = LIBSQL_REPLICA_URL && reads === "anywhere";
    const driver = useReplica ? withReplica(primary, connect(LIBSQL_REPLICA_URL)) : primary;
    return { driver, primary: () => primary, stats };
  }
  if (!DB) throw new Error("No database: bind D1 as DB, or set LIBSQL_URL.");
  const d1 = d1Driver(DB, reads);
  const stats = newStats(() => d1.bookmark());
  // Two circuits: replicas may respond while the primary does not.
  const driver = withCircuitBreaker(
    withStats(d1, stats),
    circuitOf(reads === "anywhere" ? "D1" : "D1 primary"),
  );
  const primary = () =>
    withCircuitBreaker(withStats(d1Driver(DB, "primary"), stats), circuitOf("D1 primary"));
  return { driver, primary, stats };
}
