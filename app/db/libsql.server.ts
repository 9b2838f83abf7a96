import { type Client, createClient, type InValue, LibsqlError, type ResultSet } from "@libsql/client/http";
import type { Driver, Mode, Result, Statement } from "./driver.ts";
import { namedRows } from "./driver.ts";
import { isOutage, Unreachable } from "./unreachable.ts";

/** The server is busy with another transaction, or its response was incomplete or invalid. */
const unreachableCodes = [
  "SQLITE_BUSY",
  "SQLITE_LOCKED",
  "SQLITE_BUSY_SNAPSHOT",
  "HRANA_CLOSED_ERROR",
  "HRANA_PROTO_ERROR",
  "SERVER_ERROR",
];

/** Creates a driver for a libSQL server over HTTP. Use a new one for each request. */
export function libsqlDriver(url: string, authToken: string | undefined): Driver {
  // One client for each signal, which only its fetch function can pass on.
  const clientFor = (signal: AbortSignal) =>
    createClient({ url, authToken, fetch: (request: Request) => fetchFully(request, signal) });
  return {
    async run(statements, mode, signal) {
      const client = clientFor(signal);
      try {
        return (await execute(client, statements, mode)).map(toResult);
      } catch (error) {
        throw asUnreachable(error);
      } finally {
        client.close();
      }
    },
  };
}

async function execute(client: Client, statements: Statement[], mode: Mode): Promise<ResultSet[]> {
  const batch = statements.map(({ sql, params }) => ({ sql, args: params as InValue[] }));
  const [first] = batch;
  // A single statement is a transaction.
  if (first && batch.length === 1) return [await client.execute(first)];
  return client.batch(batch, mode);
}

function toResult({ columns, rows }: ResultSet): Result {
  return { rows: namedRows(columns, rows) };
}

/** Fetches a response with its body, so that an incomplete one counts as unreachable. */
async function fetchFully(request: Request, signal: AbortSignal): Promise<Response> {
  try {
    const response = await fetch(request, { signal });
    const body = await response.arrayBuffer();
    const isFailure = response.status >= 500 || response.status === 429;
    if (isFailure) throw new Error(`The libSQL server responded with ${response.status}.`);
    return new Response(body, { status: response.status, headers: response.headers });
  } catch (error) {
    throw new Unreachable(error);
  }
}

function asUnreachable(error: unknown): unknown {
  if (!(error instanceof LibsqlError) || isOutage(error)) return error;
  return unreachableCodes.includes(error.code) ? new Unreachable(error) : error;
}

/** A driver that waits its turn to write, tries reads again, and reads from a replica if there is one. */
export function patientLibsqlDriver(
  url: string,
  replicaUrl: string | undefined,
  authToken: string | undefined,
): Driver {
  const primary = withRetry(withOneWriter(libsqlDriver(url, authToken)));
  return replicaUrl ? withReplica(primary, libsqlDriver(replicaUrl, authToken)) : primary;
}

const replicaTimeoutMs = 1000;
const replicaCooldownMs = 5000;

/** After a failure this isolate does not use the replica until `endsAt`. */
const cooldown = { endsAt: 0 };

/**
 * Reads from a replica until the request writes, then from the primary. If the replica does not respond or fails (a new
 * one may lack tables), reads from the primary.
 */
function withReplica(primary: Driver, replica: Driver): Driver {
  let hasWritten = false;
  return {
    async run(statements, mode, signal) {
      hasWritten ||= mode === "write";
      if (hasWritten || Date.now() < cooldown.endsAt) return primary.run(statements, mode, signal);
      try {
        const limited = AbortSignal.any([signal, AbortSignal.timeout(replicaTimeoutMs)]);
        return await replica.run(statements, mode, limited);
      } catch (error) {
        if (error instanceof Unreachable) cooldown.endsAt = Date.now() + replicaCooldownMs;
        return primary.run(statements, mode, signal);
      }
    },
  };
}

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

const pollMs = 4;

/** A write that takes longer loses its turn: its request may have been canceled, and then never says that it ended. */
const turnMs = 500;

/** Which request of this isolate may write. */
const turn = { holder: null as symbol | null, since: 0 };

/**
 * Makes the writes of this isolate wait for each other. SQLite has one writer anyway, and a libSQL server with many
 * waiting writers stops responding to all of them for seconds: without this, `npm run bench:capacity` never ends.
 *
 * Waiting requests poll, because in Workers one request cannot resume another.
 */
export function withOneWriter(driver: Driver): Driver {
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
