import { withDeadline } from "./deadline.ts";
import type { Driver, Statement } from "./driver.ts";
import { Unreachable } from "./unreachable.ts";

const probeTimeoutMs = 1000;
const probeIntervalMs = 2000;
const probe: Statement[] = [{ sql: "select 1", params: [] }];

/**
 * What all requests of this isolate know of one database. Timestamps only: the runtime cancels the promises of a
 * request that ends.
 */
export interface Circuit {
  /** When the database last answered, in milliseconds. */
  lastAnswerAt: number;
  /** While the circuit is open, when the next probe may be sent; null while it is closed. */
  nextProbeAt: number | null;
}

const circuits = new Map<string, Circuit>();

/** The circuit of the database of that name. */
export function circuitOf(name: string): Circuit {
  const circuit = circuits.get(name) ?? { lastAnswerAt: 0, nextProbeAt: null };
  circuits.set(name, circuit);
  return circuit;
}

/** A driver with a circuit breaker. */
export interface GuardedDriver extends Driver {
  /**
   * Asks the database for a sign of life, for one second at most.
   *
   * @throws Unreachable when it does not answer
   */
  ping(): Promise<void>;
}

/**
 * Opens the circuit when a statement times out and no other statement was answered since it was sent. While it is open,
 * requests fail at once; every two seconds one request probes the database, and closes the circuit if it answers.
 * Errors other than timeouts do not open it: they fail fast anyway.
 */
export function withCircuitBreaker(driver: Driver, circuit: Circuit): GuardedDriver {
  function close(): void {
    circuit.lastAnswerAt = Date.now();
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
          throw new Unreachable(new Error("Circuit open: the database does not answer."));
        }
        circuit.nextProbeAt = Date.now() + probeIntervalMs;
        await ping();
      }
      const sentAt = Date.now();
      const open = () => {
        if (circuit.lastAnswerAt <= sentAt) circuit.nextProbeAt ??= Date.now();
      };
      signal.addEventListener("abort", open);
      try {
        const results = await driver.run(statements, mode, signal);
        close();
        return results;
      } catch (error) {
        // An error from the database is an answer too.
        if (!(error instanceof Unreachable)) close();
        throw error;
      } finally {
        signal.removeEventListener("abort", open);
      }
    },
  };
}
