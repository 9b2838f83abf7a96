/** What each part of the soak is given. */
export interface PartOptions {
  /** The folder of the build under test. */
  buildFolder: string;
  seed: number;
  /** How many runs to make, unless the time ends before. */
  runs: number;
  /** The time, in milliseconds, after which no run begins. */
  until: number;
  /** The only database to use; by default both. */
  backend?: Backend;
}

/** What a part has done. */
export interface PartResult {
  runs: number;
  /** How many runs a whole soak makes, if only the part knows. */
  of?: number;
  /** Each with what is needed to repeat it. */
  failures: string[];
  /** Measurements for the table's last column. */
  notes?: string;
}

export type Part = (options: PartOptions) => Promise<PartResult>;

export const backends = ["D1", "libSQL"] as const;
export type Backend = (typeof backends)[number];

/** Both databases, one after the other, with half of the runs and of the time each. */
export function onBothBackends(run: (backend: Backend, options: PartOptions) => Promise<PartResult>): Part {
  return async (options) => {
    const results: PartResult[] = [];
    const used = options.backend ? [options.backend] : backends;
    for (const [index, backend] of used.entries()) {
      const left = used.length - index;
      const until = Date.now() + (options.until - Date.now()) / left;
      results.push(await run(backend, { ...options, until, runs: Math.ceil(options.runs / used.length) }));
    }
    return {
      runs: results.reduce((sum, { runs }) => sum + runs, 0),
      failures: results.flatMap(({ failures }) => failures),
      notes: results
        .map(({ runs, notes = "" }, index) => `${used[index]} ${runs} ${notes}`.trim())
        .join("; "),
    };
  };
}
