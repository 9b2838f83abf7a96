import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Attention, attentive } from "#app/db/attention.ts";
import type { Answer, Driver } from "#app/db/driver.ts";
import { patient } from "#app/db/patience.ts";
import { isOutage } from "#app/db/unreachable.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const question = [{ sql: "select * from phones", params: [] }];
const answer: Answer[] = [{ rows: [{ 1: 1 }] }];

/** A database that answers, hangs or says no as it is told to, and requests that ask it. */
function isolate() {
  const attention: Attention = { heardAt: 0, askAgainAt: null };
  const database = { state: "answers" as "answers" | "hangs" | "says no", asked: [] as string[] };
  const driver: Driver = {
    run(statements) {
      for (const { sql } of statements) database.asked.push(sql);
      if (database.state === "hangs") return new Promise(() => {});
      return database.state === "answers"
        ? Promise.resolve(answer)
        : Promise.reject(new Error("no such table"));
    },
  };
  /** One request with one question: how it ended, and after how many milliseconds. */
  async function ask(kind: "read" | "write" = "read") {
    const start = Date.now();
    const outcome = await patient(attentive(driver, attention))
      .run(question, kind)
      .then(
        () => "answered",
        (fault) => (isOutage(fault) ? "outage" : "refused"),
      );
    return [outcome, Date.now() - start];
  }
  return { database, ask, driver, attention };
}

/** The same, with time passing until all have ended. */
async function ended<Outcome>(...requests: Promise<Outcome>[]): Promise<Outcome[]> {
  await vi.advanceTimersByTimeAsync(6000);
  return Promise.all(requests);
}

test("after one has waited in vain nobody waits, but one at a time who asks whether it is back", async () => {
  const { database, ask } = isolate();
  expect(await ended(ask())).toEqual([["answered", 0]]);
  database.state = "hangs";
  expect(await ended(ask())).toEqual([["outage", 5000]]);
  database.asked = [];
  expect(await ended(ask(), ask(), ask("write"))).toEqual([
    ["outage", 1000],
    ["outage", 0],
    ["outage", 0],
  ]);
  // What is to be written has not been sent at all.
  expect(database.asked).toEqual(["select 1"]);

  database.state = "answers";
  database.asked = [];
  expect(await ended(ask("write"))).toEqual([["answered", 0]]);
  expect(await ended(ask(), ask())).toEqual([
    ["answered", 0],
    ["answered", 0],
  ]);
  expect(database.asked).toEqual(
    ["select 1", ...question, ...question, ...question].map((each) =>
      typeof each === "string" ? each : each.sql,
    ),
  );
});

test("one slow answer among others is no silence, and a refusal is an answer", async () => {
  const { database, ask } = isolate();
  database.state = "hangs";
  const slow = ask();
  await vi.advanceTimersByTimeAsync(100);
  database.state = "says no";
  expect(await ended(ask(), slow)).toEqual([
    ["refused", 0],
    ["outage", 5000],
  ]);
  database.state = "answers";
  database.asked = [];
  expect(await ended(ask(), ask())).toEqual([
    ["answered", 0],
    ["answered", 0],
  ]);
  expect(database.asked).not.toContain("select 1");
});

test("a look-up tells within a second, and ends a silence", async () => {
  const { database, driver, attention, ask } = isolate();
  const { lookUp } = attentive(driver, attention);
  database.state = "hangs";
  const start = Date.now();
  const looked = lookUp().catch((fault) => [isOutage(fault), Date.now() - start]);
  expect(await ended(looked)).toEqual([[true, 1000]]);
  // It was brief: others may still be answered.
  expect(attention.askAgainAt).toBeNull();
  await ended(ask());
  expect(attention.askAgainAt).not.toBeNull();
  database.state = "answers";
  await lookUp();
  expect(attention.askAgainAt).toBeNull();
});
