import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { loginAttempts, sessions, users } from "#app/db/schema.ts";
import { fieldValue, tagsOf, textOf } from "../harness/html.ts";
import {
  addAccount,
  addPhone,
  password,
  sharedServer,
  type TestServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const cookieName = "__Host-session";
const isSignedIn = async (someone: ReturnType<typeof visitor>) =>
  (await someone.get("/manage")).status === 200;

async function account(email: string) {
  const [row] = await server.db.select().from(users).where(eq(users.email, email));
  return row;
}

function cookieContent(value = ""): unknown {
  const [content = ""] = decodeURIComponent(value).split(".");
  return JSON.parse(Buffer.from(content, "base64").toString());
}

describe("signing up", () => {
  test.each([
    ["/signup", "Buyer"],
    ["/sellersignup", "Seller"],
  ])("at %s creates a %s, whatever role is posted, and signs in", async (path, userType) => {
    const someone = visitor(server);
    const email = `new-${userType}@example.com`;
    const fields = { name: " Mia Sund ", email, password: "secret1", userType: "Admin" };
    const response = await someone.post(path, fields);
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
    expect(await account(email)).toMatchObject({ name: "Mia Sund", userType, verified: false });
    expect((await account(email))?.passwordHash).not.toContain("secret1");

    const home = textOf(await (await someone.get("/")).text());
    expect(home).toContain(`${email} account created`);
    expect(home).toContain("Log Out");
    expect(textOf(await (await someone.get("/")).text())).not.toContain("account created");

    await visitor(server).logIn(email, "secret1");
  });

  test.each(["/signup", "/sellersignup"])("at %s keeps the input except for the password", async (path) => {
    const fields = { name: `"><b>'&`, email: "not an address", password: "Sup3rSecretWord" };
    for (const wrong of [fields, { ...fields, password: "NEVERSHOWN" }, { ...fields, password: "n3v" }]) {
      const response = await visitor(server).post(path, wrong);
      expect(response.status).toBe(400);
      const html = await response.text();
      expect(fieldValue(html, "name")).toBe(fields.name);
      expect(fieldValue(html, "email")).toBe(fields.email);
      expect(fieldValue(html, "password")).toBe("");
      expect(html).not.toContain(wrong.password);
      expect(html).not.toContain("<b>");
    }
  });

  test("shows each error at its field", async () => {
    const html = await (await visitor(server).post("/signup", {})).text();
    const text = textOf(html);
    for (const message of ["Name required", "Email Address required", "Password is required"]) {
      expect(text).toContain(message);
    }
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(3);
  });

  test("with an email address in use, in any letter case, creates nothing", async () => {
    const { email } = await addAccount(server.db, { email: "Taken@Example.com" });
    const before = await server.db.$count(users);
    const someone = visitor(server);
    const fields = { name: "Another", email: "tAKEN@example.COM", password: "0therSecret" };
    const response = await someone.post("/signup", fields);
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(textOf(html).split("This email address is already in use.")).toHaveLength(2);
    expect(html).toMatch(/<input(?=[^>]*name="email")(?=[^>]*aria-invalid="true")/);
    expect(textOf(html)).toContain("Is it yours? Log in with it or reset your password");
    expect(fieldValue(html, "name")).toBe("Another");
    expect(html).not.toContain(fields.password);
    expect(await server.db.$count(users)).toBe(before);
    expect(await isSignedIn(someone)).toBe(false);
    expect((await account(email))?.name).not.toBe("Another");
  });

  test("twice at once with one address creates one account", async () => {
    const fields = { name: "Double", email: "double@example.com", password: "secret1" };
    const responses = await Promise.all([1, 2, 3].map(() => visitor(server).post("/signup", fields)));
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
  });
});

describe("logging in", () => {
  test("redirects home, and shows the specified message once", async () => {
    const { email } = await addAccount(server.db);
    const someone = visitor(server);
    expect((await someone.logIn(email.toUpperCase())).headers.get("Location")).toBe("/");
    expect(textOf(await (await someone.get("/")).text())).toContain(`${email} account created`);
    expect(textOf(await (await someone.get("/")).text())).not.toContain("account created");
  });

  test("is logged, as failures and denied pages are, without the person", async () => {
    const { email, id } = await addAccount(server.db);
    const someone = visitor(server);
    const before = server.log().length;
    await someone.post("/login", { email, password: "wr0ng-one" });
    await someone.logIn(email);
    expect((await someone.get("/manage/users")).status).toBe(302);
    const events = () =>
      server
        .log()
        .slice(before)
        .split("\n")
        .filter((line) => line && !line.includes('"event":"request"'))
        .map((line) => JSON.parse(line));
    const reference = expect.stringMatching(/^[0-9a-f-]{36}$/);
    await expect.poll(events).toEqual([
      {
        level: "warning",
        event: "login with a password failed",
        reason: "wrong address or password",
        reference,
      },
      { level: "info", event: "login", detail: "password", reference },
      { level: "warning", event: "access denied", reason: "may not manage users", reference },
    ]);
    for (const secret of [email, id, "wr0ng-one"]) expect(server.log()).not.toContain(secret);
  });

  test("sets a __Host- cookie that is HttpOnly and holds a session id", async () => {
    const { email, id } = await addAccount(server.db);
    const someone = visitor(server);
    const response = await someone.logIn(email);
    for (const name of [cookieName, "__Host-flash"]) {
      const [line = ""] = response.headers.getSetCookie().filter((set) => set.startsWith(`${name}=`));
      const attributes = line.split("; ").slice(1);
      expect(attributes).toEqual(expect.arrayContaining(["HttpOnly", "Secure", "SameSite=Lax", "Path=/"]));
      expect(attributes.join()).not.toContain("Domain");
    }
    const [session, ...others] = await server.db.select().from(sessions).where(eq(sessions.userId, id));
    expect(others).toEqual([]);
    expect(cookieContent(someone.cookies.get(cookieName))).toEqual({ sessionId: session?.id });
    expect(session?.expiresAt.getTime()).toBeGreaterThan(Date.now());
  });

  test("opens a new session each time, and ends the browser's previous one", async () => {
    const { email, id } = await addAccount(server.db);
    const someone = visitor(server);
    await someone.logIn(email);
    const first = someone.cookies.get(cookieName) ?? "";
    await someone.logIn(email);
    expect(someone.cookies.get(cookieName)).not.toBe(first);
    expect(await isSignedIn(someone)).toBe(true);
    expect(await server.db.$count(sessions, eq(sessions.userId, id))).toBe(1);
    someone.cookies.set(cookieName, first);
    expect(await isSignedIn(someone)).toBe(false);
  });

  test("refused because the account has just changed, keeps the previous session and the count of attempts", async () => {
    const { email, id } = await addAccount(server.db);
    const someone = visitor(server);
    await someone.logIn(email);
    const before = await server.db.$count(loginAttempts);
    await server.db.run(
      "create trigger account_changes before insert on sessions begin select raise(abort, 'expectation 0 failed'); end",
    );
    try {
      const refused = await someone.post("/login", { email, password });
      expect([refused.status, refused.headers.get("Location")]).toEqual([303, "/login"]);
      expect(await server.db.$count(loginAttempts)).toBe(before + 1);
    } finally {
      await server.db.run("drop trigger account_changes");
    }
    expect(await isSignedIn(someone)).toBe(true);
    expect(await server.db.$count(sessions, eq(sessions.userId, id))).toBe(1);
    await someone.logIn(email);
    expect(await server.db.$count(loginAttempts)).toBe(before);
  });

  test("does not continue a session that another user planted in the browser", async () => {
    const [victim, attacker] = [await addAccount(server.db), await addAccount(server.db)];
    const trap = visitor(server);
    await trap.logIn(attacker.email);
    const planted = trap.cookies.get(cookieName) ?? "";
    const someone = visitor(server);
    someone.cookies.set(cookieName, planted);
    await someone.logIn(victim.email);
    expect(someone.cookies.get(cookieName)).not.toBe(planted);
    expect(await isSignedIn(trap)).toBe(false);
  });

  test("responds identically to a wrong password and to an unknown address", async () => {
    const { email } = await addAccount(server.db);
    const without = await addAccount(server.db, { passwordHash: null });
    const seen = [];
    for (const address of [email, "unknown@example.com", without.email]) {
      const someone = visitor(server);
      const response = await someone.post("/login", { email: address, password: "Wr0ngPassword" });
      const html = await response.text();
      expect(html).not.toContain("Wr0ngPassword");
      expect(fieldValue(html, "email")).toBe(address);
      const nonce = response.headers.get("Content-Security-Policy")?.match(/'nonce-([^']+)'/)?.[1] ?? "";
      seen.push({
        status: response.status,
        headers: [...response.headers.keys()],
        html: html.replaceAll(nonce, "NONCE").replaceAll(address, "ADDRESS"),
      });
      expect(someone.cookies.size).toBe(0);
    }
    expect(seen[0]?.status).toBe(400);
    expect(textOf(seen[0]?.html ?? "")).toContain("Wrong email address or password.");
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
  });

  test("names a removed account only to a user with its password", async () => {
    const { email } = await addAccount(server.db, { removalId: "some removal" });
    const right = await visitor(server).post("/login", { email, password });
    expect(right.status).toBe(400);
    const html = await right.text();
    expect(textOf(html).split("This account has been disabled.")).toHaveLength(2);
    expect(fieldValue(html, "email")).toBe(email);
    expect(right.headers.getSetCookie()).toEqual([]);
    const guess = await visitor(server).post("/login", { email, password: "Wr0ngPassword" });
    expect(textOf(await guess.text())).toContain("Wrong email address or password.");

    // After a new sign-up with the address, the login opens the new account.
    const fields = { name: "Mia Sund", email, password: "an0ther" };
    expect((await visitor(server).post("/signup", fields)).status).toBe(303);
    const old = await visitor(server).post("/login", { email, password });
    expect(textOf(await old.text())).toContain("Wrong email address or password.");
    await visitor(server).logIn(email, "an0ther");
  });

  test("leads those on who are logged in, and keeps what a refused form had", async () => {
    const { email } = await addAccount(server.db);
    const person = visitor(server);
    await person.logIn(email);
    for (const path of ["/login", "/signup", "/sellersignup"]) {
      const html = await (await person.get(`${path}?redirectTo=/report`)).text();
      expect([path, textOf(html)]).toEqual([path, expect.stringContaining("You’re logged in")]);
      expect([path, html]).toEqual([path, expect.stringContaining("<title>You’re logged in · ")]);
      const links = tagsOf(html).map(({ attributes }) => attributes.get("href"));
      expect([path, links]).toEqual([path, expect.arrayContaining(["/report"])]);
      expect([path, fieldValue(html, "password")]).toEqual([path, undefined]);
      const refused = await (
        await person.post(path, { name: "Mia", email: "mia", password: "short" })
      ).text();
      expect([path, fieldValue(refused, "email")]).toEqual([path, "mia"]);
    }
    const again = await (await person.get("/login?again=yes")).text();
    expect(fieldValue(again, "password")).toBe("");
    expect(again).toContain("<title>Log in · ");
    const wrongAccount = await (await person.get("/login?redirectTo=/manage/users")).text();
    const [, heading] = /<h1[^>]*>([^<]*)</.exec(wrongAccount) ?? [];
    expect(heading).toContain("dministrator");
    expect(wrongAccount).toContain(`<title>${heading} · `);
  });

  test("shows an error in the form, and announces it once", async () => {
    const { email } = await addAccount(server.db);
    const posts: [string, Record<string, string>, string][] = [
      ["/login", { email, password: "Wr0ngPassword" }, "Wrong email address or password."],
      ["/signup", { name: "Mia", email, password }, "This email address is already in use."],
      ["/sellersignup", { name: "Mia", email, password }, "This email address is already in use."],
      ["/login", { email: "nowhere", password }, "Enter an email address like name@example.com"],
      [
        "/signup",
        { name: "Mia", email: "nowhere", password },
        "Enter an email address like name@example.com",
      ],
    ];
    for (const [path, fields, message] of posts) {
      const html = await (await visitor(server).post(path, fields)).text();
      const announced = [...html.matchAll(/role="alert".*?<\/div>/gs)].map(([alert]) => textOf(alert));
      expect(announced).toEqual([expect.stringContaining(message)]);
    }
  });

  test("requires all fields", async () => {
    const html = await (await visitor(server).post("/login", {})).text();
    expect(textOf(html)).toContain("Email Address required");
    expect(textOf(html)).toContain("Password is required");
  });

  test.each([
    ["/manage", "/manage"],
    ["/products/1/book?after=2#x", "/products/1/book?after=2#x"],
    ["//other.example", "/"],
    ["/\\other.example", "/"],
    ["/\t/other.example", "/"],
    ["/.//other.example", "/"],
    ["https://other.example", "/"],
    ["https:other.example", "/"],
    ["javascript:alert(1)", "/"],
    ["", "/"],
  ])("with redirectTo %j redirects to %s", async (redirectTo, location) => {
    const { email } = await addAccount(server.db);
    const path = `/login?${new URLSearchParams({ redirectTo })}`;
    const response = await visitor(server).post(path, { email, password });
    expect([response.status, response.headers.get("Location")]).toEqual([303, location]);
  });

  test("says what the visitor was about to do", async () => {
    const { id } = await addPhone(server.db, { brandName: "Nokia", model: "3310" });
    for (const [path, reason] of [
      [`/ios/${id}/book?sort=price-up`, "Log in to book the Nokia 3310."],
      [`/phones/${id}/offer`, "Log in to make an offer for the Nokia 3310."],
      [`/manage/messages/new?phone=${id}`, "Log in to message the seller of the Nokia 3310."],
      ["/addphone", "Log in to sell your device."],
      ["/manage/searches/new?q=nokia&list=products", "Log in to save this search."],
      [`/report/listing/${id}`, "Log in to report the Nokia 3310."],
      [`/report/seller/${id}`, "Log in to report this seller."],
      [`/report/review/${id}`, "Log in to report this review."],
    ] as const) {
      const someone = visitor(server);
      const login = (await someone.get(path)).headers.get("Location") ?? "";
      expect(textOf(await (await someone.get(login)).text()), path).toContain(reason);
    }
    const saver = visitor(server);
    const toLogin = await saver.post("/manage/saved/state", { save: id, redirectTo: `/phones/${id}` });
    const login = await saver.get(toLogin.headers.get("Location") ?? "");
    expect(textOf(await login.text())).toContain("Log in to save the Nokia 3310.");
    // From elsewhere, the same visitor and others read no reason.
    for (const someone of [saver, visitor(server)])
      expect(textOf(await (await someone.get("/login?redirectTo=/blogs")).text())).not.toContain(
        "Log in to ",
      );
  });

  test("keeps the requested path, also through sign-up", async () => {
    const someone = visitor(server);
    const guarded = await someone.get("/addphone?x=1");
    const login = guarded.headers.get("Location") ?? "";
    expect(login).toBe("/login?redirectTo=%2Faddphone%3Fx%3D1");
    const html = await (await someone.get(login)).text();
    expect(html).toContain(`href="/signup?redirectTo=%2Faddphone%3Fx%3D1"`);
    expect(html).toContain(`href="/sellersignup?redirectTo=%2Faddphone%3Fx%3D1"`);
    const fields = { name: "Mia Sund", email: "carried@example.com", password };
    const response = await someone.post("/signup?redirectTo=%2Faddphone%3Fx%3D1", fields);
    expect(response.headers.get("Location")).toBe("/addphone?x=1");
  });
});

