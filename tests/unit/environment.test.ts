import { expect, test } from "vitest";
import { dailyLimits } from "#app/server/config/daily-limits.ts";
import { checkSettings, parseEnvironment } from "#app/server/config/environment.server.ts";
import { rateLimits } from "#app/server/http/mutations.server.ts";

const SESSION_SECRET = "0123456789abcdef0123456789abcdef";
const binding = { limit: async () => ({ success: true }) };
const bindings = Object.fromEntries(Object.keys(rateLimits).map((name) => [name, binding]));

test("parses a complete configuration", () => {
  const full = {
    SESSION_SECRET,
    ...bindings,
    LIBSQL_URL: "http://127.0.0.1:8080",
    LIBSQL_AUTH_TOKEN: "token",
    CORS_ORIGINS: "https://shop.example, http://localhost:3000,",
    GOOGLE_CLIENT_ID: "id",
    GOOGLE_CLIENT_SECRET: "client secret",
    MAIL: { send: async () => ({ messageId: "1" }) },
    MAIL_FROM: "post@ringback.example",
    PUBLIC_ORIGIN: "https://ringback.example",
  };
  const read = {
    ENVIRONMENT: "production",
    SESSION_SECRET: [SESSION_SECRET],
    CORS_ORIGINS: [],
    EDGE_CACHE_SECONDS: 60,
    HOLD_FIRST_LISTINGS: false,
    PAYOUTS_REQUIRED: false,
    MAX_RESERVATIONS: 5,
    MAX_RESERVATIONS_UNCONFIRMED: 2,
    MAX_RESERVATIONS_NEW_ACCOUNTS: 5,
    ...dailyLimits,
  };
  const origins = ["https://shop.example", "http://localhost:3000"];
  expect(parseEnvironment(full)).toEqual({ ...full, ...read, CORS_ORIGINS: origins });
  const least = { SESSION_SECRET, ...bindings };
  expect(parseEnvironment({ ...least, SOMETHING_ELSE: "x" })).toEqual({ ...least, ...read });
});

test("parses several secrets, newest first", () => {
  const older = SESSION_SECRET.toUpperCase();
  const { SESSION_SECRET: secrets } = parseEnvironment({
    ...bindings,
    SESSION_SECRET: `${SESSION_SECRET}, ${older}`,
  });
  expect(secrets).toEqual([SESSION_SECRET, older]);
});

test.each([
  ["", "is shorter than 32 characters"],
  [",", "contains a secret shorter than 32 characters (commas separate secrets)"],
  [`${SESSION_SECRET},`, "contains a secret shorter than 32 characters"],
  [`${SESSION_SECRET},short`, "contains a secret shorter than 32 characters"],
  [`${"x".repeat(20)},${"y".repeat(20)}`, "contains a secret shorter than 32 characters"],
])("rejects %j because a secret is too short", (unfit, expectedMessage) => {
  expect(() => checkSettings({ SESSION_SECRET: unfit })).toThrow(`SESSION_SECRET ${expectedMessage}`);
});

// The Worker checks all settings, the start script those that an operator sets.
test.each([
  ["Worker", parseEnvironment],
  ["starter", checkSettings],
])("%s explains how to set a missing secret", (_, check) => {
  const expectedMessage = "SESSION_SECRET is missing: set it with `wrangler secret put SESSION_SECRET`";
  expect(() => check(bindings)).toThrow(expectedMessage);
  expect(() => check(undefined)).toThrow("Ringback cannot run with these settings");
});

test.each([
  ["Worker", parseEnvironment],
  ["starter", checkSettings],
])("%s names each invalid setting without its value", (_, check) => {
  const short = "hunter2".repeat(4);
  const attempt = () => check({ ...bindings, SESSION_SECRET: short, LIBSQL_URL: "hunter2 is here" });
  expect(attempt).toThrow(/SESSION_SECRET is shorter than 32 characters.*; LIBSQL_URL is not the URL/);
  expect(attempt).not.toThrow(/hunter2/);
});

test.each(["file:local.db", "ws://127.0.0.1:8080", "nowhere", ""])("%j is not a libSQL server", (url) => {
  const settings = { SESSION_SECRET, LIBSQL_URL: url, LIBSQL_REPLICA_URL: url };
  const problem = "is not the URL of a libSQL server: it begins with libsql:, https: or http:";
  expect(() => checkSettings(settings)).toThrow(`LIBSQL_URL ${problem}; LIBSQL_REPLICA_URL ${problem}`);
});

