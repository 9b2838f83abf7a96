import { afterEach, expect, test, vi } from "vitest";
import { SetupError, setupErrorFrom } from "#app/server/config/setup-error.ts";
import { logError } from "#app/server/logging/log.server.ts";

afterEach(() => vi.restoreAllMocks());

test.each(["D1_ERROR: no such table: phones: SQLITE_ERROR", "no such column: phones.variant_id"])(
  "%j is reported as a database that is not migrated, with the command",
  (message) => {
    const missing = message.match(/no such \w+: \w+/)?.[0];
    expect(setupErrorFrom(new Error(message))?.message).toContain(
      `The database is not migrated (${missing}). Run \`npx wrangler d1 migrations apply DB --local\``,
    );
  },
);

test("any other error is no setup error", () => {
  expect(setupErrorFrom(new Error("UNIQUE constraint failed: users.email"))).toBeNull();
});

test("a setup error is logged with each reference, without a stack", () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  for (const reference of ["first", "second"]) logError(new SetupError("Set SOMETHING."), reference);
  const line = { name: "SetupError", message: "Set SOMETHING." };
  const lines = log.mock.calls.map(([text]) => JSON.parse(text));
  expect(lines).toEqual(["first", "second"].map((reference) => ({ level: "error", reference, ...line })));
});
