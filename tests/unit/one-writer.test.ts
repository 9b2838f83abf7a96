import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withDeadline } from "#app/db/connection.ts";
import type { Driver, Mode } from "#app/db/driver.ts";
import { withOneWriter } from "#app/db/libsql.server.ts";
import { Unreachable } from "#app/db/unreachable.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const workMs = 100;

/** Requests to one database, which takes `workMs` for each; "hangs" never ends. */
function database() {
  const log: string[] = [];
  const start = Date.now();
  function request(name: string, mode: Mode, outcome: "ends" | "fails" | "hangs" = "ends") {
    const driver: Driver = {
      async run() {
        log.push(`${name} starts at ${Math.round((Date.now() - start) / workMs) * workMs}`);
        await new Promise((resolve) => outcome !== "hangs" && setTimeout(resolve, workMs));
        if (outcome === "fails") throw new Error("constraint failed");
        return [];
      },
    };
    return withDeadline(withOneWriter(driver))
      .run([{ sql: "", params: [] }], mode)
      .catch((error: unknown) => error);
  }
  return { request, log };
}

test("writes wait for each other, reads for nothing", async () => {
  const { request, log } = database();
  const all = [
    request("a write", "write", "fails"),
    request("a second write", "write"),
    request("a third write", "write"),
    request("a read", "read"),
  ];
  await vi.runAllTimersAsync();
  const [failed, ...others] = await Promise.all(all);
  expect(failed).toEqual(new Error("constraint failed"));
  expect(others).toEqual([[], [], []]);
  expect(log.slice(0, 2)).toEqual(["a write starts at 0", "a read starts at 0"]);
  expect(log.slice(2).map((line) => line.split(" at ")[1])).toEqual(["100", "200"]);
});

test("a write that never ends loses its turn, and the others succeed", async () => {
  const { request, log } = database();
  const lost = request("a lost write", "write", "hangs");
  const next = request("the next write", "write");
  await vi.runAllTimersAsync();
  expect(await lost).toBeInstanceOf(Unreachable);
  expect(await next).toEqual([]);
  expect(log).toEqual(["a lost write starts at 0", "the next write starts at 500"]);
});
