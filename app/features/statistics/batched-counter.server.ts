import type { Db } from "#app/db/client.server.ts";

/** A cancelled request never says that its write has ended, so the next one writes after this time. */
const maxWriteMs = 10_000;

/**
 * Creates a function that counts events by a key, so that many of them cost one write at a time. During another write of
 * this isolate an event only waits, and is written after it. Those that wait when the isolate ends, or that cannot be
 * written, are lost.
 *
 * @param waiting those of this isolate
 * @param maxWaiting how many keys may wait; events of more are lost
 * @param write adds a JSON object: how many by key
 */
export function batchedCounter(
  waiting: Map<string, number>,
  maxWaiting: number,
  write: (db: Db, counts: string) => PromiseLike<unknown>,
) {
  let writingUntil = 0;
  return async (db: Db, key: string): Promise<void> => {
    if (waiting.size < maxWaiting || waiting.has(key)) waiting.set(key, (waiting.get(key) ?? 0) + 1);
    if (Date.now() < writingUntil) return;
    const until = Date.now() + maxWriteMs;
    writingUntil = until;
    try {
      while (waiting.size > 0 && Date.now() < until) {
        const counts = JSON.stringify(Object.fromEntries(waiting));
        waiting.clear();
        await write(db, counts);
      }
    } finally {
      writingUntil = 0;
    }
  };
}
