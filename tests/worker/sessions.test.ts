import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { sessions, users } from "#app/db/schema.ts";
import { promoteToAdmin } from "#app/features/accounts/accounts.server.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { startLibsql } from "../harness/libsql.ts";
import { addAccount, password, sharedServer, startServer, visitor } from "../harness/server.ts";

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const isSignedIn = async (someone: ReturnType<typeof visitor>) =>
  (await someone.get("/manage")).status === 200;

describe("a session", () => {
  let server: LocalServer;
  beforeAll(async () => {
    server = await sharedServer();
  });

  async function signedIn() {
    const { id, email } = await addAccount(server.db);
    const someone = visitor(server);
    const login = new URLSearchParams({ email, password });
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded",
      "User-Agent":
        "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36",
    };
    const response = await someone.send("/login", { method: "POST", body: login.toString(), headers });
    const row = async () => {
      const [session] = await server.db.select().from(sessions).where(eq(sessions.userId, id));
      if (!session) throw new Error("There is no session.");
      return session;
    };
    const rewrite = (values: Partial<typeof sessions.$inferInsert>) =>
      server.db.update(sessions).set(values).where(eq(sessions.userId, id));
    return { id, someone, email, response, row, rewrite };
  }

  test("stores its start and device, and expires after 30 days", async () => {
    const { response, row, rewrite, someone } = await signedIn();
    const { createdAt, lastSeenAt, expiresAt, device } = await row();
    expect(device).toBe("Chrome on Android");
    expect(lastSeenAt).toEqual(createdAt);
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(30 * day);
    expect(response.headers.getSetCookie().join("\n")).toMatch(/^__Host-session=[^;]+; Max-Age=2592000;/m);
    await rewrite({ expiresAt: new Date(Date.now() - 1), lastSeenAt: new Date() });
    expect(await isSignedIn(someone)).toBe(false);
  });

  test("clears its cookie when it has ended", async () => {
    const { someone, rewrite, id } = await signedIn();
    const cookiesOf = async (cookie: string) => {
      const response = await visitor(server).send("/about", { headers: { Cookie: cookie } });
      expect(response.status).toBe(200);
      return response.headers.getSetCookie();
    };
    const held = `__Host-session=${someone.cookies.get("__Host-session")}`;
    expect(await cookiesOf(held)).toEqual([]);
    expect(await cookiesOf("__Host-device=x; theme=__Host-session")).toEqual([]);
    const forgotten = [
      expect.stringMatching(
        /^__Host-session=; Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ];
    for (const cookie of ["", "%", "x", "x".repeat(4000), held.slice("__Host-session=".length, -1)]) {
      expect([cookie, await cookiesOf(`a=b; __Host-session=${cookie}`)]).toEqual([cookie, forgotten]);
    }
    await server.db.update(users).set({ removalId: "some removal" }).where(eq(users.id, id));
    expect(await cookiesOf(held)).toEqual([]);
    await server.db.update(users).set({ removalId: null }).where(eq(users.id, id));
    await rewrite({ expiresAt: new Date(Date.now() - 1) });
    expect(await cookiesOf(held)).toEqual(forgotten);
    await someone.get("/login");
    expect(someone.cookies.has("__Host-session")).toBe(false);
  });

  test("expires after 7 days without use", async () => {
    const { rewrite, row, someone } = await signedIn();
    const ago = (ms: number) => new Date(Date.now() - ms);
    await rewrite({ createdAt: ago(20 * day), lastSeenAt: ago(7 * day - hour) });
    expect(await isSignedIn(someone)).toBe(true);
    expect((await row()).lastSeenAt.getTime()).toBeGreaterThan(Date.now() - hour);
    await rewrite({ lastSeenAt: ago(7 * day + hour) });
    expect(await isSignedIn(someone)).toBe(false);
  });

  test("ends when its account becomes administrator", async () => {
    const { someone, email } = await signedIn();
    expect(await isSignedIn(someone)).toBe(true);
    expect(await promoteToAdmin(server.db, email)).toBe(true);
    expect(await isSignedIn(someone)).toBe(false);
    await someone.logIn(email);
    expect((await someone.get("/manage/users")).status).toBe(200);
  });
});

test("a rotated secret keeps sessions, until it is removed from the list", async () => {
  const [older, newer] = [
    "an older secret of more than 32 characters",
    "a newer secret of more than 32 characters",
  ];
  const libsql = await startLibsql(inject("libsqlFolder"));
  const open = (secrets: string) =>
    startServer({ bindings: { LIBSQL_URL: libsql.url, SESSION_SECRET: secrets } });
  const servers: LocalServer[] = [];
  try {
    const before = await open(older);
    servers.push(before);
    const { email } = await addAccount(before.db);
    const early = visitor(before);
    await early.logIn(email);

    const between = await open(`${newer},${older}`);
    const after = await open(newer);
    servers.push(between, after);
    const at = (server: LocalServer, person: ReturnType<typeof visitor>) => {
      const same = visitor(server);
      for (const [name, value] of person.cookies) same.cookies.set(name, value);
      return same;
    };
    expect(await isSignedIn(at(between, early))).toBe(true);
    expect(await isSignedIn(at(after, early))).toBe(false);

    const late = visitor(between);
    await late.logIn(email);
    expect(await isSignedIn(late)).toBe(true);
    expect(await isSignedIn(at(after, late))).toBe(true);
    expect(await isSignedIn(at(before, late))).toBe(false);

    // A device known under the older secret stays known; the counters of others start again.
    for (const _ of [1, 2, 3, 4, 5])
      await visitor(between).post("/login", { email, password: "Wr0ngPassword" });
    expect((await visitor(between).post("/login", { email, password })).status).toBe(429);
    const known = at(between, early);
    await known.logIn(email);
    expect(await isSignedIn(at(after, known))).toBe(true);
    expect((await at(after, early).post("/login", { email, password })).status).toBe(429);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await libsql.stop();
  }
});
