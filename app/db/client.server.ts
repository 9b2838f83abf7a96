import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";

/**
 * The database, D1 or libSQL. Use `db.batch` for transactions and for reads that belong together, and `.returning()` for
 * the result of a write, because the result objects of D1 and libSQL differ.
 */
export type Db = BaseSQLiteDatabase<"async", unknown> & Pick<DrizzleD1Database, "batch">;

/** Where a request reads: any replica, the primary, or any replica that has reached a bookmark. */
export type Reads = "anywhere" | "primary" | { since: string };

export interface DatabaseEnvironment {
  DB?: D1Database;
  LIBSQL_URL?: string;
  LIBSQL_REPLICA_URL?: string;
  LIBSQL_AUTH_TOKEN?: string;
}

interface OpenDatabase {
  db: Db;
  /** From which a later request sees the writes of this one; null before the first statement. */
  bookmark(): string | null;
}

/**
 * Opens the database for one request. Do not share the result between requests.
 *
 * @param reads where to read
 * @throws Error when neither D1 nor libSQL is configured
 */
export async function openDatabase(
  environment: DatabaseEnvironment,
  reads: Reads = "primary",
): Promise<OpenDatabase> {
  const { DB, LIBSQL_URL: url, LIBSQL_REPLICA_URL, LIBSQL_AUTH_TOKEN: authToken } = environment;
  if (url) {
    const replicaUrl = reads === "anywhere" ? LIBSQL_REPLICA_URL : undefined;
    // Loaded on demand: D1 does not need it.
    const { openLibsql } = await import("./libsql.server.ts");
    // A libSQL replica does not report its position, so a bookmark selects the primary.
    return { db: openLibsql({ url, replicaUrl, authToken }), bookmark: () => "primary" };
  }
  if (!DB) throw new Error("No database: bind D1 as DB, or set LIBSQL_URL.");
  // One session, so that the reads of a request are sequentially consistent.
  const session = DB.withSession(constraintOf(reads));
  // drizzle uses what both have.
  return { db: drizzle(session as D1DatabaseSession & D1Database), bookmark: () => session.getBookmark() };
}

export async function createDb(environment: DatabaseEnvironment): Promise<Db> {
  return (await openDatabase(environment)).db;
}

/** D1 rejects other texts with an error. */
const bookmarkPattern = /^[0-9a-f]{8}(-[0-9a-f]+){3}$/;

/** @see https://developers.cloudflare.com/d1/best-practices/read-replication/ */
function constraintOf(reads: Reads): D1SessionBookmark | D1SessionConstraint {
  if (reads === "anywhere") return "first-unconstrained";
  return reads !== "primary" && bookmarkPattern.test(reads.since) ? reads.since : "first-primary";
}
