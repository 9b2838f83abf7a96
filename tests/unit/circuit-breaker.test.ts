import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Circuit, withCircuitBreaker } from "#app/db/circuit-breaker.ts";
import { withDeadline } from "#app/db/deadline.ts";
import type { Driver, Result } from "#app/db/driver.ts";
import { isOutage } from "#app/db/unreachable.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const question = [{ sql: "select * from phones", params: [] }];
const result: Result[] = [{ rows: [{ 1: 1 }] }];

/** A database that responds, hangs or fails, and requests to it. */
function isolate() {
  const circuit: Circuit = { lastResponseAt: 0, nextProbeAt: null };
  const database = { state: "responds" as "responds" | "hangs" | "fails", statements: [] as string[] };
  const driver: Driver = {
    run(statements) {
      for (const { sql } of statements) database.statements.push(sql);
      if (database.state === "hangs") return new Promise(() => {});
      return database.state === "responds"
        ? Promise.resolve(result)
        : Promise.reject(new Error("no such table"));
    },
  };
  /** The outcome of a request with one statement, and its duration in milliseconds. */
  async function request(kind: "read" | "write" = "read") {
    const start = Date.now();
    const outcome = await withDeadline(withCircuitBreaker(driver, circuit))
      .run(question, kind)
      .then(
        () => "completed",
        (fault) => (isOutage(fault) ? "outage" : "refused"),
      );
    return [outcome, Date.now() - start];
  }
  return { database, request, driver, circuit };
}

async function ended<Outcome>(...requests: Promise<Outcome>[]): Promise<Outcome[]> {
  await vi.advanceTimersByTimeAsync(6000);
  return Promise.all(requests);
}

test("after a timeout the circuit is open: one request at a time probes, the others fail at once", async () => {
  const { database, request } = isolate();
  expect(await ended(request())).toEqual([["completed", 0]]);
  database.state = "hangs";
  expect(await ended(request())).toEqual([["outage", 5000]]);
  database.statements = [];
  expect(await ended(request(), request(), request("write"))).toEqual([
    ["outage", 1000],
    ["outage", 0],
    ["outage", 0],
  ]);
  expect(database.statements).toEqual(["select 1"]);

  database.state = "responds";
  database.statements = [];
  expect(await ended(request("write"))).toEqual([["completed", 0]]);
  expect(await ended(request(), request())).toEqual([
    ["completed", 0],
    ["completed", 0],
  ]);
  expect(database.statements).toEqual(
    ["select 1", ...question, ...question, ...question].map((each) =>
      typeof each === "string" ? each : each.sql,
    ),
  );
});

test("neither one slow response among others nor a database error opens the circuit", async () => {
  const { database, request } = isolate();
  database.state = "hangs";
  const slow = request();
  await vi.advanceTimersByTimeAsync(100);
  database.state = "fails";
  expect(await ended(request(), slow)).toEqual([
    ["refused", 0],
    ["outage", 5000],
  ]);
  database.state = "responds";
  database.statements = [];
  expect(await ended(request(), request())).toEqual([
    ["completed", 0],
    ["completed", 0],
  ]);
  expect(database.statements).not.toContain("select 1");
});

test("a ping fails within a second, and closes the circuit when it succeeds", async () => {
  const { database, driver, circuit, request } = isolate();
  const { ping } = withCircuitBreaker(driver, circuit);
  database.state = "hangs";
  const start = Date.now();
  const pinged = ping().catch((fault) => [isOutage(fault), Date.now() - start]);
  expect(await ended(pinged)).toEqual([[true, 1000]]);
  expect(circuit.nextProbeAt).toBeNull();
  await ended(request());
  expect(circuit.nextProbeAt).not.toBeNull();
  database.state = "responds";
  await ping();
  expect(circuit.nextProbeAt).toBeNull();
});