describe("logging out", () => {
  test("ends the session, not only the cookie", async () => {
    const { email, id } = await addAccount(server.db);
    const someone = visitor(server);
    await someone.logIn(email);
    const kept = someone.cookies.get(cookieName) ?? "";
    const response = await someone.post("/logout");
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
    expect(someone.cookies.has(cookieName)).toBe(false);
    expect(await server.db.$count(sessions, eq(sessions.userId, id))).toBe(0);
    someone.cookies.set(cookieName, kept);
    expect(await isSignedIn(someone)).toBe(false);
  });

  test("takes along the message that nobody has read yet", async () => {
    const someone = visitor(server);
    const { email } = await addAccount(server.db);
    await someone.logIn(email);
    await someone.post("/logout");
    expect(await (await someone.get("/")).text()).not.toContain(email);
  });

  test("keeps other browsers signed in, and works without a session", async () => {
    const { email } = await addAccount(server.db);
    const [here, there] = [visitor(server), visitor(server)];
    await here.logIn(email);
    await there.logIn(email);
    await here.post("/logout");
    expect(await isSignedIn(there)).toBe(true);
    expect((await visitor(server).post("/logout")).status).toBe(303);
  });

  test("requires POST: a GET ends nothing", async () => {
    const someone = visitor(server);
    await someone.logIn((await addAccount(server.db)).email);
    expect((await someone.get("/logout")).headers.get("Location")).toBe("/");
    expect(await isSignedIn(someone)).toBe(true);
  });
});

