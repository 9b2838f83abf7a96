import { LibsqlError } from "@libsql/client";
import { DrizzleQueryError } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { DatabaseUnreachable, isOutage } from "#app/db/outage.ts";
import { unlessOutage } from "#app/server/http/outage.server.ts";
import { d1Outages } from "../harness/d1-outages.ts";

const query = (cause: unknown) =>
  new DrizzleQueryError("select ?", ["a visitor's words: Network connection lost."], cause as Error);
const away = new DatabaseUnreachable(new Error("Network connection lost."));

test.each([
  ...d1Outages,
  ...d1Outages.map((message) => `D1_ERROR: ${message}`),
  "D1_ERROR: D1 DB's isolate exceeded its CPU time limit and was reset.",
  "D1_ERROR: Exceeded maximum DB size.",
  "D1_ERROR: database or disk is full: SQLITE_FULL",
  "D1_ERROR: disk I/O error: SQLITE_IOERR",
])("%s: D1 is unreachable", (message) => {
  expect(isOutage(query(new Error(message)))).toBe(true);
});

test.each([
  "SQLITE_FULL",
  "SQLITE_IOERR",
  "SQLITE_IOERR_WRITE",
  "SQLITE_READONLY",
  "SQLITE_READONLY_DBMOVED",
  "SQLITE_CANTOPEN",
  "SQLITE_NOMEM",
  "SQLITE_BUSY_SNAPSHOT",
  "BLOCKED",
])("libSQL can store nothing: %s", (code) => {
  expect(isOutage(query(new LibsqlError("some words", code)))).toBe(true);
});

test.each(["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_ERROR", "SQLITE_CORRUPT"])(
  "an error of libSQL is no outage: %s",
  (code) => {
    expect(isOutage(query(new LibsqlError("some words", code)))).toBe(false);
  },
);

test.each([
  ["a missing table", new Error("D1_ERROR: no such table: users: SQLITE_ERROR")],
  ["an error in our code", new TypeError("undefined is not a function")],
  ["nothing", null],
])("an error of D1 is no outage: %s", (_, fault) => {
  expect(isOutage(query(fault))).toBe(false);
});

test("an outage is recognized inside wrapped errors, and not by text from a visitor", () => {
  expect(isOutage(new Error("Login failed", { cause: query(away) }))).toBe(true);
  expect(isOutage(query(new Error("SQLITE_ERROR")))).toBe(false);
  expect(isOutage(new Response("Network connection lost."))).toBe(false);
});

describe("a handler that needs the database", () => {
  const context = { reference: "a reference" };

  test("returns its result, or 503 with a log entry that has no user input", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    try {
      expect(await unlessOutage(context, async () => "done", String)).toBe("done");
      expect(log).not.toHaveBeenCalled();
      const outcome = await unlessOutage(
        context,
        () => Promise.reject(query(away)),
        (refusal) => refusal,
      );
      expect(outcome).toEqual({
        status: 503,
        formErrors: ["We’re having trouble right now. Try again in a few seconds."],
      });
      expect(log).toHaveBeenCalledOnce();
      expect(log.mock.calls.join()).toContain("a reference");
      expect(log.mock.calls.join()).not.toContain("visitor");
    } finally {
      log.mockRestore();
    }
  });

  test("rethrows other errors", async () => {
    const fault = new Error("SQLITE_ERROR");
    await expect(unlessOutage(context, () => Promise.reject(fault), String)).rejects.toBe(fault);
  });
});
