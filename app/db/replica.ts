import type { Driver } from "./driver.ts";
import { Unreachable } from "./unreachable.ts";

/** How long a replica may take to answer before the primary is asked. */
const replicaLimitMs = 1000;

/** How long a replica that did not answer is left alone. */
const restMs = 5000;

/** When replicas may be asked again, in this isolate. */
const rests = { until: 0 };

/**
 * Reads from a replica until the request writes, and from the primary from then on. A replica that does not
 * answer, or not as it should (one that has not caught up since it started lacks whole tables), is stood in for by
 * the primary.
 */
export function withReplica(primary: Driver, replica: Driver): Driver {
  let hasWritten = false;
  return {
    async run(statements, kind, signal) {
      hasWritten ||= kind === "write";
      if (hasWritten || Date.now() < rests.until) return primary.run(statements, kind, signal);
      try {
        return await replica.run(
          statements,
          kind,
          AbortSignal.any([signal, AbortSignal.timeout(replicaLimitMs)]),
        );
      } catch (fault) {
        if (fault instanceof Unreachable) rests.until = Date.now() + restMs;
        return primary.run(statements, kind, signal);
      }
    },
  };
}
