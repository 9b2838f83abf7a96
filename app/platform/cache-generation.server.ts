/**
 * What has been written by when, as far as this data centre knows: each write begins a new generation, and an entry
 * counts only in the one it was made in.
 */
export interface Generation {
  mark: string;
  /** Of the write that began it, for databases with replicas: what is made now must know of that write. */
  bookmark?: string;
}

/** Within so many milliseconds a write in another isolate of this data centre is heard of. */
const heardWithin = 1000;

/** As long as any entry may live, in seconds. */
const heldSeconds = 24 * 60 * 60;

/** Hosts that one isolate remembers the generation of: a deployment has few, but a server may let any through. */
const mostHosts = 100;

/**
 * The generations of this data centre, kept where its cache is and in this isolate's memory; those of each host apart.
 *
 * @see homeOrigin for what counts as one host
 */
export function generations() {
  const known = new Map<string, { generation: Generation; checkedAt: number }>();

  function learn(origin: string, generation: Generation): Generation {
    if (known.size >= mostHosts) known.clear();
    known.set(origin, { generation, checkedAt: Date.now() });
    return generation;
  }

  async function keep(origin: string, generation: Generation): Promise<Generation> {
    learn(origin, generation);
    const headers = { "Cache-Control": `public, max-age=${heldSeconds}` };
    await caches.default.put(generationKey(origin), new Response(JSON.stringify(generation), { headers }));
    return generation;
  }

  return {
    /** The generation of this moment. */
    async current(origin: string): Promise<Generation> {
      const before = known.get(origin);
      if (before && Date.now() - before.checkedAt < heardWithin) return before.generation;
      // One request asks; the others go on meanwhile.
      if (before) before.checkedAt = Date.now();
      const stored = await caches.default.match(generationKey(origin));
      const held = stored && ((await stored.json()) as Generation);
      const now = known.get(origin);
      // Something was written here while this was asking.
      if (now && now !== before) return now.generation;
      if (held) return learn(origin, held);
      return keep(origin, before?.generation ?? { mark: crypto.randomUUID() });
    },
    /** Something was written: what was made before it does not count any more. */
    async begin(origin: string, bookmark?: string): Promise<void> {
      await keep(origin, { mark: crypto.randomUUID(), bookmark });
    },
  };
}

/** Where a generation is kept. */
export function generationKey(origin: string): string {
  return `${origin}/.edge/generation`;
}
