import { request as httpRequest } from "node:http";
import { eq, gte } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { oneTimeTokens, passkeys, sessions, users } from "#app/db/schema.ts";
import { type Authenticator, createAuthenticator, type Overrides } from "../harness/authenticator.ts";
import { emailsTo } from "../harness/emails.ts";
import { removeUser } from "../harness/fixtures.ts";
import { textOf } from "../harness/html.ts";
import {
  addAccount,
  sharedServer,
  startServer,
  type TestServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";

const login = "/login/passkey";
const own = "/manage/account/passkeys";
const cookieName = "__Host-passkey";

let server: TestServer;
/** The server at a host name, because passkeys do not work at an IP address. */
let url: string;
beforeAll(async () => {
  server = await sharedServer();
  url = server.url.replace("127.0.0.1", "localhost");
});

const someone = () => visitor({ url, db: server.db });

type Options = Parameters<Authenticator["create"]>[0];

async function requestOptions(
  who: Visitor,
  path: string,
  fields: Record<string, string> = {},
): Promise<Options> {
  const response = await who.post(path, fields);
  expect(response.status).toBe(200);
  return ((await response.json()) as { options: Options }).options;
}

const sendResponse = (who: Visitor, path: string, response: unknown, fields: Record<string, string> = {}) =>
  who.post(path, { ...fields, response: JSON.stringify(response) });

const adding = { intent: "add" };

async function owner() {
  const account = await addAccount(server.db);
  const who = someone();
  await who.signIn(account.email);
  const key = await createAuthenticator(url);
  const response = await sendResponse(
    who,
    own,
    await key.create(await requestOptions(who, own, adding)),
    adding,
  );
  expect([response.status, await response.json()]).toEqual([200, { to: "/manage/account/security" }]);
  return { account, who, key };
}

async function expectRefused(response: Response, error: string, status = 400) {
  expect([response.status, await response.json()]).toEqual([
    status,
    { result: { status: "error", error: { "": [error] } } },
  ]);
  expect(response.headers.getSetCookie().join()).not.toContain("__Host-session");
}

async function tryKey(key: Authenticator, overrides: Overrides = {}, who = someone()) {
  const response = await sendResponse(who, login, await key.get(await requestOptions(who, login), overrides));
  return { who, response };
}

const unchecked = "We couldn’t verify this passkey. Try again.";
const tooLate = "That took too long. Try again.";

describe("a user with a passkey", () => {
  test("logs in at another browser, sees the specified message and returns to the requested path", async () => {
    const { account, key } = await owner();
    const who = someone();
    const path = `${login}?redirectTo=/addphone`;
    const response = await sendResponse(who, path, await key.get(await requestOptions(who, path)));
    expect([response.status, await response.json()]).toEqual([200, { to: "/addphone" }]);
    expect(who.cookies.has(cookieName)).toBe(false);
    expect(textOf(await (await who.get("/addphone")).text())).toContain(`${account.email} account created`);
    expect((await who.get("/manage")).status).toBe(200);
    expect(await server.db.$count(sessions, eq(sessions.userId, account.id))).toBe(2);
  });

  test("ends the browser's previous session, and is not redirected to another site", async () => {
    const { key } = await owner();
    const before = await addAccount(server.db);
    const who = someone();
    await who.signIn(before.email);
    const path = `${login}?redirectTo=https://evil.example/`;
    const response = await sendResponse(who, path, await key.get(await requestOptions(who, path)));
    expect(await response.json()).toEqual({ to: "/" });
    expect(await server.db.$count(sessions, eq(sessions.userId, before.id))).toBe(0);
  });

  test("is led to the login page as JSON, if the account has just changed", async () => {
    const { key } = await owner();
    const who = someone();
    const answer = await key.get(await requestOptions(who, login));
    await server.db.run(
      "create trigger account_changes after update on passkeys begin update users set session_version = session_version + 1; end",
    );
    try {
      const response = await sendResponse(who, login, answer);
      expect([response.status, await response.json()]).toEqual([200, { to: "/login" }]);
    } finally {
      await server.db.run("drop trigger account_changes");
    }
    expect(textOf(await (await who.get("/login")).text())).toContain("Your account has just changed.");
  });

  test("sees it on the account page, and removes it by a form", async () => {
    const { account, who, key } = await owner();
    await server.db.update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, account.id));
    const page = textOf(await (await who.get("/manage/account/security")).text());
    expect(page).toMatch(/Passkey added/);
    expect(page).toMatch(/Unknown device.*Added .*Not used yet/);
    const response = await who.post(own, { _id: key.id });
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/manage/account/security"]);
    const after = textOf(await (await who.get("/manage/account/security")).text());
    expect(after).toContain("Passkey removed");
    await expect
      .poll(async () => (await emailsTo(server, account.email)).map(({ subject }) => subject))
      .toContain("A passkey was removed from your Ringback account");
    expect(after).not.toContain("Not used yet");
    await expectRefused(
      (await tryKey(key)).response,
      "This passkey isn’t registered here. Log in another way.",
    );
    await who.post(own, { _id: key.id });
    expect(textOf(await (await who.get("/manage/account/security")).text())).toContain("That didn’t work.");
  });
});

