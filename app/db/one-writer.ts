import type { Driver } from "./driver.ts";
import { Unreachable } from "./unreachable.ts";

const pollMs = 4;

/** A write that takes longer loses its turn: its request may have been canceled, and then never says that it ended. */
const turnMs = 500;

/** Which request may write to a database, in this isolate. */
export interface WriteTurn {
  holder: symbol | null;
  since: number;
}

const turns = new Map<string, WriteTurn>();

/** The turn for a database, shared by all requests of this isolate. */
export function writeTurnOf(url: string): WriteTurn {
  const turn = turns.get(url) ?? { holder: null, since: 0 };
  turns.set(url, turn);
  return turn;
}

/**
 * Makes the writes of this isolate wait for each other. SQLite has one writer anyway, and a libSQL server with many
 * waiting writers stops responding to all of them for seconds: without this, `npm run bench:capacity` never ends.
 *
 * Waiting requests poll, because in Workers one request cannot resume another.
 */
export function withOneWriter(driver: Driver, turn: WriteTurn): Driver {
  return {
    async run(statements, mode, signal) {
      if (mode === "read") return driver.run(statements, mode, signal);
      const self = Symbol();
      while (turn.holder !== null && Date.now() - turn.since < turnMs) {
        await new Promise((resolve) => setTimeout(resolve, pollMs * (1 + Math.random())));
        if (signal.aborted) throw new Unreachable(signal.reason);
      }
      Object.assign(turn, { holder: self, since: Date.now() });
      try {
        return await driver.run(statements, mode, signal);
      } finally {
        if (turn.holder === self) turn.holder = null;
      }
    },
  };
}
