import { compare, hash } from "bcryptjs";
import { BusyError } from "#app/server/forms/busy-error.ts";

/** Requests of one isolate that may hash or wait for it; more are refused. */
const maxConcurrentRequests = 16;

/** A cancelled request never gives its slot back, so each is free again after this time. */
const maxSlotMs = 10_000;

const pollMs = 5;

/** Both hold when each entry was made, in order. */
const slots = new Map<symbol, number>();
const queue = new Map<symbol, number>();

/**
 * Runs work that hashes, while its isolate has a free slot. Nothing waits for another request's promise, as the queues
 * of libraries do: a cancelled request would never resolve it.
 *
 * @throws BusyError
 */
export function withHashingSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  dropExpired(slots);
  if (slots.size >= maxConcurrentRequests) throw new BusyError();
  return track(slots, work);
}

/** Hashes a new password. @throws BusyError */
export function hashQueued(password: string, cost: number): Promise<string> {
  return withHashingSlot(() => runInQueue(() => hash(password, cost)));
}

/** Compares a password with a hash; call it within `withHashingSlot`. */
export function compareQueued(password: string, passwordHash: string): Promise<boolean> {
  return runInQueue(() => compare(password, passwordHash));
}

/** Hashes one after the other: bcryptjs runs on the isolate's one thread, and other requests are served in between. */
function runInQueue<Result>(work: () => Promise<Result>): Promise<Result> {
  return track(queue, async (entry) => {
    do {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      dropExpired(queue);
    } while (queue.has(entry) && queue.keys().next().value !== entry);
    return work();
  });
}

async function track<Result>(
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
  for (const [entry, since] of entries) if (Date.now() - since > maxSlotMs) entries.delete(entry);
}