describe("a passkey is refused", () => {
  test.each<[string, Overrides]>([
    ["at another site", { origin: "https://evil.example" }],
    ["at another port", { origin: "http://localhost:1" }],
    ["for another host", { rpId: "evil.example" }],
    ["without user verification", { unverified: true }],
    ["without user presence", { absent: true }],
    ["of another type", { type: "webauthn.create" }],
    ["for another challenge", { challenge: "A".repeat(43) }],
    ["with another user handle", { userHandle: "c29tZWJvZHk" }],
  ])("%s", async (_, overrides) => {
    const { key } = await owner();
    const { who, response } = await tryKey(key, overrides);
    await expectRefused(response, unchecked);
    expect((await who.get("/manage")).status).toBe(302);
    expect((await tryKey(key)).response.status).toBe(200);
  });

  test("for a repeated response, even with the cookie kept", async () => {
    const { key } = await owner();
    const who = someone();
    const response = await key.get(await requestOptions(who, login));
    const kept = who.cookies.get(cookieName) ?? "";
    expect((await sendResponse(who, login, response)).status).toBe(200);
    await expectRefused(await sendResponse(who, login, response), tooLate);
    who.cookies.set(cookieName, kept);
    await expectRefused(await sendResponse(who, login, response), tooLate);
  });

  test("for an expired challenge, even with the cookie kept", async () => {
    const { key } = await owner();
    const who = someone();
    const options = await requestOptions(who, login);
    await server.db.update(oneTimeTokens).set({ expiresAt: new Date() });
    await expectRefused(await sendResponse(who, login, await key.get(options)), tooLate);
  });

  test("in another browser than the one with the challenge", async () => {
    const { key } = await owner();
    const [one, other] = [someone(), someone()];
    const response = await key.get(await requestOptions(one, login));
    await expectRefused(await sendResponse(other, login, response), tooLate);
    await requestOptions(other, login);
    await expectRefused(await sendResponse(other, login, response), unchecked);
    expect((await sendResponse(one, login, response)).status).toBe(200);
  });

  test("of a removed account", async () => {
    const { account, key } = await owner();
    const admin = await addAccount(server.db, { userType: "Admin" });
    await removeUser(server.db, { ...admin }, account.id);
    await expectRefused((await tryKey(key)).response, "This account has been disabled.");
  });

  test("when its counter decreases, which is logged without the account", async () => {
    const { account, key } = await owner();
    await tryKey(key, { count: 9 });
    const before = server.log().length;
    const { response } = await tryKey(key, { count: 9 });
    await expectRefused(response, "We couldn’t verify this passkey. Log in another way.");
    await expect.poll(() => server.log().slice(before)).toContain("signature counter decreased");
    const lines = server.log().slice(before).trim().split("\n");
    const [line] = lines.map((text) => JSON.parse(text)).filter(({ level }) => level !== "info");
    expect(line).toEqual({
      level: "warning",
      reference: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event: "login with a passkey failed",
      reason: "signature counter decreased",
    });
    expect(server.log()).not.toContain(account.email);
    expect(server.log()).not.toContain(key.id);
  });

  test.each([
    ["nothing", ""],
    ["invalid JSON", "{"],
    ["null", "null"],
    ["an array", "[]"],
    ["no response", `{"id":"x","rawId":"x","type":"public-key"}`],
    ["another type", `{"id":"x","rawId":"x","type":"password","response":{}}`],
    ["too much data", JSON.stringify({ id: "x".repeat(20_000) })],
    ["SQL", JSON.stringify({ id: "' or 1=1 --", rawId: "x", type: "public-key", response: {} })],
  ])("for a login with %s", async (_, response) => {
    const who = someone();
    await requestOptions(who, login);
    await expectRefused(await who.post(login, { response }), unchecked);
  });

  test.each(["clientDataJSON", "authenticatorData", "signature"])(
    "with bytes missing from its %s",
    async (part) => {
      const { key } = await owner();
      for (const keep of [1, 7, 40]) {
        const who = someone();
        const assertion = await key.get(await requestOptions(who, login));
        const response = assertion.response as Record<string, string>;
        const cut = { ...assertion, response: { ...response, [part]: response[part]?.slice(0, keep) } };
        await expectRefused(await sendResponse(who, login, cut), unchecked);
      }
    },
  );
});

