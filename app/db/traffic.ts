import type { Driver } from "./driver.ts";

/** What one request has asked of the database so far. */
export interface Traffic {
  /** Questions sent, each of one or more statements; one that was asked again counts again. */
  roundTrips: number;
  statements: number;
  /** As far as the database tells: libSQL does not. */
  rowsRead: number;
  /** Time spent waiting for answers. */
  milliseconds: number;
  /** Whether a write was asked for, whatever became of it. */
  wrote: boolean;
  /** Once something was written: what a later request must have seen to see that. */
  readonly bookmark: string | undefined;
}

/** @param bookmark of the state that the request has seen last */
export function noTraffic(bookmark: () => string | null): Traffic {
  return {
    roundTrips: 0,
    statements: 0,
    rowsRead: 0,
    milliseconds: 0,
    wrote: false,
    get bookmark() {
      return this.wrote ? (bookmark() ?? undefined) : undefined;
    },
  };
}

/** The driver, with what passes through it added to `traffic`. */
export function counted(driver: Driver, traffic: Traffic): Driver {
  return {
    async run(statements, kind, signal) {
      const start = performance.now();
      traffic.roundTrips += 1;
      traffic.statements += statements.length;
      traffic.wrote ||= kind === "write";
      try {
        const answers = await driver.run(statements, kind, signal);
        for (const { rowsRead = 0 } of answers) traffic.rowsRead += rowsRead;
        return answers;
      } finally {
        traffic.milliseconds += performance.now() - start;
      }
    },
  };
}
