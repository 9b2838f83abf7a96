import type { Answer, Driver, Reads, Statement } from "./driver.ts";
import { Unreachable } from "./unreachable.ts";

/** A driver, and where a later request has to read on to see what this one has seen. */
export interface D1Driver extends Driver {
  bookmark(): string | null;
}

/** As D1 writes them; anything else would be refused with an error. */
const bookmarkForm = /^[0-9a-f]{8}(-[0-9a-f]+){3}$/;

/**
 * Asks D1 in a session, so that what one request reads never goes back in time.
 *
 * @see https://developers.cloudflare.com/d1/best-practices/read-replication/
 */
export function d1Driver(binding: D1Database, reads: Reads): D1Driver {
  const session = binding.withSession(constraintOf(reads));
  async function ask(statements: Statement[]): Promise<Answer[]> {
    const bound = statements.map(({ sql, params }) =>
      session.prepare(withDistinctColumns(sql)).bind(...params),
    );
    const results = await session.batch<Record<string, unknown>>(bound).catch((fault) => {
      throw asUnreachable(fault);
    });
    return results.map(({ results: rows, meta }) => ({
      rows,
      rowsRead: meta.rows_read,
      rowsWritten: meta.rows_written,
    }));
  }
  return { run: ask, bookmark: () => session.getBookmark() };
}

function constraintOf(reads: Reads): D1SessionBookmark | D1SessionConstraint {
  if (reads === "anywhere") return "first-unconstrained";
  return reads !== "primary" && bookmarkForm.test(reads.since) ? reads.since : "first-primary";
}

/**
 * D1 gives the rows of a batch as objects, in which one of two columns of the same name would be lost. SQLite
 * tells such columns of a subquery apart (`id`, `id:1`); without a join there are none.
 */
function withDistinctColumns(sql: string): string {
  return /^\s*select\b.*\bjoin\b/is.test(sql) ? `select * from (${sql})` : sql;
}

/** D1 has no codes for these. @see https://developers.cloudflare.com/d1/observability/debug-d1/ */
const passingWords =
  /network connection lost|storage caused object to be reset|reset because its code was updated|cannot resolve d1|internal error; reference/i;

/** To ask again at once would make these worse. */
const lastingWords = /d1 db is overloaded|d1 db storage operation exceeded|d1 db's isolate exceeded/i;

/** The fault that D1 has thrown, as what it means: `Unreachable`, or itself where D1 has said no. */
export function asUnreachable(fault: unknown): unknown {
  if (!(fault instanceof Error)) return fault;
  const words = [fault.message, fault.cause instanceof Error ? fault.cause.message : ""].join(" ");
  if (passingWords.test(words)) return new Unreachable(fault, true);
  return lastingWords.test(words) ? new Unreachable(fault, false) : fault;
}
