import type { CacheEntry } from "./cache-entry.server.ts";

/** The entries asked for last, as many as fit: saves asking the data centre's cache for them each time. */
export function cacheMemory(mostBytes: number) {
  const entries = new Map<string, CacheEntry>();
  let bytes = 0;

  function drop(key: string): void {
    bytes -= entries.get(key)?.body.byteLength ?? 0;
    entries.delete(key);
  }

  return {
    get(key: string): CacheEntry | null {
      const entry = entries.get(key);
      if (!entry) return null;
      // A map keeps its order: what was asked for last stands last.
      entries.delete(key);
      entries.set(key, entry);
      return entry;
    },
    set(key: string, entry: CacheEntry): void {
      drop(key);
      if (entry.body.byteLength > mostBytes) return;
      entries.set(key, entry);
      bytes += entry.body.byteLength;
      for (const oldest of entries.keys()) {
        if (bytes <= mostBytes) return;
        drop(oldest);
      }
    },
    drop,
  };
}
