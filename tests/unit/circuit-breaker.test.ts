import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Circuit, withCircuitBreaker } from "#app/db/circuit-breaker.ts";
import { withDeadline } from "#app/db/deadline.ts";
import type { Driver, Result } from "#app/db/driver.ts";
import { isOutage } from "#app/db/unreachable.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const question = [{ sql: "select * from phones", params: [] }];
const answer: Result[] = [{ rows: [{ 1: 1 }] }];

/** A database that responds, hangs or fails, and requests to it. */
function isolate() {
  const circuit: Circuit = { lastResponseAt: 0, nextProbeAt: null };
  const database = { state: "answers" as "answers" | "hangs" | "fails", asked: [] as string[] };
  const driver: Driver = {
    run(statements) {
      for (const { sql } of statements) database.asked.push(sql);
      if (database.state === "hangs") return new Promise(() => {});
      return database.state === "answers"
        ? Promise.resolve(answer)
        : Promise.reject(new Error("no such table"));
    },
  };
  /** The outcome of a request with one statement, and its duration in milliseconds. */
  async function ask(kind: "read" | "write" = "read") {
    const start = Date.now();
    const outcome = await withDeadline(withCircuitBreaker(driver, circuit))
      .run(question, kind)
      .then(
        () => "answered",
        (fault) => (isOutage(fault) ? "outage" : "refused"),
      );
    return [outcome, Date.now() - start];
  }
  return { database, ask, driver, circuit };
}

async function ended<Outcome>(...requests: Promise<Outcome>[]): Promise<Outcome[]> {
  await vi.advanceTimersByTimeAsync(6000);
  return Promise.all(requests);
}

test("after a timeout the circuit is open: one request at a time probes, the others fail at once", async () => {
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

test("neither one slow response among others nor a database error opens the circuit", async () => {
  const { database, ask } = isolate();
  database.state = "hangs";
  const slow = ask();
  await vi.advanceTimersByTimeAsync(100);
  database.state = "fails";
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

test("a ping fails within a second, and closes the circuit when it succeeds", async () => {
  const { database, driver, circuit, ask } = isolate();
  const { ping } = withCircuitBreaker(driver, circuit);
  database.state = "hangs";
  const start = Date.now();
  const pinged = ping().catch((fault) => [isOutage(fault), Date.now() - start]);
  expect(await ended(pinged)).toEqual([[true, 1000]]);
  expect(circuit.nextProbeAt).toBeNull();
  await ended(ask());
  expect(circuit.nextProbeAt).not.toBeNull();
  database.state = "answers";
  await ping();
  expect(circuit.nextProbeAt).toBeNull();
});
