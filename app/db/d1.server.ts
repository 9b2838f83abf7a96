import type { Driver, Reads, Result, Statement } from "./driver.ts";
import { Unreachable } from "./unreachable.ts";

interface D1Driver extends Driver {
  bookmark(): string | null;
}

/** D1 rejects other texts with an error. */
const bookmarkPattern = /^[0-9a-f]{8}(-[0-9a-f]+){3}$/;

/**
 * Creates a driver for D1 with one D1 session, so that the reads of a request are sequentially consistent.
 *
 * @see https://developers.cloudflare.com/d1/best-practices/read-replication/
 */
export function d1Driver(binding: D1Database, reads: Reads): D1Driver {
  const session = binding.withSession(constraintOf(reads));
  async function run(statements: Statement[]): Promise<Result[]> {
    const bound = statements.map(({ sql, params }) =>
      session.prepare(withDistinctColumns(sql)).bind(...params),
    );
    const results = await session.batch<Record<string, unknown>>(bound).catch((error) => {
      throw asUnreachable(error);
    });
    return results.map(({ results: rows, meta }) => ({
      rows,
      rowsRead: meta.rows_read,
    }));
  }
  return { run, bookmark: () => session.getBookmark() };
}

function constraintOf(reads: Reads): D1SessionBookmark | D1SessionConstraint {
  if (reads === "anywhere") return "first-unconstrained";
  return reads !== "primary" && bookmarkPattern.test(reads.since) ? reads.since : "first-primary";
}

/**
 * D1 returns the rows of a batch as objects, which lose columns of the same name, as joins have them. In a subquery
 * SQLite renames such columns (`id`, `id:1`).
 */
function withDistinctColumns(sql: string): string {
  return /^\s*select\b.*\bjoin\b/is.test(sql) ? `select * from (${sql})` : sql;
}

/** D1 has no error codes. @see https://developers.cloudflare.com/d1/observability/debug-d1/ */
const unreachableMessage =
  /network connection lost|storage caused object to be reset|reset because its code was updated|cannot resolve d1|internal error; reference|client disconnected|d1 db is overloaded|d1 db storage operation exceeded|d1 db(?:'s isolate)? exceeded its/i;

export function asUnreachable(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const messages = [error.message, error.cause instanceof Error ? error.cause.message : ""];
  return unreachableMessage.test(messages.join(" ")) ? new Unreachable(error) : error;
}
