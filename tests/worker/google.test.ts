import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sessions, usedOauthStates, users } from "#app/db/schema.ts";
import { cookieJar } from "#app/server/http/cookies.server.ts";
import { googleClient } from "../../scripts/demo/google-provider.ts";
import { waitForEmail } from "../harness/emails.ts";
import { removeUser } from "../harness/fixtures.ts";
import type { Host, Person } from "../harness/google.ts";
import { type ServerWithGoogle, startServerWithGoogle } from "../harness/google.ts";
import { tagsOf, textOf } from "../harness/html.ts";
import {
  addAccount,
  sessionSecret,
  sharedServer,
  startServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";

const cookieName = "__Host-sign-in";

let server: ServerWithGoogle;
beforeAll(async () => {
  server = await startServerWithGoogle();
});
afterAll(() => server?.stop());
beforeEach(() => {
  server.log.length = 0;
  server.google.failures.clear();
});

let known = 0;
/** A new Google account, which signs in next. */
function person(said: Partial<Person> = {}): Person & { email: string } {
  known += 1;
  const email = `google${known}@example.com`;
  const somebody = {
    sub: `10${known}`,
    email,
    email_verified: true,
    name: `Google Person ${known}`,
    ...said,
  };
  server.google.person = somebody;
  return somebody;
}

const rowOf = async (email: string) =>
  (await server.db.select().from(users).where(eq(users.email, email)))[0];

/** Signs in at Google, and returns the callback URL. */
async function goThrough(someone: Visitor, redirectTo?: string): Promise<string> {
  const query = redirectTo === undefined ? "" : `?${new URLSearchParams({ redirectTo })}`;
  const away = await someone.post(`/google${query}`);
  expect(away.status).toBe(303);
  const back = await server.google.open(away.headers.get("Location"));
  expect(back.origin).toBe(server.url);
  return back.pathname + back.search;
}

async function signIn(someone: Visitor, redirectTo?: string): Promise<Response> {
  return someone.get(await goThrough(someone, redirectTo));
}

async function expectEntered(someone: Visitor, response: Response, email: string, location = "/") {
  expect([response.status, response.headers.get("Location")]).toEqual([303, location]);
  expect(someone.cookies.has(cookieName)).toBe(false);
  expect(textOf(await (await someone.get("/")).text())).toContain(`${email} Log in Successful`);
  expect((await someone.get("/manage")).status).toBe(200);
  expect(server.log).toEqual([]);
}

/** Expects a redirect to the login page without a message, and one log line with the reason but no personal data. */
async function expectSilentFailure(someone: Visitor, response: Response, kind: string, location = "/login") {
  expect([response.status, response.headers.get("Location")]).toEqual([302, location]);
  // The bookmark is of the write that uses up the state.
  expect([...someone.cookies.keys()].filter((name) => name !== "__Host-bookmark")).toEqual([]);
  const shown = textOf(await (await someone.get(location)).text());
  expect(shown).toContain("Continue with Google");
  expect(shown).toBe(textOf(await (await visitor(server).get(location)).text()));
  expect((await someone.get("/manage")).status).toBe(302);

  await expect.poll(() => server.log.length).toBe(1);
  const line = JSON.parse(server.log[0] ?? "");
  expect(line).toEqual({
    level: "warning",
    reference: expect.stringMatching(/^[0-9a-f-]{36}$/),
    event: "sign-in with Google failed",
    reason: kind,
  });
}

describe("a user who signs in with Google", () => {
  test("for the first time becomes a buyer without a password, and sees the specified message", async () => {
    const { email, sub, name } = person();
    const someone = visitor(server);
    await expectEntered(someone, await signIn(someone), email);
    expect(await rowOf(email)).toMatchObject({
      name,
      userType: "Buyer",
      passwordHash: null,
      googleSubject: sub,
      removalId: null,
    });
  });

  test("again gets the same account, from any browser, even after the address has changed", async () => {
    const first = person();
    await signIn(visitor(server));
    const account = await rowOf(first.email);
    const moved = person({ sub: first.sub });
    const someone = visitor(server);
    await expectEntered(someone, await signIn(someone), first.email);
    expect(await server.db.$count(sessions, eq(sessions.userId, account?.id ?? ""))).toBe(2);
    expect(await rowOf(moved.email)).toBeUndefined();
  });

  test.each(["Buyer", "Seller", "Admin"] as const)(
    "and has an account of a %s with the same address gets that, with its role and password",
    async (userType) => {
      const { email, sub } = person({ email: `Linked-${userType}@Example.com` });
      const emailVerifiedAt = new Date(1_700_000_000_000);
      const account = await addAccount(server.db, { email: email.toLowerCase(), emailVerifiedAt, userType });
      const someone = visitor(server);
      await expectEntered(someone, await signIn(someone), account.email);
      const lastSeenDay = Math.floor(Date.now() / 86_400_000);
      expect(await rowOf(account.email)).toEqual({ ...account, googleSubject: sub, lastSeenDay });
      await visitor(server).logIn(account.email);
      expect((await waitForEmail(server, account.email)).subject).toContain("Google");
    },
  );

  test("with an address that is linked to another Google account is refused", async () => {
    const first = person();
    await signIn(visitor(server));
    person({ email: first.email });
    const someone = visitor(server);
    await expectSilentFailure(someone, await signIn(someone), "address of another");
    expect((await rowOf(first.email))?.googleSubject).toBe(first.sub);
  });

  test("and has no name gets one from the address", async () => {
    const { email } = person({ name: undefined });
    await signIn(visitor(server));
    expect((await rowOf(email))?.name).toBe(email.split("@")[0]);
  });

  test("in several browsers at once gets one account", async () => {
    const { email } = person();
    const browsers = [1, 2, 3, 4].map(() => visitor(server));
    const ways = await Promise.all(browsers.map((someone) => goThrough(someone)));
    const responses = await Promise.all(browsers.map((someone, index) => someone.get(ways[index] ?? "")));
    expect(responses.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    expect(await server.db.$count(users, eq(users.email, email))).toBe(1);
    for (const someone of browsers) expect((await someone.get("/manage")).status).toBe(200);
  });

  test("ends the browser's previous session", async () => {
    const before = await addAccount(server.db);
    const someone = visitor(server);
    await someone.logIn(before.email);
    person();
    await signIn(someone);
    expect(await server.db.$count(sessions, eq(sessions.userId, before.id))).toBe(0);
  });
});

describe("no session and no message for", () => {
  test.each([false, undefined])(
    "a user whose address Google has not verified (%s), with and without an account",
    async (email_verified) => {
      const kind = email_verified === false ? "address not verified" : "invalid profile";
      const { email } = person({ email_verified });
      const nobody = visitor(server);
      await expectSilentFailure(nobody, await signIn(nobody), kind);
      expect(await rowOf(email)).toBeUndefined();

      server.log.length = 0;
      const account = await addAccount(server.db, { email });
      const thief = visitor(server);
      await expectSilentFailure(thief, await signIn(thief), kind);
      expect(await rowOf(email)).toEqual(account);
    },
  );

  test("a user whose account was removed", async () => {
    const admin = await addAccount(server.db, { userType: "Admin" });
    const { email } = person();
    const someone = visitor(server);
    await signIn(someone);
    const account = await rowOf(email);
    await removeUser(server.db, { ...admin }, account?.id ?? "");
    someone.cookies.clear();
    await expectSilentFailure(someone, await signIn(someone), "account removed");

    server.log.length = 0;
    const withPassword = await addAccount(server.db);
    await removeUser(server.db, { ...admin }, withPassword.id);
    person({ email: withPassword.email });
    const other = visitor(server);
    await expectSilentFailure(other, await signIn(other), "account removed");
    expect(await server.db.$count(users, eq(users.email, withPassword.email))).toBe(1);
  });

  test("a user who denies access, and the requested path is kept for the login", async () => {
    server.google.person = null;
    const someone = visitor(server);
    const response = await signIn(someone, "/addphone");
    await expectSilentFailure(someone, response, "denied", "/login?redirectTo=%2Faddphone");
  });

  test.each([
    ["a forged state", (query: URLSearchParams) => query.set("state", "guessed"), "wrong state"],
    ["no state", (query: URLSearchParams) => query.delete("state"), "wrong state"],
    ["no code", (query: URLSearchParams) => query.delete("code"), "no code"],
    ["a forged code", (query: URLSearchParams) => query.set("code", "guessed"), "no token"],
  ])("a callback with %s", async (_, change, kind) => {
    const { email } = person();
    const someone = visitor(server);
    const way = new URL(await goThrough(someone, "/manage"), server.url);
    change(way.searchParams);
    const response = await someone.get(way.pathname + way.search);
    await expectSilentFailure(someone, response, kind, "/login?redirectTo=%2Fmanage");
    expect(await rowOf(email)).toBeUndefined();
    // A failed callback cannot be repeated, because the cookie is cleared.
    server.log.length = 0;
    const again = await someone.get(way.pathname + way.search);
    await expectSilentFailure(someone, again, "no sign-in in progress");
  });

  test("a browser that opens another user's callback URL", async () => {
    person();
    const attacker = visitor(server);
    const way = await goThrough(attacker);
    const victim = visitor(server);
    await expectSilentFailure(victim, await victim.get(way), "no sign-in in progress");

    // Nor when the victim has started a sign-in.
    server.log.length = 0;
    await victim.post("/google");
    await expectSilentFailure(victim, await victim.get(way), "wrong state");
    expect((await attacker.get(way)).status).toBe(303);
  });

  test("a stolen code, which is valid only in the browser that requested it", async () => {
    person();
    const victim = visitor(server);
    const stolen = new URL(await goThrough(victim), server.url).searchParams.get("code") ?? "";
    const thief = visitor(server);
    const way = new URL(await goThrough(thief), server.url);
    way.searchParams.set("code", stolen);
    await expectSilentFailure(thief, await thief.get(way.pathname + way.search), "no token");
  });

  test("a second request of the callback URL, even with the cookie kept", async () => {
    const { email } = person();
    const someone = visitor(server);
    const way = await goThrough(someone);
    const kept = someone.cookies.get(cookieName) ?? "";
    await expectEntered(someone, await someone.get(way), email);

    const again = visitor(server);
    await expectSilentFailure(again, await again.get(way), "no sign-in in progress");
    server.log.length = 0;
    again.cookies.set(cookieName, kept);
    await expectSilentFailure(again, await again.get(way), "state already used");
    // A new code does not make a used state valid.
    server.log.length = 0;
    const other = new URL(await goThrough(visitor(server)), server.url).searchParams.get("code") ?? "";
    const mixed = new URL(way, server.url);
    mixed.searchParams.set("code", other);
    again.cookies.set(cookieName, kept);
    await expectSilentFailure(again, await again.get(mixed.pathname + mixed.search), "state already used");
  });

  test("a code that is reused in another sign-in", async () => {
    person();
    const someone = visitor(server);
    const used = new URL(await goThrough(someone), server.url);
    await someone.get(used.pathname + used.search);
    const again = visitor(server);
    const way = new URL(await goThrough(again), server.url);
    way.searchParams.set("code", used.searchParams.get("code") ?? "");
    await expectSilentFailure(again, await again.get(way.pathname + way.search), "no token");
  });

  test("a callback after the state has expired, even with the cookie kept", async () => {
    person();
    const someone = visitor(server);
    const way = await goThrough(someone);
    const { signIn: jar } = cookieJar([sessionSecret]);
    const attempt = await jar.getSession(`${cookieName}=${someone.cookies.get(cookieName)}`);
    attempt.set("startedAt", Date.now() - 10 * 60_000 - 1);
    const [, late = ""] = (await jar.commitSession(attempt)).split(/[=;]/);
    someone.cookies.set(cookieName, late);
    await expectSilentFailure(someone, await someone.get(way), "expired");
  });

  test("a cookie signed with another secret", async () => {
    person();
    const someone = visitor(server);
    const way = new URL(await goThrough(someone), server.url);
    const { signIn: jar } = cookieJar(["another secret, of more than 32 characters"]);
    const attempt = await jar.getSession();
    attempt.set("oauth2:state", way.searchParams.get("state") ?? "");
    attempt.set("codeVerifier", "x".repeat(43));
    attempt.set("startedAt", Date.now());
    const [, forged = ""] = (await jar.commitSession(attempt)).split(/[=;]/);
    someone.cookies.set(cookieName, forged);
    await expectSilentFailure(
      someone,
      await someone.get(way.pathname + way.search),
      "no sign-in in progress",
    );
  });

  const token: Host = "oauth2.googleapis.com";
  const profile: Host = "www.googleapis.com";
  const html = { status: 200, body: "<!doctype html><title>Sorry</title>" };
  type Trouble = "gone" | "silent" | { status: number; body: string };
  const expectNoSignIn = async (host: Host, trouble: Trouble, kind: string) => {
    person();
    const before = await server.db.$count(users);
    const someone = visitor(server);
    const way = await goThrough(someone, "/manage");
    server.google.failures.set(host, trouble);
    const response = await someone.get(way);
    await expectSilentFailure(someone, response, kind, "/login?redirectTo=%2Fmanage");
    expect(await server.db.$count(users)).toBe(before);
  };
  test("a user when Google never responds", { tags: ["slow"] }, () =>
    expectNoSignIn(token, "silent", "provider timeout"),
  );
  test.each<[string, Host, Trouble, string]>([
    ["closes the connection for a code", token, "gone", "provider failed"],
    ["closes the connection for a token", profile, "gone", "provider failed"],
    [
      "responds with an error",
      token,
      { status: 503, body: "someone@example.com is out of order" },
      "no token",
    ],
    ["responds to a code with HTML", token, html, "provider failed"],
    ["responds to a token with HTML", profile, html, "provider failed"],
    ["responds to a code with an empty body", token, { status: 200, body: "" }, "provider failed"],
    ["responds to a code with null", token, { status: 200, body: "null" }, "provider failed"],
    ["responds to a code without a token", token, { status: 200, body: "{}" }, "invalid profile"],
    ["rejects the token", profile, { status: 401, body: `{"error":"invalid_token"}` }, "invalid profile"],
    ["responds with an array", profile, { status: 200, body: "[]" }, "invalid profile"],
    [
      "sends no email address",
      profile,
      { status: 200, body: `{"sub":"1","email_verified":true}` },
      "invalid profile",
    ],
    [
      "sends an invalid email address",
      profile,
      { status: 200, body: `{"sub":"1","email":"<b>","email_verified":true}` },
      "invalid profile",
    ],
    [
      "sends email_verified as text",
      profile,
      { status: 200, body: `{"sub":"1","email":"word@example.com","email_verified":"false"}` },
      "invalid profile",
    ],
  ])("a user when Google %s", (_, ...failure) => expectNoSignIn(...failure));
});

test("the form-action policy allows Google, and the rest of the policy is unchanged", async () => {
  const plain = await sharedServer();
  for (const path of ["/", "/login", "/products", "/nobody-is-here"]) {
    const policies = await Promise.all(
      [plain, server].map(async (served) => {
        const policy = (await visitor(served).get(path)).headers.get("Content-Security-Policy") ?? "";
        return policy.replace(/'nonce-[^']+'/, "NONCE").split("; ");
      }),
    );
    const [without = [], withGoogle = []] = policies;
    expect(without).toContain("form-action 'self'");
    expect(withGoogle).toEqual(
      without.map((rule) => (rule === "form-action 'self'" ? `${rule} https://accounts.google.com` : rule)),
    );
  }
});

describe("the redirect to Google", () => {
  test("requests the minimal scopes, with a state and a PKCE challenge", async () => {
    const someone = visitor(server);
    const away = new URL((await someone.post("/google?redirectTo=/manage")).headers.get("Location") ?? "");
    expect(away.origin + away.pathname).toBe("https://accounts.google.com/o/oauth2/v2/auth");
    expect(Object.fromEntries(away.searchParams)).toEqual({
      client_id: googleClient.client_id,
      redirect_uri: `${server.url}/google/callback`,
      response_type: "code",
      scope: "openid email profile",
      state: expect.stringMatching(/^[0-9a-f-]{36}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
      access_type: "online",
      include_granted_scopes: "false",
    });
    const again = new URL((await someone.post("/google")).headers.get("Location") ?? "");
    for (const name of ["state", "code_challenge"]) {
      expect(again.searchParams.get(name)).not.toBe(away.searchParams.get(name));
    }
  });

  test("sets an HttpOnly cookie that expires after ten minutes", async () => {
    const response = await visitor(server).post("/google");
    const [line = "", ...others] = response.headers.getSetCookie();
    expect(others).toEqual([]);
    const [pair, ...attributes] = line.split("; ");
    expect(pair).toMatch(/^__Host-sign-in=/);
    expect(attributes.toSorted()).toEqual(["HttpOnly", "Max-Age=600", "Path=/", "SameSite=Lax", "Secure"]);
  });

  test("requires a same-origin POST: a GET redirects to login, a cross-site POST is refused", async () => {
    const someone = visitor(server);
    const seen = await someone.get("/google?redirectTo=/manage");
    expect([seen.status, seen.headers.get("Location")]).toEqual([302, "/login?redirectTo=%2Fmanage"]);
    const foreign = await someone.send("/google", {
      method: "POST",
      headers: { Origin: "https://elsewhere.example" },
    });
    expect(foreign.status).toBe(403);
    expect(someone.cookies.size).toBe(0);
  });

  test.each([
    ["/manage", "/manage"],
    ["/products/1/book?after=2#x", "/products/1/book?after=2#x"],
    ["//other.example", "/"],
    ["/\\other.example", "/"],
    ["https://other.example/", "/"],
    ["javascript:alert(1)", "/"],
  ])("with redirectTo %s ends at %s", async (redirectTo, location) => {
    const { email } = person();
    const someone = visitor(server);
    await expectEntered(someone, await signIn(someone, redirectTo), email, location);
  });

  test("drops a requested path that is too long for a cookie", async () => {
    const { email } = person();
    const someone = visitor(server);
    await expectEntered(someone, await signIn(someone, `/${"x".repeat(10_000)}`), email, "/");
  });

  test("leaves no expired states in the database", async () => {
    await server.db.insert(usedOauthStates).values({ state: "old", usedAt: new Date(Date.now() - 601_000) });
    person();
    await signIn(visitor(server));
    expect(await server.db.$count(usedOauthStates, eq(usedOauthStates.state, "old"))).toBe(0);
  });
});

test("without credentials a local server shows the button disabled, and says why", async () => {
  const local = await startServer({ bindings: { ENVIRONMENT: "local" } });
  try {
    const html = await (await visitor(local).get("/login")).text();
    const button = tagsOf(html).find(
      ({ attributes }) => attributes.get("aria-describedby") === "google-note",
    );
    expect([button?.name, button?.attributes.has("disabled")]).toEqual(["button", true]);
    expect(textOf(html)).toContain("Continue with Google Google login isn’t set up");
  } finally {
    await local.stop();
  }
});

test("without credentials there is no button in production, and its URLs redirect to login", async () => {
  const plain = await sharedServer();
  const someone = visitor(plain);
  const login = await someone.get("/login?redirectTo=/manage");
  expect(login.headers.get("Content-Security-Policy")).toContain("form-action 'self';");
  const html = await login.text();
  expect(html).not.toMatch(/Google(?! Pixel)/);
  expect(tagsOf(html).filter(({ attributes }) => /google$/.test(attributes.get("action") ?? ""))).toEqual([]);
  const posted = await someone.post("/google?redirectTo=/manage");
  expect([posted.status, posted.headers.get("Location")]).toEqual([303, "/login?redirectTo=%2Fmanage"]);
  const back = await someone.get("/google/callback?code=1&state=2");
  expect([back.status, back.headers.get("Location")]).toEqual([302, "/login"]);
  expect(someone.cookies.size).toBe(0);
});
