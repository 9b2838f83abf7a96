import { DrizzleQueryError } from "drizzle-orm";

/** The libSQL server could not be reached or did not respond. */
export class DatabaseUnreachable extends Error {
  override name = "Unreachable";

  constructor(cause: unknown) {
    super("The database is unreachable.", { cause });
  }
}

/**
 * Codes of libSQL's errors, and of SQLite's that begin so: the server is busy with another transaction, its disk is full
 * or fails, it accepts no writes, or its response was incomplete or invalid.
 */
const libsqlOutages = [
  "SQLITE_BUSY",
  "SQLITE_LOCKED",
  "SQLITE_FULL",
  "SQLITE_IOERR",
  "SQLITE_READONLY",
  "SQLITE_CANTOPEN",
  "SQLITE_NOMEM",
  "BLOCKED",
  "HRANA_CLOSED_ERROR",
  "HRANA_PROTO_ERROR",
  "SERVER_ERROR",
];

/** D1 has no error codes. @see https://developers.cloudflare.com/d1/observability/debug-d1/ */
const d1Outages =
  /network connection lost|storage caused object to be reset|reset because its code was updated|cannot resolve d1|internal error; reference|client disconnected|d1 db is overloaded|d1 db storage operation exceeded|d1 db(?:'s isolate)? exceeded its|exceeded maximum db size|sqlite_(?:full|ioerr|busy|locked|readonly|cantopen|nomem)|database or disk is full/i;

/** Whether the database could not be reached, did not respond or cannot store anything, by an error or one of its causes. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseUnreachable || isOutage(error.cause)) return true;
  // Its message has the parameters, among them texts of visitors.
  if (error instanceof DrizzleQueryError) return false;
  const { code = "" } = error as { code?: string };
  return libsqlOutages.some((outage) => code.startsWith(outage)) || d1Outages.test(error.message);
}
