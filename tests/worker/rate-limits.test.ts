import { hashSync } from "bcryptjs";
import { eq, like } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { loginAttempts, tickets, users } from "#app/db/schema.ts";
import { rateLimits } from "#app/server/http/mutations.server.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { dataPath } from "../harness/data-path.ts";
import { fieldValue, tagsOf, textOf } from "../harness/html.ts";
import { addAccount, password, startServer, visitor } from "../harness/server.ts";

/** Lower than the real limits, so that each test fits into one window. */
const most = 5;

let server: LocalServer;
beforeAll(async () => {
  server = await startServer({ maxRequests: most });
});
afterAll(() => server?.stop());

const wrong = "Wr0ngPassword";
const tooMany = "Too many attempts. Try again in 1 minute.";
const statusesOf = (responses: Response[]) => responses.map(({ status }) => status).sort();
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Sends posts one after the other, so that each is counted before the next. */
async function inTurn(count: number, post: (index: number) => Promise<Response>) {
  const responses = [];
  for (const index of times(count)) responses.push(await post(index));
  return responses;
}

async function expectTooMany(response: Response | undefined): Promise<string> {
  expect([response?.status, response?.headers.get("Retry-After")]).toEqual([429, "60"]);
  const html = (await response?.text()) ?? "";
  expect(textOf(html).split(tooMany)).toHaveLength(2);
  const alerts = tagsOf(html).filter(({ attributes }) => attributes.get("role") === "alert");
  expect(alerts).toHaveLength(1);
  return html;
}

test("wrangler.toml has the same limits, each with a counter of its own", () => {
  const config = unstable_readConfig({ config: "wrangler.toml" });
  const ratelimits = config.ratelimits as { name: string; namespace_id: string; simple: object }[];
  expect(Object.fromEntries(ratelimits.map(({ name, simple }) => [name, simple]))).toEqual(rateLimits);
  // Limits with the same namespace share a counter.
  expect(new Set(ratelimits.map(({ namespace_id }) => namespace_id)).size).toBe(ratelimits.length);
});

describe("each client address is limited:", () => {
  test("logging in", async () => {
    const someone = visitor(server);
    const { email } = await addAccount(server.db);
    const responses = await inTurn(most, (index) =>
      someone.post("/login", { email: `many${index}@example.com`, password: wrong }),
    );
    expect(new Set(statusesOf(responses))).toEqual(new Set([400]));
    const html = await expectTooMany(await someone.post("/login", { email, password }));
    expect(fieldValue(html, "email")).toBe(email);
    expect(html).not.toContain(password);
    expect(someone.cookies.size).toBe(0);
    const asData = await someone.post(dataPath("/login"), { email, password });
    expect([asData.status, asData.headers.get("Retry-After")]).toEqual([429, "60"]);
    // An invalid form is not counted, and other clients are not limited.
    expect((await someone.post("/login", {})).status).toBe(400);
    await visitor(server).logIn(email);
  });

  test.each(["/signup", "/sellersignup"])("signing up at %s, before it reveals accounts", async (path) => {
    const { email } = await addAccount(server.db);
    const someone = visitor(server);
    const fields = { name: "Mia Sund", password };
    const responses = await inTurn(most, () => someone.post(path, { ...fields, email }));
    expect(new Set(statusesOf(responses))).toEqual(new Set([400]));
    for (const address of [email, "nobody-yet@example.com"]) {
      const html = await expectTooMany(await someone.post(path, { ...fields, email: address }));
      expect(fieldValue(html, "email")).toBe(address);
      expect(fieldValue(html, "name")).toBe("Mia Sund");
      expect(textOf(html)).not.toContain("already in use");
    }
    expect(await server.db.$count(users, eq(users.email, "nobody-yet@example.com"))).toBe(0);
  });

  test("reporting a problem", async () => {
    const someone = visitor(server);
    const responses = await inTurn(most, () => someone.post("/report", { details: "a burst of reports" }));
    expect(new Set(statusesOf(responses))).toEqual(new Set([303]));
    await expectTooMany(await someone.post("/report", { details: "a burst of reports" }));
    expect(await server.db.$count(tickets, eq(tickets.details, "a burst of reports"))).toBe(most);
    expect((await visitor(server).post("/report", { details: "from elsewhere" })).status).toBe(303);
  });
});

