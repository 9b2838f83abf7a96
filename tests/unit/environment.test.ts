import { expect, test } from "vitest";
import { checkSettings, parseEnvironment } from "#app/platform/environment.server.ts";

const SESSION_SECRET = "0123456789abcdef0123456789abcdef";
const limit = { limit: async () => ({ success: true }) };
const limits = { REPORT_LIMIT: limit, RECOVERY_LIMIT: limit };

test("takes what a deployment configures", () => {
  const full = {
    SESSION_SECRET,
    ...limits,
    LIBSQL_URL: "http://127.0.0.1:8080",
    LIBSQL_AUTH_TOKEN: "token",
    MAIL: { send: async () => ({ messageId: "1" }) },
    MAIL_FROM: "post@ringback.example",
    PUBLIC_ORIGIN: "https://ringback.example",
  };
  expect(parseEnvironment(full)).toEqual(full);
  const least = { SESSION_SECRET, ...limits };
  expect(parseEnvironment({ ...least, SOMETHING_ELSE: "x" })).toEqual(least);
});

// The Worker checks everything; who starts one checks what an operator can set.
test.each([
  ["Worker", parseEnvironment],
  ["starter", checkSettings],
])("a %s says how to set a missing secret", (_, check) => {
  const told = "SESSION_SECRET is missing: set it with `wrangler secret put SESSION_SECRET`";
  expect(() => check(limits)).toThrow(told);
  expect(() => check(undefined)).toThrow("Ringback cannot start");
});

test.each([
  ["Worker", parseEnvironment],
  ["starter", checkSettings],
])("a %s names everything unfit, and shows no value", (_, check) => {
  const short = "hunter2".repeat(4);
  const attempt = () => check({ ...limits, SESSION_SECRET: short, LIBSQL_URL: "hunter2 is here" });
  expect(attempt).toThrow("SESSION_SECRET is shorter than 32 characters; LIBSQL_URL is not a URL");
  expect(attempt).not.toThrow(/hunter2/);
});

test("a Worker without its rate limits does not start, and settings alone do not ask for it", () => {
  expect(() => parseEnvironment({ SESSION_SECRET })).toThrow("REPORT_LIMIT is not bound");
  expect(() => parseEnvironment({ SESSION_SECRET })).toThrow("RECOVERY_LIMIT is not bound");
  expect(() => checkSettings({ SESSION_SECRET })).not.toThrow();
});

test.each([
  "Ringback <post@ringback.example>",
  "post@ringback.example\r\nBcc: everyone@example.com",
  "post@ringback.example\n",
  "ringback",
  "",
])("%j is no sender", (MAIL_FROM) => {
  expect(() => checkSettings({ SESSION_SECRET, MAIL_FROM })).toThrow("MAIL_FROM is not an email address");
});

test.each([
  "ringback.example",
  "https://ringback.example/",
  "https://ringback.example/path",
  "https://someone@ringback.example",
  "ftp://ringback.example",
  "javascript:alert(1)",
  "",
])("%j is no origin", (PUBLIC_ORIGIN) => {
  expect(() => checkSettings({ SESSION_SECRET, PUBLIC_ORIGIN })).toThrow("PUBLIC_ORIGIN is not an origin");
});
