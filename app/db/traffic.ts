import { type Answer, type Driver, isRead, type Statement } from "./driver.ts";

/** What one request has asked of the database so far. */
export interface Traffic {
  /** Questions sent, each of one or more statements; one that was asked again counts again. */
  roundTrips: number;
  statements: number;
  /** As far as the database tells: libSQL does not. */
  rowsRead: number;
  /** Time spent waiting for answers. */
  milliseconds: number;
  /** Writes that changed rows, or may have: nobody knows what became of one that was not answered. */
  changes: number;
  /** Once something was changed: what a later request must have seen to see that. */
  readonly bookmark: string | undefined;
}

/** @param bookmark of the state that the request has seen last */
export function noTraffic(bookmark: () => string | null): Traffic {
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

/** The driver, with what passes through it added to `traffic`. */
export function counted(driver: Driver, traffic: Traffic): Driver {
  return {
    async run(statements, kind, signal) {
      const start = performance.now();
      traffic.roundTrips += 1;
      traffic.statements += statements.length;
      // Until it is known to have changed nothing.
      if (kind === "write") traffic.changes += 1;
      try {
        const answers = await driver.run(statements, kind, signal);
        for (const { rowsRead = 0 } of answers) traffic.rowsRead += rowsRead;
        if (kind === "write" && !changedRows(statements, answers)) traffic.changes -= 1;
        return answers;
      } finally {
        traffic.milliseconds += performance.now() - start;
      }
    },
  };
}

/** Whether statements have changed rows; in doubt they have. */
function changedRows(statements: Statement[], answers: Answer[]): boolean {
  return statements.some(({ sql }, index) => {
    const { rows, rowsWritten = 1 } = answers[index] ?? { rows: [] };
    // What a write returns are rows that it has written.
    return !isRead(sql) && (rowsWritten > 0 || rows.length > 0);
  });
}
