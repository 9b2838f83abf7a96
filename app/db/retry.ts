import type { Driver } from "./driver.ts";
import { Unreachable } from "./unreachable.ts";

const maxAttempts = 4;
const baseDelayMs = 50;

/**
 * Retries reads while the database is unreachable, with exponential backoff and full jitter. Writes are not retried:
 * one may have succeeded even if its response was lost.
 *
 * For libSQL only, because D1 retries reads itself (https://developers.cloudflare.com/d1/best-practices/retry-queries/).
 *
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function withRetry(driver: Driver): Driver {
  return {
    async run(statements, mode, signal) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await driver.run(statements, mode, signal);
        } catch (error) {
          const mayRetry = mode === "read" && error instanceof Unreachable && !signal.aborted;
          if (!mayRetry || attempt === maxAttempts) throw error;
        }
        const delay = Math.random() * baseDelayMs * 2 ** (attempt - 1);
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    },
  };
}
