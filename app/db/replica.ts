import type { Driver } from "./driver.ts";
import { Unreachable } from "./unreachable.ts";

const replicaTimeoutMs = 1000;
const cooldownMs = 5000;

/** When this isolate may ask a replica again that did not answer. */
const cooldown = { endsAt: 0 };

/**
 * Reads from a replica until the request writes, and from the primary from then on. If the replica does not answer,
 * or fails (one that has not caught up yet lacks whole tables), the primary answers instead.
 */
export function withReplica(primary: Driver, replica: Driver): Driver {
  let hasWritten = false;
  return {
    async run(statements, mode, signal) {
      hasWritten ||= mode === "write";
      if (hasWritten || Date.now() < cooldown.endsAt) return primary.run(statements, mode, signal);
      try {
        const limited = AbortSignal.any([signal, AbortSignal.timeout(replicaTimeoutMs)]);
        return await replica.run(statements, mode, limited);
      } catch (error) {
        if (error instanceof Unreachable) cooldown.endsAt = Date.now() + cooldownMs;
        return primary.run(statements, mode, signal);
      }
    },
  };
}
