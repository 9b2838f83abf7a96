import { DrizzleQueryError } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { isOutage, unlessOutage } from "#app/platform/outage.server.ts";

const query = (cause: Error) => new DrizzleQueryError("select ?", ["a visitor's words"], cause);
const libsql = (code: string) => Object.assign(new Error(`${code}: something`), { code });
const lost = new Error("Network connection lost.");

test.each([
  ["a connection that is lost", lost],
  ["a connection that is lost in a query", query(lost)],
  ["D1 that lost it", query(new Error("D1_ERROR: Network connection lost."))],
  ["D1 that is overloaded", new Error("D1_ERROR: D1 DB is overloaded. Requests queued for too long.")],
  ["D1 that was reset", query(new Error("D1_ERROR: D1 DB reset because its code was updated."))],
  [
    "D1 that cannot be found",
    new Error("D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node."),
  ],
  ["a libSQL server that is ill", libsql("SERVER_ERROR")],
  ["a libSQL connection that closed", query(libsql("HRANA_CLOSED_ERROR"))],
  ["a wrapper's wrapper", new Error("Login failed", { cause: query(lost) })],
])("%s is an outage", (_, fault) => expect(isOutage(fault)).toBe(true));

test.each([
  ["a table that is missing", query(new Error("D1_ERROR: no such table: users: SQLITE_ERROR"))],
  ["a statement libSQL refuses", libsql("SQLITE_CONSTRAINT")],
  ["a fault of ours", new TypeError("undefined is not a function")],
  ["an answer", new Response("Network connection lost.")],
  ["nothing", null],
  [
    "a visitor who writes so",
    new DrizzleQueryError("select ?", ["Network connection lost."], new Error("SQLITE_ERROR")),
  ],
])("%s is none", (_, fault) => expect(isOutage(fault)).toBe(false));

describe("work that needs the database", () => {
  const context = { reference: "a reference" };

  test("is done, or answered as an outage and logged without what was sent", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    try {
      expect(await unlessOutage(context, async () => "done", String)).toBe("done");
      expect(log).not.toHaveBeenCalled();
      const answer = await unlessOutage(
        context,
        () => Promise.reject(query(lost)),
        (refusal) => refusal,
      );
      expect(answer).toEqual({ status: 503, formErrors: ["The network failed. Try again in a moment."] });
      expect(log).toHaveBeenCalledOnce();
      expect(log.mock.calls.join()).toContain("a reference");
      expect(log.mock.calls.join()).not.toContain("visitor");
    } finally {
      log.mockRestore();
    }
  });

  test("fails as it would when the fault is another", async () => {
    const fault = new Error("SQLITE_ERROR");
    await expect(unlessOutage(context, () => Promise.reject(fault), String)).rejects.toBe(fault);
  });
});