describe("a session", () => {
  test("cannot be forged by a cookie with another signature", async () => {
    const { email, id } = await addAccount(server.db);
    const owner = visitor(server);
    await owner.logIn(email);
    const cookie = decodeURIComponent(owner.cookies.get(cookieName) ?? "");
    const [content = "", signature = ""] = cookie.split(".");
    const [session] = await server.db.select().from(sessions).where(eq(sessions.userId, id));
    const flipped = (text: string) => (text.startsWith("A") ? "B" : "A") + text.slice(1);
    const forgeries = [
      content,
      `${content}.`,
      `${content}.${flipped(signature)}`,
      `${flipped(content)}.${signature}`,
      `${Buffer.from(JSON.stringify({ sessionId: session?.id })).toString("base64")}.${"A".repeat(43)}`,
      session?.id ?? "",
      "%",
      "",
      "x".repeat(4_000),
    ];
    for (const forgery of forgeries) {
      const forger = visitor(server);
      forger.cookies.set(cookieName, encodeURIComponent(forgery));
      expect([forgery, await isSignedIn(forger)]).toEqual([forgery, false]);
      const raw = await visitor(server).send("/manage", { headers: { Cookie: `${cookieName}=${forgery}` } });
      expect([forgery, raw.status]).toEqual([forgery, 302]);
    }
    owner.cookies.set(cookieName, encodeURIComponent(cookie));
    expect(await isSignedIn(owner)).toBe(true);
  });

  test("ends when it expires, and when its account is removed", async () => {
    const [first, second] = [await addAccount(server.db), await addAccount(server.db)];
    const [late, removed] = [visitor(server), visitor(server)];
    await late.logIn(first.email);
    await removed.logIn(second.email);
    expect([await isSignedIn(late), await isSignedIn(removed)]).toEqual([true, true]);
    await server.db.update(sessions).set({ expiresAt: new Date() }).where(eq(sessions.userId, first.id));
    await server.db.update(users).set({ removalId: "some removal" }).where(eq(users.id, second.id));
    expect([await isSignedIn(late), await isSignedIn(removed)]).toEqual([false, false]);
    const response = await removed.post("/login", { email: second.email, password });
    expect(response.status).toBe(400);
  });

  test("has the account's current role", async () => {
    const { email, id } = await addAccount(server.db);
    const someone = visitor(server);
    await someone.logIn(email);
    expect((await someone.get("/manage/users")).status).toBe(302);
    await server.db.update(users).set({ userType: "Admin" }).where(eq(users.id, id));
    expect((await someone.get("/manage/users")).status).toBe(200);
    await server.db.update(users).set({ userType: "Buyer" }).where(eq(users.id, id));
    expect((await someone.get("/manage/users")).status).toBe(302);
  });
});

