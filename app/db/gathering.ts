import type { Answer, Statement } from "./driver.ts";
import { isRead } from "./driver.ts";
import type { PatientDriver } from "./patience.ts";
import { isOutage } from "./unreachable.ts";

/** Runs statements that belong together, in one transaction and with one answer each. */
export type Ask = (statements: Statement[]) => Promise<Answer[]>;

interface Waiting {
  statements: Statement[];
  resolve(answers: Answer[]): void;
  reject(fault: unknown): void;
}

/**
 * Gathers what the loaders of a page read side by side, in one turn of the event loop, and sends it in one round
 * trip and one transaction. What writes goes by itself, after what was asked before it.
 *
 * @param soon when to send what has been gathered: once everything that runs by itself has run
 */
export function gathered(
  driver: PatientDriver,
  soon: (send: () => void) => void = (send) => void setTimeout(send, 0),
): Ask {
  let waiting: Waiting[] = [];

  function send() {
    const all = waiting;
    waiting = [];
    if (all.length > 0) void sendAll(driver, all);
  }

  return async (statements) => {
    if (!statements.every(({ sql }) => isRead(sql))) {
      send();
      return driver.run(statements, "write");
    }
    return new Promise((resolve, reject) => {
      waiting.push({ statements, resolve, reject });
      if (waiting.length === 1) soon(send);
    });
  };
}

async function sendAll(driver: PatientDriver, all: Waiting[]): Promise<void> {
  try {
    const answers = await driver.run(
      all.flatMap(({ statements }) => statements),
      "read",
    );
    for (const { statements, resolve } of all) resolve(answers.splice(0, statements.length));
  } catch (fault) {
    if (all.length === 1 || isOutage(fault)) {
      for (const { reject } of all) reject(fault);
      return;
    }
    // One of them is at fault, and the others are none the worse for it.
    for (const each of all) void sendAll(driver, [each]);
  }
}
