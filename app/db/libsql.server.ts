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