describe("adding a passkey is refused", () => {
  const known = "This passkey is already registered.";

  test.each<[string, Overrides]>([
    ["from another site", { origin: "https://evil.example" }],
    ["for another host", { rpId: "evil.example" }],
    ["without user verification", { unverified: true }],
    ["for another challenge", { challenge: "A".repeat(43) }],
    ["with a login instead of a registration", { type: "webauthn.get" }],
  ])("%s", async (_, overrides) => {
    const account = await addAccount(server.db);
    const who = someone();
    await who.signIn(account.email);
    const key = await createAuthenticator(url);
    await expectRefused(
      await sendResponse(
        who,
        own,
        await key.create(await requestOptions(who, own, adding), overrides),
        adding,
      ),
      unchecked,
    );
    expect(await server.db.$count(passkeys, eq(passkeys.userId, account.id))).toBe(0);
  });

  test("to another account than that of the challenge", async () => {
    const { who: victim, account } = await owner();
    const thief = await owner();
    const key = await createAuthenticator(url);
    const response = await key.create(await requestOptions(thief.who, own, adding));
    // The thief's challenge and cookie in the victim's browser.
    victim.cookies.set(cookieName, thief.who.cookies.get(cookieName) ?? "");
    await expectRefused(await sendResponse(victim, own, response, adding), tooLate);
    // The victim's challenge does not work for the thief either.
    await requestOptions(victim, own, adding);
    thief.who.cookies.set(cookieName, victim.cookies.get(cookieName) ?? "");
    await expectRefused(await sendResponse(thief.who, own, response, adding), tooLate);
    expect(await server.db.$count(passkeys, eq(passkeys.userId, account.id))).toBe(1);
  });

  test("twice, late, or when another account has it", async () => {
    const { who, key } = await owner();
    const used = await key.create(await requestOptions(who, own, adding));
    await expectRefused(await sendResponse(who, own, used, adding), known);
    await expectRefused(await sendResponse(who, own, used, adding), tooLate);
    const other = await createAuthenticator(url);
    const made = await other.create(await requestOptions(who, own, adding));
    await server.db.update(oneTimeTokens).set({ expiresAt: new Date() });
    await expectRefused(await sendResponse(who, own, made, adding), tooLate);
    const stranger = await owner();
    const theirs = await key.create(await requestOptions(stranger.who, own, adding));
    await expectRefused(await sendResponse(stranger.who, own, theirs, adding), known);
  });

  test("without a recent login, as is removing one", async () => {
    const { account, who, key } = await owner();
    const options = await requestOptions(who, own, adding);
    const opened = new Date(Date.now() - 15 * 60_000);
    await server.db.update(sessions).set({ createdAt: opened }).where(eq(sessions.userId, account.id));
    const other = await createAuthenticator(url);
    for (const response of [
      await who.post(own, adding),
      await sendResponse(who, own, await other.create(options), adding),
      await who.post(own, { _id: key.id }),
    ]) {
      expect([response.status, response.headers.get("Location")]).toEqual([
        303,
        "/login?redirectTo=/manage/account/security",
      ]);
    }
    expect(await server.db.$count(passkeys, eq(passkeys.userId, account.id))).toBe(1);
    const page = await (await who.get("/manage/account/security")).text();
    expect(textOf(page)).toContain("You logged in more than 15 minutes ago.");
    expect(textOf(page)).not.toContain("Remove");
    await who.signIn(account.email);
    expect((await who.post(own, { _id: key.id })).headers.get("Location")).toBe("/manage/account/security");
  });
});

