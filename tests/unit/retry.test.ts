import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { queryTimeoutMs, withDeadline } from "#app/db/connection.ts";
import type { Driver, Mode, Result } from "#app/db/driver.ts";
import { withRetry } from "#app/db/libsql.server.ts";
import { isOutage, Unreachable } from "#app/db/unreachable.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const statements = [{ sql: "select 1", params: [] }];
const results: Result[] = [{ rows: [{ 1: 1 }] }];
const lost = () => new Unreachable(new Error("Network connection lost."));

/** Runs one statement on a database that fails with the given errors before it responds, or hangs. */
async function run(faults: Error[] | "hangs", mode: Mode = "read") {
  const sentAt: number[] = [];
  const signals: AbortSignal[] = [];
  const start = Date.now();
  const driver: Driver = {
    run(_statements, _mode, signal) {
      signals.push(signal);
      sentAt.push(Date.now() - start);
      if (faults === "hangs") return new Promise(() => {});
      const fault = faults[sentAt.length - 1];
      return fault ? Promise.reject(fault) : Promise.resolve(results);
    },
  };
  const connection = withDeadline(withRetry(driver));
  const ending = connection
    .run(statements, mode)
    .catch((fault: unknown) => fault)
    .then((outcome) => ({ outcome, endedAt: Date.now() - start }));
  await vi.runAllTimersAsync();
  return { ...(await ending), connection, sentAt, signals };
}

describe("a read", () => {
  test("is retried with exponential backoff", async () => {
    const { outcome, sentAt } = await run([lost(), lost(), lost()]);
    expect(outcome).toEqual(results);
    expect(sentAt).toEqual([0, 50, 150, 350]);
  });

  test("fails after four attempts, and with it the rest of the request", async () => {
    const { outcome, connection, sentAt } = await run([lost(), lost(), lost(), lost()]);
    expect([isOutage(outcome), sentAt.length]).toEqual([true, 4]);
    await expect(connection.run(statements, "read")).rejects.toBe(outcome);
    expect(sentAt).toHaveLength(4);
  });

  test("is not retried after a database error", async () => {
    const refusal = new Error("no such table");
    const { outcome, connection, sentAt } = await run([refusal]);
    expect([outcome, sentAt.length]).toEqual([refusal, 1]);
    expect(await connection.run(statements, "read")).toEqual(results);
  });
});

test("a write is sent once, and later statements are sent", async () => {
  const { outcome, connection, sentAt } = await run([lost()], "write");
  expect([isOutage(outcome), sentAt.length]).toEqual([true, 1]);
  expect(await connection.run(statements, "read")).toEqual(results);
});

test.each(["read", "write"] as const)("a %s times out, and with it the rest of the request", async (mode) => {
  const { outcome, endedAt, connection, signals } = await run("hangs", mode);
  expect([isOutage(outcome), endedAt]).toEqual([true, queryTimeoutMs]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  await expect(connection.run(statements, "read")).rejects.toBe(outcome);
});
