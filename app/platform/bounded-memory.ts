/** What an entry takes beside what `sizeOf` says of it, in bytes: a generous guess. */
const overhead = 1024;

/** The entries asked for last, as many as fit. */
export interface BoundedMemory<Entry> {
  get(key: string): Entry | null;
  set(key: string, entry: Entry): void;
  drop(key: string): void;
}

/** @param sizeOf what an entry takes, its key included, in bytes */
export function boundedMemory<Entry>(
  mostBytes: number,
  sizeOf: (key: string, entry: Entry) => number,
): BoundedMemory<Entry> {
  const entries = new Map<string, Entry>();
  let bytes = 0;

  function drop(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    bytes -= overhead + sizeOf(key, entry);
    entries.delete(key);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      // A map keeps its order: what was asked for last stands last.
      entries.delete(key);
      entries.set(key, entry);
      return entry;
    },
    set(key, entry) {
      drop(key);
      const size = overhead + sizeOf(key, entry);
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
