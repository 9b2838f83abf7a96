import type { Driver } from "./driver.ts";

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
  return {
    roundTrips: 0,
    statements: 0,
    rowsRead: 0,
    milliseconds: 0,
    hasWritten: false,
    bookmark,
  };
}

export function withStats(driver: Driver, stats: DatabaseStats): Driver {
  return {
    async run(statements, mode, signal) {
      const start = performance.now();
      stats.roundTrips += 1;
      stats.statements += statements.length;
      stats.hasWritten ||= mode === "write";
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
