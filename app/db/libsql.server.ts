import { type Client, createClient, type InArgs } from "@libsql/client/http";
import { drizzle } from "drizzle-orm/libsql/http";
import { DatabaseUnreachable, isOutage } from "./outage.ts";

const timeoutMs = 5000;
const replicaTimeoutMs = 1000;
const replicaCooldownMs = 5000;
const maxAttempts = 4;
const baseDelayMs = 50;

/** After a failure this isolate does not use the replica until `endsAt`. */
const cooldown = { endsAt: 0 };

interface Statement {
  sql: string;
  args: InArgs;
}

/**
 * Opens a libSQL server for one request. Reads are sent again if they get no response. Writes are not: one may have been
 * stored even if its response was lost.
 *
 * @param options.replicaUrl where to read
 */
export function openLibsql({
  url,
  replicaUrl,
  authToken,
}: {
  url: string;
  replicaUrl?: string;
  authToken?: string;
}) {
  const state: RequestState = {};
  const clientFor = (address: string, milliseconds: number, attempts: number) =>
    createClient({ url: address, authToken, fetch: fetchWithin(milliseconds, attempts, state) });
  const reader = clientFor(url, timeoutMs, maxAttempts);
  const writer = clientFor(url, timeoutMs, 1);
  const replica =
    replicaUrl && createClient({ url: replicaUrl, authToken, fetch: fetchWithin(replicaTimeoutMs, 1, {}) });

  /** If the replica does not respond or fails (a new one may lack tables), the primary is read. */
  async function read<Result>(from: (client: Client) => Promise<Result>): Promise<Result> {
    if (!replica || Date.now() < cooldown.endsAt) return from(reader);
    try {
      return await from(replica);
    } catch (error) {
      if (isOutage(error)) cooldown.endsAt = Date.now() + replicaCooldownMs;
      return from(reader);
    }
  }

  // What drizzle uses of a client. Its own batches are "deferred": one that reads before it writes cannot wait for its
  // turn to write.
  return drizzle({
    execute: (statement: Statement) =>
      isRead(statement) ? read((client) => client.execute(statement)) : writer.execute(statement),
    batch: (statements: Statement[]) =>
      statements.every(isRead)
        ? read((client) => client.batch(statements))
        : inTurn(() => writer.batch(statements, "write")),
  } as Client);
}

/** Whether a statement only reads; in doubt, false. */
function isRead({ sql }: Statement): boolean {
  return /^\s*select\b/i.test(sql);
}

const pollMs = 8;
/** How long a transaction waits for its turn. */
const maxTurnWaitMs = 10_000;

/** A transaction that takes longer loses its turn: its request may have been canceled, and then never says that it ended. */
const turnMs = 500;

/** Which request of this isolate may write. */
const turn = { holder: null as symbol | null, since: 0 };

/**
 * Makes the transactions of this isolate wait for each other. SQLite has one writer anyway, and a libSQL server with many
 * waiting writers stops responding to all of them: without this, `npm run bench:capacity` never ends.
 *
 * Waiting requests poll, because in Workers one request cannot resume another.
 */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const self = Symbol();
  const giveUpAt = Date.now() + maxTurnWaitMs;
  while (turn.holder !== null && Date.now() - turn.since < turnMs) {
    if (Date.now() > giveUpAt) throw new DatabaseUnreachable(new Error("Too many writers."));
    await new Promise((resolve) => setTimeout(resolve, pollMs * (1 + Math.random())));
  }
  Object.assign(turn, { holder: self, since: Date.now() });
  try {
    return await work();
  } finally {
    if (turn.holder === self) turn.holder = null;
  }
}

interface RequestState {
  /** After a timeout, or the last of several attempts: later statements fail at once, so that the delays do not add up. */
  outage?: DatabaseUnreachable;
}

/** Creates the fetch function of a client: a statement and its repetitions have so many milliseconds. */
function fetchWithin(milliseconds: number, attempts: number, state: RequestState) {
  return async (request: Request): Promise<Response> => {
    if (state.outage) throw state.outage;
    const { url, method, headers } = request;
    const signal = AbortSignal.timeout(milliseconds);
    const init = { method, headers, body: await request.text(), signal };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await fetchFully(url, init);
      } catch (error) {
        const unreachable = new DatabaseUnreachable(error);
        if (signal.aborted || (attempts > 1 && attempt === attempts)) state.outage = unreachable;
        if (signal.aborted || attempt === attempts) throw unreachable;
      }
      await backOff(attempt);
    }
  };
}

/** Fetches a response with its body, so that an incomplete one counts as unreachable. */
async function fetchFully(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const body = await response.arrayBuffer();
  const isFailure = response.status >= 500 || response.status === 429;
  if (isFailure) throw new Error(`The libSQL server responded with ${response.status}.`);
  return new Response(body, { status: response.status, headers: response.headers });
}

/** Exponential backoff with full jitter. @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ */
function backOff(attempt: number): Promise<void> {
  const delay = Math.random() * baseDelayMs * 2 ** (attempt - 1);
  return new Promise((resolve) => setTimeout(resolve, delay));
}
