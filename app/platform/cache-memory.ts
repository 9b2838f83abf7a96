import type { CacheEntry } from "./cache-entry.server.ts";

/** What an entry takes beside what is counted letter by letter, in bytes: a generous guess. */
const overhead = 1024;

/** The entries asked for last, as many as fit: saves asking the data centre's cache for them each time. */
export function cacheMemory(mostBytes: number) {
  const entries = new Map<string, CacheEntry>();
  let bytes = 0;

  function drop(key: string): void {
    const entry = entries.get(key);
    if (!entry) return;
    bytes -= sizeOf(key, entry);
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
      const size = sizeOf(key, entry);
      if (size > mostBytes) return;
      entries.set(key, entry);
      bytes += size;
      for (const oldest of entries.keys()) {
        if (bytes <= mostBytes) return;
        drop(oldest);
      }
    },
    drop,
  };
}

/** What an entry takes of the memory, in bytes, its key and headers as if each letter were two. */
function sizeOf(key: string, { body, blanks, headers }: CacheEntry): number {
  const letters = key.length + headers.flat().join("").length;
  return overhead + body.byteLength + 8 * blanks.length + 2 * letters;
}
