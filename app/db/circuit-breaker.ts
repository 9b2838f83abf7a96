import { withDeadline } from "./deadline.ts";
import type { Driver, Statement } from "./driver.ts";
import { Unreachable } from "./unreachable.ts";

const probeTimeoutMs = 1000;
const probeIntervalMs = 2000;
const probe: Statement[] = [{ sql: "select 1", params: [] }];

/**
 * The state of one database, shared by all requests of this isolate. Holds no promises, because the runtime cancels
 * them when their request ends.
 */
export interface Circuit {
  /** In milliseconds. */
  lastResponseAt: number;
  /** Earliest time of the next probe while the circuit is open; null while it is closed. */
  nextProbeAt: number | null;
}

const circuits = new Map<string, Circuit>();

export function circuitOf(name: string): Circuit {
  const circuit = circuits.get(name) ?? { lastResponseAt: 0, nextProbeAt: null };
  circuits.set(name, circuit);
  return circuit;
}

export interface GuardedDriver extends Driver {
  /** Checks that the database responds within one second. @throws Unreachable */
  ping(): Promise<void>;
}

/**
 * Opens the circuit when a statement times out and no response to another one has arrived since it was sent. While it
 * is open, requests fail at once; every two seconds one request probes the database and closes the circuit on success.
 * Errors other than timeouts do not open it: they fail fast anyway.
 */
export function withCircuitBreaker(driver: Driver, circuit: Circuit): GuardedDriver {
  function close(): void {
    circuit.lastResponseAt = Date.now();
    circuit.nextProbeAt = null;
  }

  async function ping(): Promise<void> {
    await withDeadline(driver, probeTimeoutMs).run(probe, "read");
    close();
  }

  return {
    ping,
    async run(statements, mode, signal) {
      if (circuit.nextProbeAt !== null) {
        if (Date.now() < circuit.nextProbeAt) {
          throw new Unreachable(new Error("Circuit open: the database does not respond."));
        }
        circuit.nextProbeAt = Date.now() + probeIntervalMs;
        await ping();
      }
      const sentAt = Date.now();
      const open = () => {
        if (circuit.lastResponseAt <= sentAt) circuit.nextProbeAt ??= Date.now();
      };
      signal.addEventListener("abort", open);
      try {
        const results = await driver.run(statements, mode, signal);
        close();
        return results;
      } catch (error) {
        // An error from the database is a response too.
        if (!(error instanceof Unreachable)) close();
        throw error;
      } finally {
        signal.removeEventListener("abort", open);
      }
    },
  };
}
