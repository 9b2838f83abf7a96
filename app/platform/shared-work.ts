/** Nobody waits longer than this for another's work, in milliseconds: its request may have been cut off. */
const patience = 10_000;

/**
 * Work that one request does and others of the same isolate wait for. Its outcome must be plain data: the runtime
 * forbids one request to use another's streams and answers. A promise itself may be waited for across requests.
 *
 * @see https://developers.cloudflare.com/workers/observability/errors/#cannot-perform-io-on-behalf-of-a-different-request
 */
export function sharedWork<Outcome>() {
  const underWay = new Map<string, { since: number; outcome: Promise<Outcome> }>();

  function find(name: string) {
    const work = underWay.get(name);
    return work && Date.now() - work.since < patience ? work : null;
  }

  return {
    isUnderWay: (name: string): boolean => find(name) !== null,

    /** The outcome of work that is under way; null when there is none, or when it takes too long or fails. */
    async join(name: string): Promise<Outcome | null> {
      const work = find(name);
      if (!work) return null;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const tired = new Promise<null>((resolve) => {
        timer = setTimeout(resolve, patience, null);
      });
      try {
        return await Promise.race([work.outcome, tired]);
      } catch {
        return null;
      } finally {
        clearTimeout(timer);
      }
    },

    /** Lets others wait for work that has begun. Resolves when it is over, however it ended. */
    async share(name: string, outcome: Promise<Outcome>): Promise<void> {
      const work = { since: Date.now(), outcome };
      underWay.set(name, work);
      try {
        await outcome;
      } catch {
        // Whoever does the work is told; whoever waits does it again.
      } finally {
        if (underWay.get(name) === work) underWay.delete(name);
      }
    },
  };
}

export type SharedWork<Outcome> = ReturnType<typeof sharedWork<Outcome>>;