describe("an account", () => {
  test("checks five of a hundred concurrent wrong passwords, from any address", {
    tags: ["slow"],
  }, async () => {
    const { email } = await addAccount(server.db);
    for (const address of [email, "hundred@example.com"]) {
      const guesses = times(100).map((index) =>
        visitor(server).post("/login", { email: address, password: `guess${index}` }),
      );
      const responses = await Promise.all(guesses);
      const refused = responses.filter(({ status }) => status === 429);
      expect([address, responses.filter(({ status }) => status === 400).length]).toEqual([address, 5]);
      // Others found the queue of passwords full, see accounts.test.ts.
      const busy = responses.filter(({ status }) => status === 503);
      expect([address, refused.length + busy.length]).toEqual([address, 95]);
      for (const response of refused) {
        const retryAfter = Number(response.headers.get("Retry-After"));
        expect(retryAfter).toBeGreaterThan(0);
        expect(retryAfter).toBeLessThanOrEqual(60);
        expect(textOf(await response.text())).toContain(tooMany);
      }
    }
    // Not even the right password, from an unknown browser; that attempt is not counted.
    expect((await visitor(server).post("/login", { email, password })).status).toBe(429);
  });

  test("is not checked for more addresses per client than the limit allows", { tags: ["slow"] }, async () => {
    const someone = visitor(server);
    const accounts = await Promise.all(times(50).map(() => addAccount(server.db)));
    const addresses = accounts.flatMap(({ email }, index) => [email, `nobody${index}@example.com`]);
    const responses = await Promise.all(
      addresses.map((email) => someone.post("/login", { email, password: wrong })),
    );
    const statuses = statusesOf(responses);
    expect(statuses.filter((status) => status === 429)).toHaveLength(100 - most);
    // A fifth at once finds the places of its address taken.
    for (const status of statuses) expect([400, 429, 503]).toContain(status);
  });

  test("shows the minutes to wait, and accepts a login after them", async () => {
    const { email } = await addAccount(server.db);
    const attempt = (secret: string) =>
      visitor(server).post("/login", { email: email.toUpperCase(), password: secret });
    const before = new Set((await server.db.select().from(loginAttempts)).map(({ key }) => key));
    await inTurn(5, () => attempt(wrong));
    const [row, ...others] = (await server.db.select().from(loginAttempts)).filter(
      ({ key }) => !before.has(key),
    );
    expect(others).toEqual([]);
    const waitUntil = (seconds: number) =>
      server.db
        .update(loginAttempts)
        .set({ blockedUntil: new Date(Date.now() + seconds * 1000) })
        .where(eq(loginAttempts.key, row?.key ?? ""));

    await waitUntil(8 * 60 - 1);
    const refused = await attempt(password);
    expect(refused.status).toBe(429);
    const html = await refused.text();
    expect(textOf(html)).toContain("Too many attempts. Try again in 8 minutes.");
    expect(fieldValue(html, "email")).toBe(email.toUpperCase());
    expect(html).not.toContain(password);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(7 * 60);
    expect(Number(refused.headers.get("Retry-After"))).toBeLessThan(8 * 60);

    await waitUntil(0);
    expect((await attempt(wrong)).status).toBe(400);
    expect(textOf(await (await attempt(wrong)).text())).toContain("Try again in 2 minutes.");
    await waitUntil(0);
    expect((await attempt(password)).status).toBe(303);
    const responses = await inTurn(6, () => attempt(wrong));
    expect(responses.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 429]);
  });

  test("stays open to a known browser, while other clients must wait", async () => {
    const { email } = await addAccount(server.db);
    const owner = visitor(server);
    await owner.logIn(email);
    await owner.post("/logout");
    expect(owner.cookies.has("__Host-session")).toBe(false);
    const strangers = await Promise.all(
      times(20).map(() => visitor(server).post("/login", { email, password: wrong })),
    );
    expect(statusesOf(strangers).filter((status) => status === 400)).toHaveLength(5);

    // The browser is unknown to all other accounts.
    const other = await addAccount(server.db);
    for (const _ of times(5)) await visitor(server).post("/login", { email: other.email, password: wrong });
    expect((await owner.post("/login", { email: other.email, password })).status).toBe(429);

    // Wrong passwords from a known browser are counted separately.
    const mistyped = await inTurn(2, () => owner.post("/login", { email, password: wrong }));
    expect(mistyped.map(({ status }) => status)).toEqual([400, 400]);
    await owner.logIn(email);
    expect((await visitor(server).post("/login", { email, password })).status).toBe(429);
    const thief = visitor(server);
    thief.cookies.set("__Host-device", owner.cookies.get("__Host-device") ?? "");
    const guesses = await inTurn(6, () => thief.post("/login", { email, password: wrong }));
    expect(guesses.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 429]);
  });

  test("cannot be reached by a forged cookie of a known browser", { tags: ["slow"] }, async () => {
    const { email } = await addAccount(server.db);
    const owner = visitor(server);
    await owner.logIn(email);
    const cookie = decodeURIComponent(owner.cookies.get("__Host-device") ?? "");
    const [content = ""] = cookie.split(".");
    expect(Buffer.from(content, "base64").toString()).not.toContain(email);
    for (const _ of times(5)) await visitor(server).post("/login", { email, password: wrong });
    for (const forgery of [content, `${content}.`, `${content}.${"A".repeat(43)}`, "%", "x".repeat(4_000)]) {
      const forger = visitor(server);
      forger.cookies.set("__Host-device", encodeURIComponent(forgery));
      const { status } = await forger.post("/login", { email, password });
      expect([forgery, status]).toEqual([forgery, 429]);
    }
  });

  test("leaves no address of attempts in the database", async () => {
    await visitor(server).post("/login", { email: "secretive@example.com", password: wrong });
    const rows = JSON.stringify(await server.db.select().from(loginAttempts));
    expect(rows).not.toMatch(/secretive|example|Wr0ng/);
    const [account] = await server.db.select().from(users).limit(1);
    expect(await server.db.$count(loginAttempts, like(loginAttempts.key, `%${account?.id}%`))).toBe(0);
  });

  test("takes as long for an unknown address as for a wrong password", { tags: ["slow"] }, async () => {
    // A current hash, and one with a lower cost from before.
    const hashes = [hashSync(password, 10), hashSync(password, 8)];
    const accounts = await Promise.all(
      times(20).map((index) => addAccount(server.db, { passwordHash: hashes[index % 2] })),
    );
    const taken: Record<"today" | "before" | "nobody", number[]> = { today: [], before: [], nobody: [] };
    const measure = async (into: number[], email: string) => {
      const start = performance.now();
      const response = await visitor(server).post("/login", { email, password: wrong });
      await response.text();
      into.push(performance.now() - start);
      expect(response.status).toBe(400);
    };
    // Alternating, so that other load on the machine slows down all of them.
    for (const [index, { email }] of accounts.entries()) {
      await measure(index % 2 === 0 ? taken.today : taken.before, email);
      if (index % 2 === 0) await measure(taken.nobody, `stranger${index}@example.com`);
    }
    // The fastest, since other load only adds. They differ by a few percent; a missing or cheaper hash differs far more.
    for (const known of [taken.today, taken.before]) {
      expect(Math.min(...known) / Math.min(...taken.nobody)).toBeGreaterThan(0.5);
      expect(Math.min(...known) / Math.min(...taken.nobody)).toBeLessThan(2);
    }
  });
});
