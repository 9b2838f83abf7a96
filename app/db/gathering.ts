import type { Answer, Statement } from "./driver.ts";
import { isRead } from "./driver.ts";
import type { PatientDriver } from "./patience.ts";
import { isOutage } from "./unreachable.ts";

/** The database as a request asks it. */
export interface Gathering {
  /** Runs one statement; reads that are asked for in the same turn of the event loop share a round trip. */
  one(statement: Statement): Promise<Answer>;
  /** Runs statements that belong together, in one transaction of their own. */
  together(statements: Statement[]): Promise<Answer[]>;
}

interface Waiting {
  statement: Statement;
  resolve(answer: Answer): void;
  reject(fault: unknown): void;
}

/**
 * Gathers the reads that the loaders of a page ask for side by side, and sends them in one round trip.
 *
 * @param soon when to send what has been gathered: once everything that runs by itself has run
 */
export function gathered(
  driver: PatientDriver,
  soon: (send: () => void) => void = (send) => void setTimeout(send, 0),
): Gathering {
  let waiting: Waiting[] = [];

  function send() {
    const all = waiting;
    waiting = [];
    if (all.length > 0) void sendAll(driver, all);
  }

  async function together(statements: Statement[]): Promise<Answer[]> {
    // What was asked before a write is answered as it was before.
    send();
    return driver.run(statements, statements.every(({ sql }) => isRead(sql)) ? "read" : "write");
  }

  return {
    async one(statement) {
      if (!isRead(statement.sql)) return only(await together([statement]));
      return new Promise((resolve, reject) => {
        waiting.push({ statement, resolve, reject });
        if (waiting.length === 1) soon(send);
      });
    },
    together,
  };
}

async function sendAll(driver: PatientDriver, all: Waiting[]): Promise<void> {
  try {
    const answers = await driver.run(
      all.map(({ statement }) => statement),
      "read",
    );
    for (const [index, { resolve }] of all.entries()) resolve(at(answers, index));
  } catch (fault) {
    if (all.length === 1 || isOutage(fault)) {
      for (const { reject } of all) reject(fault);
      return;
    }
    // One of them is at fault, and the others are none the worse for it.
    for (const each of all) void sendAll(driver, [each]);
  }
}

function only(answers: Answer[]): Answer {
  return at(answers, 0);
}

function at(answers: Answer[], index: number): Answer {
  const answer = answers[index];
  if (!answer) throw new Error("The database left a statement without an answer.");
  return answer;
}