test("sixty logins at once hold up no other page, and those beyond the queue are asked to try again", {
  tags: ["slow"],
}, async () => {
  const accounts = await Promise.all(Array.from({ length: 60 }, () => addAccount(server.db)));
  const logins = accounts.map(async ({ email }) => {
    const response = await visitor(server).post("/login", { email, password });
    return { email, response, html: await response.text() };
  });
  let answered = 0;
  let isDone = false;
  const finished = Promise.all(logins).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    expect((await visitor(server).get("/healthz")).status).toBe(200);
    answered += 1;
  }
  const responses = await finished;
  const done = responses.filter(({ response }) => response.status === 303);
  const refused = responses.filter(({ response }) => response.status === 503);
  expect([done.length >= 16, done.length + refused.length]).toEqual([true, 60]);
  expect(refused.length).toBeGreaterThan(0);
  for (const { email, response, html } of refused) {
    expect(response.headers.get("Retry-After")).toBe("3");
    expect(textOf(html)).toContain(
      "Too many people are logging in or signing up right now. Try again in a few seconds.",
    );
    expect(fieldValue(html, "email")).toBe(email);
    expect(html).not.toContain(password);
  }
  // Between two hashes other requests have their turn; with all sixty at once, hardly any did.
  expect(answered).toBeGreaterThan(done.length / 2);
  // A refusal counts as no attempt, and gives its place back.
  const [{ email = "" } = {}] = refused;
  expect((await visitor(server).post("/login", { email, password })).status).toBe(303);
});

