import { type Driver, isRead, type Result, type Statement } from "./driver.ts";

/** What one request has done in the database so far. */
export interface DatabaseStats {
  /** Batches sent, retries included. */
  roundTrips: number;
  statements: number;
  /** Rows scanned, on D1; 0 on libSQL. */
  rowsRead: number;
  /** Time spent waiting for the database. */
  milliseconds: number;
  /** Writes that changed rows, or may have because no answer came. */
  changes: number;
  /** Once a row was changed: the bookmark that a later request must read from to see the change. */
  readonly bookmark: string | undefined;
}

/** @param bookmark of the last state that the request has seen */
export function newStats(bookmark: () => string | null): DatabaseStats {
  return {
    roundTrips: 0,
    statements: 0,
    rowsRead: 0,
    milliseconds: 0,
    changes: 0,
    get bookmark() {
      return this.changes > 0 ? (bookmark() ?? undefined) : undefined;
    },
  };
}

/** Adds what passes through the driver to `stats`. */
export function withStats(driver: Driver, stats: DatabaseStats): Driver {
  return {
    async run(statements, mode, signal) {
      const start = performance.now();
      stats.roundTrips += 1;
      stats.statements += statements.length;
      // A write counts as a change until its answer says otherwise.
      if (mode === "write") stats.changes += 1;
      try {
        const results = await driver.run(statements, mode, signal);
        for (const { rowsRead = 0 } of results) stats.rowsRead += rowsRead;
        if (mode === "write" && !changedRows(statements, results)) stats.changes -= 1;
        return results;
      } finally {
        stats.milliseconds += performance.now() - start;
      }
    },
  };
}

/** Whether statements changed rows. In doubt they did. */
function changedRows(statements: Statement[], results: Result[]): boolean {
  return statements.some(({ sql }, index) => {
    const { rows, rowsWritten = 1 } = results[index] ?? { rows: [] };
    // A write returns only rows that it changed.
    return !isRead(sql) && (rowsWritten > 0 || rows.length > 0);
  });
}
