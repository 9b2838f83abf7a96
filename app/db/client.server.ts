import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { type AttentiveDriver, attentionTo, attentive } from "./attention.ts";
import { d1Driver } from "./d1.server.ts";
import { inD1Shape } from "./d1-shape.ts";
import type { Driver, Reads } from "./driver.ts";
import { gathered } from "./gathering.ts";
import { libsqlDriver } from "./libsql.server.ts";
import { patient } from "./patience.ts";
import { withReplica } from "./replica.ts";
import { counted, noTraffic, type Traffic } from "./traffic.ts";

/**
 * The database as the features see it, whichever backend is behind it.
 * Writes tell what they did through `.returning()`; the backends' own result objects differ and are not used.
 * Several statements that belong together go through `db.batch`, which is one transaction on both. Reads that are
 * asked for side by side share a round trip.
 */
export type Db = DrizzleD1Database & { $client: D1Database };

/** Where the database is: a libSQL server when its URL is given, else the D1 binding. */
export interface DatabaseEnvironment {
  DB?: D1Database;
  LIBSQL_URL?: string;
  LIBSQL_REPLICA_URL?: string;
  LIBSQL_AUTH_TOKEN?: string;
}

/** The database of one request. */
interface OpenDatabase {
  db: Db;
  traffic: Traffic;
  /**
   * Asks whether the database answers where it is written, for a second at most.
   *
   * @throws Unreachable when it does not
   */
  lookUp(): Promise<void>;
}

/**
 * Opens the database for one request. Make a new one for each: sessions and clients keep state that belongs to
 * one request.
 *
 * @param reads where to read, as long as the request has not written
 * @throws Error when neither backend is configured.
 */
export function openDatabase(environment: DatabaseEnvironment, reads: Reads = "primary"): OpenDatabase {
  const { driver, traffic, home } = driverFor(environment, reads);
  return { db: drizzle(inD1Shape(gathered(patient(driver)))), traffic, lookUp: () => home().lookUp() };
}

/** The database alone, read where everything written so far is seen. */
export function createDb(environment: DatabaseEnvironment): Db {
  return openDatabase(environment).db;
}

function driverFor(
  { DB, LIBSQL_URL, LIBSQL_REPLICA_URL, LIBSQL_AUTH_TOKEN }: DatabaseEnvironment,
  reads: Reads,
): { driver: Driver; traffic: Traffic; home(): AttentiveDriver } {
  if (LIBSQL_URL) {
    // A replica does not tell what it has seen, so a bookmark leads to the primary.
    const traffic = noTraffic(() => "primary");
    const driverTo = (url: string) => counted(libsqlDriver(url, LIBSQL_AUTH_TOKEN), traffic);
    const primary = attentive(driverTo(LIBSQL_URL), attentionTo(LIBSQL_URL));
    const mayLag = LIBSQL_REPLICA_URL && reads === "anywhere";
    const driver = mayLag ? withReplica(primary, driverTo(LIBSQL_REPLICA_URL)) : primary;
    return { driver, traffic, home: () => primary };
  }
  if (!DB) throw new Error("No database: bind D1 as DB, or set LIBSQL_URL.");
  const d1 = d1Driver(DB, reads);
  const traffic = noTraffic(() => d1.bookmark());
  // Replicas may answer while the primary does not.
  const driver = attentive(counted(d1, traffic), attentionTo(reads === "anywhere" ? "D1" : "D1's primary"));
  const home = () => attentive(counted(d1Driver(DB, "primary"), traffic), attentionTo("D1's primary"));
  return { driver, traffic, home };
}
