import { compare, hash } from "bcryptjs";
import { BusyError } from "#app/server/forms/busy-error.ts";

/** Requests of one isolate that may hash or wait for it; more are refused. */
const maxPlaces = 16;

/** A canceled request never gives its place back, so each is free again after this time. */
const maxPlaceMs = 10_000;

const pollMs = 5;

/** Both lists hold when each entry was made, in order. */
const places = new Map<symbol, number>();
const turns = new Map<symbol, number>();

/**
 * Runs work that hashes, while its isolate has a free place. Nothing waits for another request's promise, as the queues
 * of libraries do: a canceled request would never resolve it.
 *
 * @throws BusyError
 */
export function withHashingPlace<Result>(work: () => Promise<Result>): Promise<Result> {
  dropExpired(places);
  if (places.size >= maxPlaces) throw new BusyError();
  return entered(places, work);
}

/** Hashes a new password. @throws BusyError */
export function hashInTurn(password: string, cost: number): Promise<string> {
  return withHashingPlace(() => inTurn(() => hash(password, cost)));
}

/** Compares a password with a hash; call it within `withHashingPlace`. */
export function compareInTurn(password: string, passwordHash: string): Promise<boolean> {
  return inTurn(() => compare(password, passwordHash));
}

/** Hashes one after the other: bcryptjs runs on the isolate's one thread, and other requests are served in between. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  return entered(turns, async (turn) => {
    do {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      dropExpired(turns);
    } while (turns.has(turn) && turns.keys().next().value !== turn);
    return work();
  });
}

async function entered<Result>(
  entries: Map<symbol, number>,
  work: (entry: symbol) => Promise<Result>,
): Promise<Result> {
  const entry = Symbol();
  entries.set(entry, Date.now());
  try {
    return await work(entry);
  } finally {
    entries.delete(entry);
  }
}

function dropExpired(entries: Map<symbol, number>): void {
  for (const [entry, since] of entries) if (Date.now() - since > maxPlaceMs) entries.delete(entry);
}