test("without JavaScript passkeys can be listed and removed, but not added", async () => {
  const login = await (await someone().get("/login")).text();
  expect(textOf(login)).not.toMatch(/passkey/i);
  // The space is reserved for browsers with JavaScript.
  expect(login).toContain("noscript:hidden");
  const { who } = await owner();
  const page = textOf(await (await who.get("/manage/account/security")).text());
  expect(page).toContain("Remove");
  expect(page).not.toContain("Add a passkey");
});

test("at most sixty challenges a minute are issued to one client", async () => {
  const who = someone();
  const startedAt = new Date();
  let accepted = 0;
  let response = await who.post(login);
  // A new minute may begin on the way.
  for (; response.status === 200 && accepted <= 120; response = await who.post(login)) accepted += 1;
  expect(accepted).toBeGreaterThanOrEqual(60);
  expect(response.headers.get("Retry-After")).toBe("60");
  await expectRefused(response, "Too many attempts. Try again in 1 minute.", 429);
  expect(await server.db.$count(oneTimeTokens, gte(oneTimeTokens.createdAt, startedAt))).toBe(accepted);
});

/** Posts with any Host header, which `fetch` does not allow. */
function postAs(host: string, path: string, fields: Record<string, string>, cookie = ""): Promise<string> {
  const body = new URLSearchParams(fields).toString();
  const headers = { Host: host, Cookie: cookie, "Content-Type": "application/x-www-form-urlencoded" };
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: "127.0.0.1", port, path, method: "POST", headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve(text));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

describe("the host of passkeys", () => {
  test("is the request's, without parent domains", async () => {
    const { key } = await owner();
    const challenge = JSON.parse(await postAs("shop.localhost:8787", login, {})) as {
      options: { rpId: string };
    };
    expect(challenge.options.rpId).toBe("shop.localhost");
    // A valid response is invalid at another host.
    const who = someone();
    const response = JSON.stringify(await key.get(await requestOptions(who, login)));
    const cookie = `${cookieName}=${who.cookies.get(cookieName)}`;
    expect(await postAs("evil.example", login, { response }, cookie)).toContain(unchecked);
  });

  test("is not an IP address", async () => {
    const who = visitor(server);
    await expectRefused(await who.post(login), "Passkeys don’t work on this domain. Log in another way.");
    await who.signIn((await addAccount(server.db)).email);
    await expectRefused(await who.post(own, adding), "Passkeys don’t work on this domain.");
  });

  test("is the configured one only", async () => {
    const configured = await startServer({ bindings: { PUBLIC_ORIGIN: "https://ringback.example" } });
    try {
      const who = visitor({ url: configured.url.replace("127.0.0.1", "localhost") });
      await expectRefused(await who.post(login), "Passkeys don’t work on this domain. Log in another way.");
      expect(await (await who.get("/login")).text()).not.toContain("noscript:hidden");
    } finally {
      await configured.stop();
    }
  });
});
