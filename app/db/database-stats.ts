import type { Driver } from "./driver.ts";

/** What one request has done in the database so far. */
export interface DatabaseStats {
  /** Batches sent, retries included. */
  roundTrips: number;
  statements: number;
  /** Rows scanned, on D1; 0 on libSQL. */
  rowsRead: number;
  /** Time spent waiting for the database. */
  milliseconds: number;
  /** What a later request must read from to see all that this one has seen and written; null before the first query. */
  bookmark(): string | null;
}

export function newStats(bookmark: () => string | null): DatabaseStats {
  return { roundTrips: 0, statements: 0, rowsRead: 0, milliseconds: 0, bookmark };
}

/** Adds what passes through the driver to `stats`. */
export function withStats(driver: Driver, stats: DatabaseStats): Driver {
  return {
    async run(statements, mode, signal) {
      const start = performance.now();
      stats.roundTrips += 1;
      stats.statements += statements.length;
      try {
        const results = await driver.run(statements, mode, signal);
        for (const { rowsRead = 0 } of results) stats.rowsRead += rowsRead;
        return results;
      } finally {
        stats.milliseconds += performance.now() - start;
      }
    },
  };
}
