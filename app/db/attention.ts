import type { Answer, Driver, Kind, Statement } from "./driver.ts";
import { patient } from "./patience.ts";
import { Unreachable } from "./unreachable.ts";

/** How long a database may take to show that it is there, in milliseconds. */
const probeMs = 1000;

/** From one such look at a silent database to the next. */
const probeEveryMs = 2000;

const probe: Statement[] = [{ sql: "select 1", params: [] }];

/** What all requests of this isolate know of one database. Times alone: a request may be cut off at any moment. */
export interface Attention {
  /** When it was last heard of, in milliseconds. */
  heardAt: number;
  /** While it is silent, when it may be asked whether it is back; null while it answers. */
  askAgainAt: number | null;
}

const known = new Map<string, Attention>();

/** What this isolate knows of the database of that name. */
export function attentionTo(name: string): Attention {
  const attention = known.get(name) ?? { heardAt: 0, askAgainAt: null };
  known.set(name, attention);
  return attention;
}

/** A driver that remembers, for all requests, whether its database answers. */
export interface AttentiveDriver extends Driver {
  /**
   * Asks whether the database answers at this moment, for a second at most.
   *
   * @throws Unreachable when it does not
   */
  lookUp(): Promise<void>;
}

/**
 * Asks nothing of a database that has fallen silent: each request that tried would wait as long as the one before.
 * One request at a time asks whether it is back, and goes on if so; the others fail at once. It counts as silent when
 * a question was given up and nothing was heard meanwhile: one that answers others is only slow.
 */
export function attentive(driver: Driver, attention: Attention): AttentiveDriver {
  function hear(): void {
    attention.heardAt = Date.now();
    attention.askAgainAt = null;
  }

  async function ask(statements: Statement[], kind: Kind, signal: AbortSignal): Promise<Answer[]> {
    const askedAt = Date.now();
    const giveUp = () => {
      if (attention.heardAt <= askedAt) attention.askAgainAt ??= Date.now();
    };
    signal.addEventListener("abort", giveUp);
    try {
      const answers = await driver.run(statements, kind, signal);
      hear();
      return answers;
    } catch (fault) {
      // A refusal is an answer too.
      if (!(fault instanceof Unreachable)) hear();
      throw fault;
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
  }

  async function lookUp(): Promise<void> {
    await patient(driver, { limitMs: probeMs }).run(probe, "read");
    hear();
  }

  return {
    lookUp,
    async run(statements, kind, signal) {
      if (attention.askAgainAt !== null) {
        if (Date.now() < attention.askAgainAt) {
          throw new Unreachable(new Error("The database has fallen silent."), false);
        }
        attention.askAgainAt = Date.now() + probeEveryMs;
        await lookUp();
      }
      return ask(statements, kind, signal);
    },
  };
}
