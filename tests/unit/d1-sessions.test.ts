import { expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import type { Reads } from "#app/db/driver.ts";
import { phones, users } from "#app/db/schema.ts";
import { cookieJar } from "#app/platform/cookies.server.ts";
import { readingOf, withBookmark } from "#app/platform/reading.server.ts";

const bookmark = "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683";
const bookmarks = cookieJar(["a secret for tests of more than 32 characters"]).bookmark;

/** D1 that writes down what it is asked, and answers nothing; it says of each statement how many rows it wrote. */
function recordingD1(rowsWritten?: number) {
  const asked: string[] = [];
  const statement = (sql: string) => ({ sql, bind: () => statement(sql) });
  const binding = {
    withSession(constraint: string) {
      asked.push(constraint);
      return {
        prepare: statement,
        async batch(statements: { sql: string }[]) {
          asked.push(`${statements.length} at once`);
          return statements.map(() => ({ results: [], meta: { rows_read: 7, rows_written: rowsWritten } }));
        },
        getBookmark: () => bookmark,
      };
    },
  };
  return { asked, DB: binding as unknown as D1Database };
}

test.each<[Reads, string]>([
  ["anywhere", "first-unconstrained"],
  ["primary", "first-primary"],
  [{ since: bookmark }, bookmark],
  // Of another kind of database, from before this deployment had D1.
  [{ since: "primary" }, "first-primary"],
])("who reads %j asks D1 in a session that begins with %s", async (reads, constraint) => {
  const { asked, DB } = recordingD1();
  const { db, stats } = openDatabase({ DB }, reads);
  await Promise.all([db.select().from(phones), db.select().from(users)]);
  expect(asked).toEqual([constraint, "2 at once"]);
  expect(stats).toMatchObject({ roundTrips: 1, statements: 2, rowsRead: 14 });
  expect([stats.changes, stats.bookmark]).toEqual([0, undefined]);
  await db.delete(phones);
  expect([stats.changes, stats.bookmark]).toEqual([1, bookmark]);
});

test("there is no bookmark of a write that has changed nothing", async () => {
  const { DB } = recordingD1(0);
  const { db, stats } = openDatabase({ DB });
  await db.delete(phones);
  expect([stats.changes, stats.bookmark]).toEqual([0, undefined]);
});

const cookieOf = async (value: string) => (await bookmarks.serialize(value)).split(";")[0] ?? "";

test.each<[string, string, Record<string, string>, Reads]>([
  ["a stranger", "GET", {}, "anywhere"],
  [
    "a stranger with cookies of others and of no weight",
    "HEAD",
    { Cookie: "a=b; __Host-flash=x" },
    "anywhere",
  ],
  ["who writes", "POST", {}, "primary"],
  ["who brings a session", "GET", { Cookie: "__Host-session=x" }, "primary"],
  ["who is on the way through a login", "GET", { Cookie: "a=b; __Host-sign-in=x" }, "primary"],
  ["who brings a token", "GET", { Authorization: "Bearer x" }, "primary"],
  ["who has written", "GET", { Cookie: await cookieOf(bookmark) }, { since: bookmark }],
  [
    "who is signed in and has written",
    "GET",
    { Cookie: `${await cookieOf(bookmark)}; __Host-session=x` },
    "primary",
  ],
  ["who has forged a bookmark", "GET", { Cookie: `${await cookieOf(bookmark)}x` }, "anywhere"],
])("%s (%s) reads where that is seen", async (_, method, headers, expected) => {
  const request = new Request("https://ringback.example/products", { method, headers });
  expect(await readingOf(request, bookmarks)).toEqual(expected);
});

test("an answer brings a bookmark when its request wrote, for browsers", async () => {
  const answered = async (since: string | undefined, { headers = {}, status = 200 } = {}) => {
    const request = new Request("https://ringback.example/", { method: "POST", headers });
    const answer = await withBookmark(new Response(null, { status }), request, since, bookmarks);
    return answer.headers.get("Set-Cookie");
  };
  expect(await answered(bookmark)).toMatch(
    /^__Host-bookmark=[^;]+; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(await answered(undefined)).toBeNull();
  expect(await answered(bookmark, { status: 401 })).toBeNull();
  expect(await answered(bookmark, { headers: { Authorization: "Bearer x" } })).toBeNull();
});
