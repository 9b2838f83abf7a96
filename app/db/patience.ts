import type { Answer, Driver, Kind, Statement } from "./driver.ts";
import { Unreachable } from "./unreachable.ts";

/** A database whose patience with the network has been settled: it answers, says no, or is out of reach. */
export interface PatientDriver {
  run(statements: Statement[], kind: Kind): Promise<Answer[]>;
}

/** Time and chance, for tests to hold. */
export interface Chance {
  /** Calls `then` after so many milliseconds, unless the function it returns is called before. */
  after(milliseconds: number, then: () => void): () => void;
  /** From 0 up to 1. */
  random(): number;
}

const realChance: Chance = {
  after(milliseconds, then) {
    const timer = setTimeout(then, milliseconds);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/** How long an answer may take, with all attempts. */
export const usualLimitMs = 5000;
const mostAttempts = 4;
const firstPauseMs = 50;

/**
 * Asks again what could not be asked: reads, a few times, after pauses of random length that may grow (full
 * jitter). A write is asked for once, as nobody knows what became of it. After the limit, usually five seconds,
 * nobody waits any longer. Once a database was out of reach for a read or for all that time, it is for the rest of
 * the request, so that waits do not add up.
 *
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function patient(
  driver: Driver,
  { limitMs = usualLimitMs, chance = realChance }: { limitMs?: number; chance?: Chance } = {},
): PatientDriver {
  let away: Unreachable | undefined;

  async function attempts(statements: Statement[], kind: Kind, signal: AbortSignal): Promise<Answer[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await driver.run(statements, kind, signal);
      } catch (fault) {
        if (!(fault instanceof Unreachable) || kind === "write" || signal.aborted) throw fault;
        if (!fault.isPassing || attempt === mostAttempts) {
          away ??= fault;
          throw fault;
        }
      }
      await pause(chance.random() * firstPauseMs * 2 ** (attempt - 1));
    }
  }

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => chance.after(milliseconds, resolve));
  }

  return {
    run(statements, kind) {
      if (away) return Promise.reject(away);
      return new Promise((resolve, reject) => {
        const ending = new AbortController();
        const cancel = chance.after(limitMs, () => {
          away ??= new Unreachable(new Error(`No answer within ${limitMs} ms.`), false);
          reject(away);
          ending.abort(away);
        });
        attempts(statements, kind, ending.signal).then(resolve, reject).finally(cancel);
      });
    },
  };
}
