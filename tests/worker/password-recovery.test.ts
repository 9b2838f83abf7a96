import { rm, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { oneTimeTokens, sessions, users } from "#app/db/schema.ts";
import { dataPath } from "../harness/data-path.ts";
import { allEmails, emailsTo, type SentEmail, waitForEmail } from "../harness/emails.ts";
import { fieldValue, textOf } from "../harness/html.ts";
import { eventually } from "../harness/page-objects.ts";
import {
  addAccount,
  password,
  sharedServer,
  startServer,
  type TestServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const next = "another1";

let clients = 0;

/** Requests a new password, from a new client by default. */
function forget(email: string, client = `192.0.2.${++clients}`): Promise<Response> {
  return visitor(server).send("/forgot", {
    method: "POST",
    body: new URLSearchParams({ email }),
    headers: { Origin: server.url, "CF-Connecting-IP": client },
  });
}

async function recoveryMail(email: string, count = 1): Promise<SentEmail> {
  expect((await forget(email)).status).toBe(303);
  return waitForEmail(server, email, count);
}

async function open(someone: Visitor, { path }: SentEmail): Promise<Response> {
  const moved = await someone.get(path);
  expect(moved.status).toBe(302);
  return someone.get(moved.headers.get("Location") ?? "");
}

async function canLogIn(email: string, secret: string): Promise<boolean> {
  return (await visitor(server).post("/login", { email, password: secret })).status === 303;
}

const spent = "This link no longer works";

describe("requesting a new password", () => {
  test("has the same response for known and unknown addresses", async () => {
    const [known, without, removed] = [
      await addAccount(server.db),
      await addAccount(server.db, { passwordHash: null }),
      await addAccount(server.db, { removalId: "some removal" }),
    ];
    const addresses = [known.email, without.email, removed.email, "unknown@example.com"];
    const seen = [];
    for (const address of addresses) {
      const response = await forget(address);
      const headers = [...response.headers].map(([name, value]) => [
        name,
        name === "date" ? "" : value.replace(/'nonce-[^']+'/, ""),
      ]);
      seen.push({ status: response.status, headers, body: await response.text() });
    }
    expect(seen[0]).toMatchObject({ status: 303, body: "" });
    expect(Object.fromEntries(seen[0]?.headers ?? [])).toMatchObject({
      location: "/forgot?sent=",
      "cache-control": "private, no-store",
    });
    for (const other of seen.slice(1)) expect(other).toEqual(seen[0]);

    const page = textOf(await (await visitor(server).get("/forgot?sent=")).text());
    expect(page).toContain("If there’s an account with this address");
    await waitForEmail(server, known.email);
    await waitForEmail(server, without.email);
    expect(await emailsTo(server, removed.email)).toEqual([]);
    expect(await emailsTo(server, "unknown@example.com")).toEqual([]);
    const holders = (await server.db.select().from(oneTimeTokens)).map(({ userId }) => userId);
    expect(holders.toSorted()).toEqual([known.id, without.id].toSorted());
  });

  test("promises nothing if the database cannot store it, whether or not there is an account", async () => {
    const { email } = await addAccount(server.db);
    await server.db.run(sql`create trigger disk_full before insert on revisions
      begin select raise(abort, 'database or disk is full: SQLITE_FULL'); end`);
    try {
      for (const address of [email, "unknown@example.com"]) {
        const response = await forget(address);
        expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
        expect(fieldValue(await response.text(), "email")).toBe(address);
      }
    } finally {
      await server.db.run(sql`drop trigger disk_full`);
    }
    await recoveryMail(email);
  });

  test("sends one email, as text and HTML, to the account's address", async () => {
    const { email } = await addAccount(server.db, {
      name: `<a href="https://evil.example">Click</a>`,
      email: "Odd&'Address@Example.com",
    });
    expect((await forget(email.toLowerCase())).status).toBe(303);
    const mail = await waitForEmail(server, email);
    expect(mail.subject).toBe("Set a new password for Ringback");
    expect(mail.text).toContain(`Set a new one for ${email} here:`);
    expect(mail.text).toContain("Didn’t ask for this? Ignore this email");
    expect(mail.text).toContain(`\n${server.url}/reset?token=${mail.token}\n`);
    expect(mail.html).toContain(`href="${server.url}/reset?token=${mail.token}"`);
    expect(mail.html).toContain("Odd&amp;&#x27;Address@Example.com");
    // Emails have no text from other users.
    expect(mail.text + mail.html).not.toMatch(/evil|Click/);
  });

  test("is limited per client and per account", async () => {
    const { email } = await addAccount(server.db);
    const refused = [];
    // Eleven exceed the limit, even across two windows.
    for (let count = 0; count < 11; count += 1) {
      const response = await forget("unknown@example.com", "198.51.100.7");
      if (response.status === 429) refused.push(await response.text());
      else expect(response.status).toBe(303);
    }
    expect(refused.length).toBeGreaterThan(0);
    expect(textOf(refused[0] ?? "")).toContain("Too many attempts. Try again in 1 minute.");
    expect(fieldValue(refused[0] ?? "", "email")).toBe("unknown@example.com");

    for (const count of [1, 2]) await recoveryMail(email, count);
    for (let count = 0; count < 3; count += 1) expect((await forget(email)).status).toBe(303);
    const other = await addAccount(server.db);
    await recoveryMail(other.email);
    expect(await emailsTo(server, email)).toHaveLength(2);
  });

  test.each([
    ["", "Email Address required"],
    ["nobody", "Enter an email address like name@example.com"],
    ["a@example.com\r\nBcc: b@example.com", "Enter an email address like name@example.com"],
    ["a@example.com,b@example.com", "Enter an email address like name@example.com"],
  ])("requires an email address, not %j", async (email, message) => {
    const response = await forget(email);
    expect(response.status).toBe(400);
    expect(textOf(await response.text())).toContain(message);
  });
});

describe("the recovery link", () => {
  test("sets a password, ends all sessions, and redirects to login", async () => {
    const { id, email } = await addAccount(server.db);
    const [thief, owner] = [visitor(server), visitor(server)];
    await thief.signIn(email);
    const mail = await recoveryMail(email);
    const page = await open(owner, mail);
    expect(page.status).toBe(200);
    expect(page.headers.get("Cache-Control")).toBe("private, no-store");
    const html = await page.text();
    expect(textOf(html)).toContain("Set a new password");
    expect(html).not.toContain(mail.token);
    expect(html).not.toContain(email);

    const response = await owner.post("/reset", { password: next });
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/login"]);
    const login = textOf(await (await owner.get("/login")).text());
    expect(login).toContain("Password changed. Log in with your new one.");
    expect((await thief.get("/manage")).status).toBe(302);
    expect(await server.db.$count(sessions, eq(sessions.userId, id))).toBe(0);
    expect([await canLogIn(email, password), await canLogIn(email, next)]).toEqual([false, true]);
    expect(owner.cookies.has("__Host-reset")).toBe(false);
  });

  test("moves its token from the URL to a __Host- cookie", async () => {
    const { email } = await addAccount(server.db);
    const mail = await recoveryMail(email);
    const moved = await visitor(server).get(mail.path);
    expect(moved.headers.get("Location")).toBe("/reset");
    expect(moved.headers.get("Cache-Control")).toBe("private, no-store");
    expect(await moved.text()).toBe("");
    const [cookie = ""] = moved.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-reset=/);
    expect(cookie.split("; ")).toEqual(
      expect.arrayContaining(["HttpOnly", "Secure", "SameSite=Lax", "Path=/", "Max-Age=1800"]),
    );
  });

  test("survives link scanners and an invalid password", async () => {
    const { email } = await addAccount(server.db);
    const mail = await recoveryMail(email);
    for (let look = 0; look < 3; look += 1) {
      await open(visitor(server), mail);
      await visitor(server).send(mail.path, { method: "HEAD" });
      await visitor(server).get(dataPath(mail.path));
    }
    const owner = visitor(server);
    await open(owner, mail);
    for (const [unfit, message] of [
      ["", "Password is required"],
      ["a1", "Password must be 6 Character or Longer"],
      ["NEVERSHOWN", "Need strong password"],
    ] as const) {
      const response = await owner.post("/reset", { password: unfit });
      expect(response.status).toBe(400);
      const html = await response.text();
      expect(textOf(html)).toContain(message);
      expect(html).not.toContain("NEVERSHOWN");
    }
    expect((await owner.post("/reset", { password: next })).status).toBe(303);
  });

  test("works once, for the first request", async () => {
    const { email } = await addAccount(server.db);
    const mail = await recoveryMail(email);
    const people = [visitor(server), visitor(server), visitor(server)];
    for (const person of people) await open(person, mail);
    const responses = await Promise.all(
      people.map((person, index) => person.post("/reset", { password: `w1nner-${index}` })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([303, 410, 410]);
    const winner = responses.findIndex(({ status }) => status === 303);
    expect(await canLogIn(email, `w1nner-${winner}`)).toBe(true);
    const late = await open(visitor(server), mail);
    expect(late.status).toBe(410);
    const html = await late.text();
    expect(textOf(html)).toContain(spent);
    expect(html).toContain(`href="/forgot"`);
    const loser = responses.find(({ status }) => status === 410);
    expect(textOf((await loser?.text()) ?? "")).toContain(spent);
  });

  test("ends after 30 minutes, with a newer link, and with its account", async () => {
    const [late, replaced, removed] = [
      await addAccount(server.db),
      await addAccount(server.db),
      await addAccount(server.db),
    ];
    const mails = [
      [late, await recoveryMail(late.email)],
      [replaced, await recoveryMail(replaced.email)],
      [removed, await recoveryMail(removed.email)],
    ] as const;
    const newer = await recoveryMail(replaced.email, 2);
    const ended = { expiresAt: new Date() };
    const opened = [];
    for (const [, mail] of mails) {
      const someone = visitor(server);
      await someone.get(mail.path);
      opened.push(someone);
    }
    await server.db.update(oneTimeTokens).set(ended).where(eq(oneTimeTokens.userId, late.id));
    await server.db.update(users).set({ removalId: "some removal" }).where(eq(users.id, removed.id));
    for (const [index, [{ email }, mail]] of mails.entries()) {
      const response = await opened[index]?.post("/reset", { password: next });
      expect([email, response?.status]).toEqual([email, 410]);
      expect((await open(visitor(server), mail)).status).toBe(410);
      expect(await canLogIn(email, next)).toBe(false);
    }
    const owner = visitor(server);
    await open(owner, newer);
    expect((await owner.post("/reset", { password: next })).status).toBe(303);
  });

  test("changes its own account only, also when another one is signed in", async () => {
    const [attacker, victim] = [await addAccount(server.db), await addAccount(server.db)];
    const someone = visitor(server);
    await someone.signIn(victim.email);
    const mail = await recoveryMail(attacker.email);
    await open(someone, mail);
    const fields = { password: next, email: victim.email, userId: victim.id, _id: victim.id };
    expect((await someone.post("/reset", fields)).status).toBe(303);
    expect([await canLogIn(victim.email, password), await canLogIn(victim.email, next)]).toEqual([
      true,
      false,
    ]);
    expect(await canLogIn(attacker.email, next)).toBe(true);
    expect((await someone.get("/manage")).status).toBe(200);
  });

  test.each(["", "x", "%00", "%FF%FE", `${"A".repeat(43)}`, "' or 1=1 --", "A".repeat(5_000)])(
    "with the invalid token %j shows an error page",
    async (token) => {
      for (const page of ["reset", "verify"]) {
        const someone = visitor(server);
        const moved = await someone.get(`/${page}?token=${token}`);
        expect([moved.status, moved.headers.get("Location")]).toEqual([302, `/${page}`]);
        const response = await someone.get(`/${page}`);
        expect(response.status).toBe(410);
        expect(textOf(await response.text())).toContain(spent);
        expect((await someone.post(`/${page}`, { password: next })).status).toBe(410);
      }
    },
  );

  test("works for its purpose only, even with a renamed cookie", async () => {
    const { id, email } = await addAccount(server.db);
    const recovery = await recoveryMail(email);
    const someone = visitor(server);
    await open(someone, recovery);
    expect((await open(someone, { ...recovery, path: `/verify?token=${recovery.token}` })).status).toBe(410);
    const own = visitor(server);
    await own.signIn(email);
    expect((await own.post("/manage/account/verify")).status).toBe(303);
    const verification = await waitForEmail(server, email, 2);
    expect(verification.path).toMatch(/^\/verify\?token=/);
    const other = visitor(server);
    expect((await open(other, { ...verification, path: `/reset?token=${verification.token}` })).status).toBe(
      410,
    );
    expect((await other.post("/reset", { password: next })).status).toBe(410);
    other.cookies.set("__Host-verify", other.cookies.get("__Host-reset") ?? "");
    const [row] = await server.db.select().from(users).where(eq(users.id, id));
    expect(row?.emailVerifiedAt).toBeNull();
  });
});

describe("verifying an email address", () => {
  async function signUp(email: string): Promise<Visitor> {
    const someone = visitor(server);
    const response = await someone.post("/signup", { name: "Mia <b>Sund</b>", email, password });
    expect(response.status).toBe(303);
    return someone;
  }

  async function verifiedAt(email: string) {
    const [row] = await server.db.select().from(users).where(eq(users.email, email));
    return row?.emailVerifiedAt ?? null;
  }

  test("requires a click on a button, once, on the page of the link", async () => {
    const email = "new@example.com";
    const someone = await signUp(email);
    const mail = await waitForEmail(server, email);
    expect(mail.subject).toBe("Confirm your email address for Ringback");
    expect(mail.text).toContain(email);
    expect(mail.text + mail.html).not.toContain("Mia");
    // In another browser the link alone is not enough: the owner of the mailbox may not be who signed up.
    const elsewhere = visitor(server);
    const page = await open(elsewhere, mail);
    expect(page.status).toBe(200);
    expect(await page.text()).not.toContain(mail.token);
    const without = await elsewhere.post("/verify");
    expect([without.status, textOf(await without.text())]).toEqual([
      409,
      expect.stringContaining("Enter your password."),
    ]);
    for (const [wrong, message] of [
      ["", "Password is required"],
      ["someone1", "Wrong password."],
    ] as const) {
      const refused = await elsewhere.post("/verify", { password: wrong });
      expect([refused.status, textOf(await refused.text())]).toEqual([400, expect.stringContaining(message)]);
    }
    expect(await verifiedAt(email)).toBeNull();
    const response = await elsewhere.post("/verify", { password });
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
    expect(textOf(await (await elsewhere.get("/")).text())).toContain("Email address confirmed");
    expect(await verifiedAt(email)).toBeInstanceOf(Date);
    expect((await elsewhere.get("/manage")).status).toBe(302);

    expect((await open(elsewhere, mail)).status).toBe(410);
    expect((await elsewhere.post("/verify")).status).toBe(410);
    await someone.post("/manage/account/verify");
    expect(textOf(await (await someone.get("/manage")).text())).toContain(
      "already confirmed your email address",
    );
  });

  test("needs no password in a browser that is logged in to the account, but in another account's", async () => {
    const email = "signed-in@example.com";
    const someone = await signUp(email);
    const mail = await waitForEmail(server, email);
    const other = await signUp("another-account@example.com");
    expect(await (await open(other, mail)).text()).toContain('type="password"');
    expect((await other.post("/verify")).status).toBe(409);
    expect(await (await open(someone, mail)).text()).not.toContain('type="password"');
    expect((await someone.post("/verify")).status).toBe(303);
    expect(await verifiedAt(email)).toBeInstanceOf(Date);
  });

  test("can be denied: the account is removed, with the stranger's password and session", async () => {
    const email = "victim@example.com";
    const stranger = await signUp(email);
    const mail = await waitForEmail(server, email);
    const victim = visitor(server);
    await open(victim, mail);
    expect((await stranger.get("/manage")).status).toBe(200);
    const [first, second] = await Promise.all(
      [1, 2].map(() =>
        victim.send("/verify", {
          method: "POST",
          body: new URLSearchParams({ intent: "disown" }),
          headers: { Origin: server.url, Cookie: `__Host-verify=${victim.cookies.get("__Host-verify")}` },
        }),
      ),
    );
    expect([first?.status, second?.status].toSorted()).toEqual([303, 410]);
    expect(await server.db.$count(users, eq(users.email, email))).toBe(0);
    expect((await stranger.get("/manage")).status).toBe(302);
    expect((await visitor(server).post("/login", { email, password })).status).toBe(400);
    // The address is free again.
    expect((await signUp(email)).cookies.has("__Host-session")).toBe(true);
  });

  test("can be requested again by the account's owner, a few times an hour", async () => {
    const email = "again@example.com";
    const someone = await signUp(email);
    const first = await waitForEmail(server, email);
    for (const count of [2, 3]) {
      const response = await someone.post("/manage/account/verify", { redirectTo: "/products" });
      expect([response.status, response.headers.get("Location")]).toEqual([303, "/products"]);
      await waitForEmail(server, email, count);
    }
    const fourth = await someone.post("/manage/account/verify", { redirectTo: "//evil.example" });
    expect(fourth.headers.get("Location")).toBe("/manage/account");
    const pageText = textOf(await (await someone.get("/manage")).text());
    expect(pageText).toContain("Use the link in the newest one.");
    const newest = await waitForEmail(server, email, 3);
    const spentPage = await open(someone, first);
    expect(spentPage.status).toBe(410);
    expect(await spentPage.text()).toContain(`action="/manage/account/verify"`);
    expect((await open(someone, newest)).status).toBe(200);
    expect((await someone.post("/verify")).status).toBe(303);
  });

  test("does nothing for an address that the account no longer has", async () => {
    await signUp("before@example.com");
    const mail = await waitForEmail(server, "before@example.com");
    await server.db
      .update(users)
      .set({ email: "after@example.com" })
      .where(eq(users.email, "before@example.com"));
    const someone = visitor(server);
    expect((await open(someone, mail)).status).toBe(410);
    expect((await someone.post("/verify")).status).toBe(410);
    expect(await verifiedAt("after@example.com")).toBeNull();
  });
});

test("links use the configured host, not the request's", async () => {
  const elsewhere = await startServer({ bindings: { PUBLIC_ORIGIN: "https://ringback.example" } });
  try {
    const { email } = await addAccount(elsewhere.db);
    const { port } = new URL(elsewhere.url);
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest({
        host: "127.0.0.1",
        port,
        path: "/forgot",
        method: "POST",
        headers: {
          Host: "evil.example",
          "X-Forwarded-Host": "evil.example",
          "Content-Type": "application/x-www-form-urlencoded",
        },
      });
      sent.once("response", (response) => resolve(response.resume().statusCode));
      sent.once("error", reject);
      sent.end(`${new URLSearchParams({ email })}`);
    });
    expect(status).toBe(303);
    const mail = await waitForEmail(elsewhere, email);
    expect(mail.text).toContain("\nhttps://ringback.example/reset?token=");
    expect(mail.text + mail.html).not.toContain("evil.example");
  } finally {
    await elsewhere.stop();
  }
});

test("a server without mail responds the same, and logs the reason without the address", async () => {
  const mute = await startServer({ bindings: { MAIL_FROM: undefined } });
  try {
    const { email } = await addAccount(mute.db);
    for (const address of ["unknown@example.com", email]) {
      const response = await visitor(mute).post("/forgot", { email: address });
      expect([response.status, response.headers.get("Location")]).toEqual([303, "/forgot?sent="]);
    }
    await eventually(async () => mute.log()).toContain("Email is not configured");
    expect(mute.log()).not.toContain("@");
    expect(mute.log()).not.toMatch(/[\w-]{43}/);
  } finally {
    await mute.stop();
  }
});

test("a failed email is logged as an error, without the address", async () => {
  const broken = await startServer();
  try {
    const { email } = await addAccount(broken.db);
    // A file in place of the outbox folder.
    await rm(broken.outbox, { recursive: true });
    await writeFile(broken.outbox, "");
    expect((await visitor(broken).post("/forgot", { email })).status).toBe(303);
    await eventually(async () => broken.log()).toContain("The email was rejected");
    expect(broken.log()).not.toContain(email);
    expect(broken.log()).not.toMatch(/[\w-]{43}/);
  } finally {
    await broken.stop();
  }
});

test("log and outbox hold no secrets", async () => {
  const { email } = await addAccount(server.db);
  const mail = await recoveryMail(email);
  const owner = visitor(server);
  await open(owner, mail);
  await owner.post("/reset", { password: "Sup3rSecretWord" });
  const mails = await allEmails(server);
  expect(mails.length).toBeGreaterThan(10);
  const log = server.log();
  for (const { to, token, text, html } of mails) {
    if (token) expect(log).not.toContain(token);
    expect(log).not.toContain(to);
    // One address, one link, one token at most; no password, id or hash.
    const written = text + html.replaceAll("&amp;", "&").replaceAll("&#x27;", "'");
    expect(written.replaceAll(to, "")).not.toContain("@");
    expect(new Set(written.match(/[\w-]{43,}/g))).toEqual(new Set(token ? [token] : []));
    expect(written).not.toMatch(/secret1|another1|Sup3r|\$2[aby]\$|[0-9a-f]{8}-[0-9a-f]{4}-/);
  }
  expect(log).not.toMatch(/secret1|another1|Sup3r/);
});
