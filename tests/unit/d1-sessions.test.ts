import { expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import type { Reads } from "#app/db/driver.ts";
import { phones, users } from "#app/db/schema.ts";
import { cookieJar } from "#app/server/http/cookies.server.ts";
import { readPreference, withBookmark } from "#app/server/http/read-preference.server.ts";

const bookmark = "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683";
const bookmarks = cookieJar(["a secret for tests of more than 32 characters"]).bookmark;

/** A D1 binding that records requests, and returns no rows. */
function recordingD1() {
  const operations: string[] = [];
  const statement = (sql: string) => ({ sql, bind: () => statement(sql) });
  const binding = {
    withSession(constraint: string) {
      operations.push(constraint);
      return {
        prepare: statement,
        async batch(statements: { sql: string }[]) {
          operations.push(`${statements.length} at once`);
          return statements.map(() => ({ results: [], meta: { rows_read: 7 } }));
        },
        getBookmark: () => bookmark,
      };
    },
  };
  return { operations, DB: binding as unknown as D1Database };
}

test.each<[Reads, string]>([
  ["anywhere", "first-unconstrained"],
  ["primary", "first-primary"],
  [{ since: bookmark }, bookmark],
  // A bookmark of libSQL, from before this deployment used D1.
  [{ since: "primary" }, "first-primary"],
])("reads with %j use a D1 session that starts at %s", async (reads, constraint) => {
  const { operations, DB } = recordingD1();
  const { db, stats } = openDatabase({ DB }, reads);
  await Promise.all([db.select().from(phones), db.select().from(users)]);
  expect(operations).toEqual([constraint, "2 at once"]);
  expect(stats).toMatchObject({ roundTrips: 1, statements: 2, rowsRead: 14 });
  expect(stats.hasWritten).toBe(false);
  await db.delete(phones);
  expect([stats.hasWritten, stats.bookmark()]).toEqual([true, bookmark]);
});

const cookieOf = async (value: string) => (await bookmarks.serialize(value)).split(";")[0] ?? "";

test.each<[string, string, Record<string, string>, Reads]>([
  ["an anonymous visitor", "GET", {}, "anywhere"],
  ["an anonymous visitor with unrelated cookies", "HEAD", { Cookie: "a=b; __Host-flash=x" }, "anywhere"],
  ["a write", "POST", {}, "primary"],
  ["a visitor with a session", "GET", { Cookie: "__Host-session=x" }, "primary"],
  ["a visitor during a sign-in", "GET", { Cookie: "a=b; __Host-sign-in=x" }, "primary"],
  ["a client with a token", "GET", { Authorization: "Bearer x" }, "primary"],
  ["a visitor after a write", "GET", { Cookie: await cookieOf(bookmark) }, { since: bookmark }],
  [
    "a signed-in user after a write",
    "GET",
    { Cookie: `${await cookieOf(bookmark)}; __Host-session=x` },
    "primary",
  ],
  ["a visitor with a forged bookmark", "GET", { Cookie: `${await cookieOf(bookmark)}x` }, "anywhere"],
])("%s (%s) reads at the right consistency", async (_, method, headers, expected) => {
  const request = new Request("https://ringback.example/products", { method, headers });
  expect(await readPreference(request, bookmarks)).toEqual(expected);
});

test("a response has a bookmark cookie when its request has written", async () => {
  const cookieAfter = async ({ method = "POST", status = 200, hasWritten = true } = {}) => {
    const request = new Request("https://ringback.example/", { method });
    const stats = { hasWritten, bookmark: () => bookmark };
    const response = await withBookmark(new Response(null, { status }), request, stats, bookmarks);
    return response.headers.get("Set-Cookie");
  };
  const cookie = /^__Host-bookmark=[^;]+; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Lax$/;
  expect(await cookieAfter()).toMatch(cookie);
  expect(await cookieAfter({ method: "DELETE", status: 500 })).toMatch(cookie);
  expect(await cookieAfter({ hasWritten: false })).toBeNull();
  expect(await cookieAfter({ status: 401 })).toBeNull();
  expect(await cookieAfter({ method: "GET" })).toBeNull();
});
