import { BusyError } from "#app/server/forms/busy-error.ts";

/** Requests of one isolate that may hash or wait for it; more are refused. */
const maxConcurrentRequests = 16;

/** More for logins from devices that are known for their account, so that a flood of others does not shut them out. */
const moreForKnownDevices = 4;

/** Of all, requests of one client address, so that others get their turn. */
const maxPerClient = 4;

/** A cancelled request never gives its slot back, so each is free again after this time. */
const maxSlotMs = 10_000;

const pollMs = 5;

interface Entry {
  since: number;
  client?: string;
}

/** Both in the order of their entries. */
const slots = new Map<symbol, Entry>();
const queue = new Map<symbol, Entry>();

/**
 * Runs work that hashes, while its isolate has a free slot for the client. Nothing waits for another request's promise,
 * as the queues of libraries do: a cancelled request would never resolve it.
 *
 * @param client the client's address
 * @throws BusyError
 */
export async function withHashingSlot<Result>(
  client: string,
  work: () => Promise<Result>,
  { isKnownDevice = false } = {},
): Promise<Result> {
  dropExpired(slots);
  const own = [...slots.values()].filter((entry) => entry.client === client);
  const most = maxConcurrentRequests + (isKnownDevice ? moreForKnownDevices : 0);
  if (slots.size >= most || own.length >= maxPerClient) throw new BusyError();
  return track(slots, work, client);
}

/**
 * Runs work that hashes after that of others, within `withHashingSlot`: bcryptjs runs on the isolate's one thread, and
 * other requests are served in between.
 */
export function inHashingQueue<Result>(work: () => Promise<Result>): Promise<Result> {
  return track(queue, async (entry) => {
    do {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      dropExpired(queue);
    } while (queue.has(entry) && queue.keys().next().value !== entry);
    return work();
  });
}

async function track<Result>(
  entries: Map<symbol, Entry>,
  work: (entry: symbol) => Promise<Result>,
  client?: string,
): Promise<Result> {
  const entry = Symbol();
  entries.set(entry, { since: Date.now(), client });
  try {
    return await work(entry);
  } finally {
    entries.delete(entry);
  }
}

function dropExpired(entries: Map<symbol, Entry>): void {
  for (const [entry, { since }] of entries) if (Date.now() - since > maxSlotMs) entries.delete(entry);
}
