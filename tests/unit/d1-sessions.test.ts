import { expect, test } from "vitest";
import { openDatabase, type Reads } from "#app/db/client.server.ts";
import { cookieJar } from "#app/server/http/cookies.server.ts";
import { mayHaveWritten, readPreference } from "#app/server/http/request-context.server.ts";

const bookmark = "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683";
const bookmarks = cookieJar(["a secret for tests of more than 32 characters"]).bookmark;

/** The constraint of the D1 session that a database uses, and its bookmark. */
async function openRecorded(reads: Reads) {
  const constraints: string[] = [];
  const withSession = (constraint: string) => {
    constraints.push(constraint);
    return { getBookmark: () => bookmark };
  };
  const { bookmark: bookmarkOf } = await openDatabase(
    { DB: { withSession } as unknown as D1Database },
    reads,
  );
  return [...constraints, bookmarkOf()];
}

test.each<[Reads, string]>([
  ["anywhere", "first-unconstrained"],
  ["primary", "first-primary"],
  [{ since: bookmark }, bookmark],
  // A bookmark of libSQL, from before this deployment used D1.
  [{ since: "primary" }, "first-primary"],
])("reads with %j use a D1 session that starts at %s", async (reads, constraint) => {
  expect(await openRecorded(reads)).toEqual([constraint, bookmark]);
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

test.each([
  ["POST", 303, true],
  ["DELETE", 500, true],
  ["POST", 401, false],
  ["GET", 200, false],
])("%s with status %i: may it have written? %s", (method, status, expected) => {
  const request = new Request("https://ringback.example/", { method });
  expect(mayHaveWritten(request, new Response(null, { status }))).toBe(expected);
});
