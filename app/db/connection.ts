import type { Driver, Mode, Result, Statement } from "./driver.ts";
import { Unreachable } from "./unreachable.ts";

/** Timeout for statements, including retries. */
export const queryTimeoutMs = 5000;

/** One request's connection to a database. */
export interface Connection {
  /** Runs statements in one transaction. @throws Unreachable if the database does not respond in time */
  run(statements: Statement[], mode: Mode): Promise<Result[]>;
}

/** What the statements of a request took, for its line in the log. */
export interface DatabaseStats {
  roundTrips: number;
  statements: number;
  /** 0 on libSQL, which does not report it. */
  rowsRead: number;
  milliseconds: number;
  /** Whether a write was sent, even without a response. */
  hasWritten: boolean;
  /** The bookmark from which a later request sees the writes of this one. */
  bookmark(): string | null;
}

export function newStats(bookmark: () => string | null): DatabaseStats {
  return { roundTrips: 0, statements: 0, rowsRead: 0, milliseconds: 0, hasWritten: false, bookmark };
}

/**
 * Adds a timeout to statements. After a timeout or a read that failed as unreachable, later statements on this
 * connection fail at once, so that the delays of one request do not add up.
 */
export function withDeadline(driver: Driver, timeoutMs = queryTimeoutMs): Connection {
  let unreachable: Unreachable | undefined;
  return {
    async run(statements, mode) {
      if (unreachable) throw unreachable;
      const controller = new AbortController();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const timeout = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          const error = new Unreachable(new Error(`No response within ${timeoutMs} ms.`));
          reject(error);
          controller.abort(error);
        }, timeoutMs);
      });
      try {
        return await Promise.race([driver.run(statements, mode, controller.signal), timeout]);
      } catch (error) {
        const isOut = mode === "read" || controller.signal.aborted;
        if (isOut && error instanceof Unreachable) unreachable ??= error;
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

export function withStats(connection: Connection, stats: DatabaseStats): Connection {
  return {
    async run(statements, mode) {
      const start = performance.now();
      stats.roundTrips += 1;
      stats.statements += statements.length;
      stats.hasWritten ||= mode === "write";
      try {
        const results = await connection.run(statements, mode);
        for (const { rowsRead = 0 } of results) stats.rowsRead += rowsRead;
        return results;
      } finally {
        stats.milliseconds += performance.now() - start;
      }
    },
  };
}