test("sixty logins at once from one address leave places for others", async () => {
  const [crowd, other] = [visitor(server), visitor(server)];
  const accounts = await Promise.all(Array.from({ length: 60 }, () => addAccount(server.db)));
  const { email } = await addAccount(server.db);
  const guess = { password: "Wr0ngPassword" };
  const logins = accounts.map((account) => crowd.post("/login", { email: account.email, ...guess }));
  // The first refusal shows that all places of the address are taken.
  await Promise.any(logins.map(async (login) => expect((await login).status).toBe(503)));
  await other.logIn(email);
  const statuses = (await Promise.all(logins)).map(({ status }) => status);
  const refused = statuses.filter((status) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(statuses.filter((status) => status === 400).length).toBe(60 - refused.length);
});

test("a flood of wrong logins leaves places for known devices, and for addresses that did not fail", {
  tags: ["slow"],
}, async () => {
  const owner = visitor(server);
  const { email } = await addAccount(server.db);
  await owner.logIn(email);
  const guess = async (stranger: Visitor) => {
    const account = await addAccount(server.db);
    return (await stranger.post("/login", { email: account.email, password: "Wr0ngPassword" })).status;
  };
  /** Guesses from addresses, and a right login once the first refusal shows that all places of theirs are taken. */
  async function logInDuring(flood: Promise<number>[], person: Visitor) {
    await Promise.any(flood.map(async (status) => expect(await status).toBe(503)));
    expect((await person.post("/login", { email, password })).status).toBe(303);
    return Promise.all(flood);
  }
  const strangers = Array.from({ length: 60 }, () => visitor(server));
  const statuses = await logInDuring(strangers.map(guess), owner);
  const failed = strangers.filter((_, index) => statuses[index] === 400);
  await logInDuring(
    failed.flatMap((stranger) => Array.from({ length: 4 }, () => guess(stranger))),
    visitor(server),
  );
});

test("sixty sign-ups at once are limited in the same way, on the page and by the API", {
  tags: ["slow"],
}, async () => {
  const post = (index: number) => {
    const fields = { name: "Mia Sund", email: `crowd${index}@example.com`, password, userType: "Buyer" };
    if (index % 2 === 0) return visitor(server).post("/signup", fields);
    const headers = { "Content-Type": "application/json" };
    return visitor(server).send("/users", { method: "POST", body: JSON.stringify(fields), headers });
  };
  const responses = await Promise.all(Array.from({ length: 60 }, (_, index) => post(index)));
  const statuses = new Set(responses.map(({ status }) => status));
  expect(statuses).toEqual(new Set([200, 303, 503]));
  for (const { status, headers } of responses)
    if (status === 503) expect(headers.get("Retry-After")).toBe("3");
});
