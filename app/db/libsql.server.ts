import { type Client, createClient, type InValue, LibsqlError, type ResultSet } from "@libsql/client/http";
import type { Answer, Driver, Kind, Statement } from "./driver.ts";
import { namedRows } from "./named-rows.ts";
import { isOutage, Unreachable } from "./unreachable.ts";

/** What a libSQL server says when another transaction stands in the way of a read. */
const busyCodes = ["SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_BUSY_SNAPSHOT"];

/** What its client says when the server's words broke off or made no sense. */
const brokenCodes = ["HRANA_CLOSED_ERROR", "HRANA_PROTO_ERROR", "SERVER_ERROR"];

/** Asks one libSQL server, over HTTP. Make a new one for each request. */
export function libsqlDriver(url: string, authToken: string | undefined): Driver {
  // One client for each attempt's signal: the client has no other way to give up.
  const clientFor = (signal: AbortSignal) =>
    createClient({ url, authToken, fetch: (request: Request) => fetchWhole(request, signal) });
  return {
    async run(statements, kind, signal) {
      const client = clientFor(signal);
      try {
        return (await ask(client, statements, kind)).map(toAnswer);
      } catch (fault) {
        throw asUnreachable(fault);
      } finally {
        client.close();
      }
    },
  };
}

async function ask(client: Client, statements: Statement[], kind: Kind): Promise<ResultSet[]> {
  const asked = statements.map(({ sql, params }) => ({ sql, args: params as InValue[] }));
  const [first] = asked;
  // A single statement is a transaction of its own.
  if (first && asked.length === 1) return [await client.execute(first)];
  return client.batch(asked, kind);
}

function toAnswer({ columns, rows, rowsAffected }: ResultSet): Answer {
  return { rows: namedRows(columns, rows), rowsWritten: rowsAffected };
}

/** Fetches an answer with its whole body, so that one that breaks off is known for what it is. */
async function fetchWhole(request: Request, signal: AbortSignal): Promise<Response> {
  try {
    const answer = await fetch(request, { signal });
    const body = await answer.arrayBuffer();
    const isIll = answer.status >= 500 || answer.status === 429;
    if (isIll) throw new Error(`The libSQL server answered ${answer.status}.`);
    return new Response(body, { status: answer.status, headers: answer.headers });
  } catch (fault) {
    throw new Unreachable(fault, true);
  }
}

/** The fault that the client has thrown, as what it means: `Unreachable`, or itself where the server has said no. */
function asUnreachable(fault: unknown): unknown {
  if (!(fault instanceof LibsqlError) || isOutage(fault)) return fault;
  const isPassing = busyCodes.includes(fault.code) || brokenCodes.includes(fault.code);
  return isPassing ? new Unreachable(fault, true) : fault;
}
