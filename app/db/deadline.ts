import type { Driver, Mode, Result, Statement } from "./driver.ts";
import { Unreachable } from "./unreachable.ts";

/** How long statements may take, retries included, in milliseconds. */
export const queryLimitMs = 5000;

/** One request's connection to a database. */
export interface Connection {
  /**
   * Runs statements in one round trip and one transaction.
   *
   * @throws Unreachable when the database does not answer in time
   */
  run(statements: Statement[], mode: Mode): Promise<Result[]>;
}

/**
 * Limits how long statements may take. After a timeout, or a read for which the database was unreachable, later
 * statements on this connection fail at once, so that the waits of one request do not add up.
 */
export function withDeadline(driver: Driver, limitMs = queryLimitMs): Connection {
  let unreachable: Unreachable | undefined;
  return {
    async run(statements, mode) {
      if (unreachable) throw unreachable;
      const controller = new AbortController();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const timeout = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          const error = new Unreachable(new Error(`No answer within ${limitMs} ms.`));
          reject(error);
          controller.abort(error);
        }, limitMs);
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
