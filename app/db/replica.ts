import type { Driver } from "./driver.ts";
import { Unreachable } from "./unreachable.ts";

const replicaTimeoutMs = 1000;
const cooldownMs = 5000;

/** After a failure this isolate does not use the replica until `endsAt`. */
const cooldown = { endsAt: 0 };

/**
 * Reads from a replica until the request writes, then from the primary. If the replica does not respond or fails (a new
 * one may lack tables), reads from the primary.
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