test("a replica URL requires a primary URL", () => {
  const settings = { SESSION_SECRET, LIBSQL_REPLICA_URL: "http://127.0.0.1:8081" };
  expect(() => checkSettings(settings)).toThrow("LIBSQL_URL is required together with LIBSQL_REPLICA_URL");
  expect(() => checkSettings({ ...settings, LIBSQL_URL: "http://127.0.0.1:8080" })).not.toThrow();
});

test.each(["*", "shop.example", "https://shop.example/", "https://shop.example/page", "null"])(
  "%s is not a valid CORS origin",
  (origin) => {
    const settings = { SESSION_SECRET, CORS_ORIGINS: `https://fine.example,${origin}` };
    expect(() => checkSettings(settings)).toThrow("CORS_ORIGINS contains something that is not an origin");
  },
);

test("a Worker requires the rate limit bindings; scripts do not", () => {
  expect(() => parseEnvironment({ SESSION_SECRET })).toThrow("REPORT_LIMIT is not bound");
  expect(() => parseEnvironment({ SESSION_SECRET })).toThrow("LOGIN_LIMIT is not bound");
  expect(() => checkSettings({ SESSION_SECRET })).not.toThrow();
});

test.each([
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["GOOGLE_CLIENT_SECRET", "GOOGLE_CLIENT_ID"],
])("%s requires %s", (given, missing) => {
  const attempt = () => checkSettings({ SESSION_SECRET, [given]: "hunter2" });
  expect(attempt).toThrow(`${missing} is required together with ${given}`);
  expect(attempt).not.toThrow(/hunter2/);
  expect(() => checkSettings({ SESSION_SECRET, [given]: "hunter2", [missing]: "" })).toThrow("is empty");
});

const stripe = { STRIPE_SECRET_KEY: "sk_test_hunter2", STRIPE_WEBHOOK_SECRET: "whsec_hunter2" };

test.each([
  ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"],
  ["STRIPE_WEBHOOK_SECRET", "STRIPE_SECRET_KEY"],
] as const)("%s requires %s", (given, missing) => {
  const attempt = () => checkSettings({ SESSION_SECRET, [given]: stripe[given] });
  expect(attempt).toThrow(`${missing} is required together with ${given}`);
  expect(attempt).not.toThrow(/hunter2/);
  expect(() => checkSettings({ SESSION_SECRET, ...stripe, [missing]: "pk_test_hunter2" })).toThrow(
    `${missing} is not`,
  );
});

test("payouts are required in a market with a provider alone", () => {
  const settings = { SESSION_SECRET, PAYOUTS_REQUIRED: "on" };
  expect(() => checkSettings(settings)).toThrow(
    "STRIPE_SECRET_KEY is required together with PAYOUTS_REQUIRED",
  );
  expect(() => checkSettings({ ...settings, ...stripe })).not.toThrow();
});

test("only a local provider may stand in for Stripe", () => {
  const settings = { SESSION_SECRET, ...stripe, STRIPE_API_ORIGIN: "http://127.0.0.1:12111" };
  expect(() => checkSettings(settings)).toThrow("STRIPE_API_ORIGIN is for ENVIRONMENT local only");
  expect(() => checkSettings({ ...settings, ENVIRONMENT: "local" })).not.toThrow();
});

test.each([
  "Ringback <post@ringback.example>",
  "post@ringback.example\r\nBcc: everyone@example.com",
  "post@ringback.example\n",
  "ringback",
  "",
])("%j is not a valid sender", (MAIL_FROM) => {
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
])("%j is not a valid origin", (PUBLIC_ORIGIN) => {
  expect(() => checkSettings({ SESSION_SECRET, PUBLIC_ORIGIN })).toThrow("PUBLIC_ORIGIN is not an origin");
});

test.each(["0", "-1", "2.5", "many", ""])("%j is not a number of listings a day", (MAX_LISTINGS_A_DAY) => {
  const attempt = () => checkSettings({ SESSION_SECRET, MAX_LISTINGS_A_DAY });
  expect(attempt).toThrow("MAX_LISTINGS_A_DAY is not a whole number");
});

test("people without a confirmed address may book nothing", () => {
  expect(() => checkSettings({ SESSION_SECRET, MAX_RESERVATIONS_UNCONFIRMED: "0" })).not.toThrow();
});

test.each(["0", "-1", "2.5", "many", ""])("%j is not a number of reservations", (MAX_RESERVATIONS) => {
  const attempt = () => checkSettings({ SESSION_SECRET, MAX_RESERVATIONS });
  expect(attempt).toThrow("MAX_RESERVATIONS is not a whole number");
});
