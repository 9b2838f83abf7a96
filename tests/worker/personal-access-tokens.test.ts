import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { personalAccessTokens, phones, sessions } from "#app/db/schema.ts";
import { accessTokenOf, apiClient } from "../harness/api-client.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { dataPath } from "../harness/data-path.ts";
import { waitForEmail } from "../harness/emails.ts";
import { fieldValue, textOf } from "../harness/html.ts";
import { readContract } from "../harness/openapi.ts";
import { addAccount, addPhone, password, startServer, type TestServer, visitor } from "../harness/server.ts";

const origin = "https://shop.example";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ bindings: { CORS_ORIGINS: origin } });
});
afterAll(() => server?.stop());

const page = "/manage/account/tokens";
const fields = { intent: "create", name: "Price updates", scope: "write", days: "30" };

async function signedIn(account: Parameters<typeof addAccount>[1] = {}) {
  const row = await addAccount(server.db, account);
  const person = visitor(server);
  await person.signIn(row.email);
  return { ...row, person };
}
type Person = Awaited<ReturnType<typeof signedIn>>["person"];

/** Creates a token on the page, and returns its text. */
async function create(person: Person, more: Record<string, string> = {}): Promise<string> {
  const response = await person.post(page, { ...fields, ...more });
  const html = await response.text();
  const token = /rb_[\w-]{43}/.exec(html)?.[0];
  expect([response.status, token]).toEqual([200, expect.any(String)]);
  return token ?? "";
}

const clientWith = (token: string, headers: Record<string, string> = {}) =>
  apiClient(server, { Authorization: `Bearer ${token}`, ...headers });

async function expectEnded(token: string) {
  const response = await clientWith(token).get("/bookings");
  expect([response.status, response.headers.get("WWW-Authenticate")]).toEqual([
    401,
    'Bearer realm="Ringback", error="invalid_token"',
  ]);
}

describe("the page", () => {
  test("shows a token in the response to the form only, and tells the owner by email", async () => {
    const { person, id, email } = await signedIn({ emailVerifiedAt: new Date() });
    const response = await person.post(page, fields);
    const html = await response.text();
    expect([response.status, response.headers.get("Cache-Control")]).toEqual([200, "private, no-store"]);
    expect(textOf(html)).toContain("Token “Price updates” created");
    const token = /rb_[\w-]{43}/.exec(html)?.[0] ?? "";
    expect(response.headers.getSetCookie().join()).not.toContain(token.slice(3));
    const [row] = await server.db.select().from(personalAccessTokens);
    expect(row).toMatchObject({ userId: id, name: "Price updates", scope: "write", lastUsedAt: null });
    await clientWith(token).get("/bookings");
    const told = await waitForEmail(server, email);
    expect(told.subject).toBe("A personal access token was created for your Ringback account");
    expect(told.text + told.html).not.toContain(token);

    const exported = await (await person.post("/manage/account/export")).text();
    const texts = [exported];
    for (const path of [
      page,
      "/manage/account/security",
      dataPath(page),
      dataPath("/manage/account/security"),
    ]) {
      texts.push(await (await person.get(path)).text());
    }
    for (const text of texts) {
      expect(text).not.toContain(token.slice(3));
      expect(text).not.toContain(row?.tokenHash);
    }
    expect(JSON.parse(exported).personalAccessTokens).toEqual([
      {
        name: "Price updates",
        scope: "write",
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        lastUsedAt: expect.any(String),
      },
    ]);
    expect(textOf(texts[1] ?? "")).toMatch(/Price updates Read and write Expires .* Last used /);
    expect(textOf(texts[2] ?? "")).toContain("You’ve got 1 token.");
  });

  test("keeps what was typed beside the errors", async () => {
    const { person, id } = await signedIn();
    for (const [more, message] of [
      [{ name: " " }, "Name required"],
      [{ name: "x".repeat(61) }, "Name must be 60 characters or shorter"],
      [{ scope: "admin" }, "Choose what the token can do"],
      [{ days: "36500" }, "Choose when the token expires"],
    ] as const) {
      const response = await person.post(page, { ...fields, ...more });
      const html = await response.text();
      expect([response.status, textOf(html)]).toEqual([400, expect.stringContaining(message)]);
      if ("days" in more || "scope" in more) expect(fieldValue(html, "name")).toBe("Price updates");
    }
    expect(await server.db.$count(personalAccessTokens, eq(personalAccessTokens.userId, id))).toBe(0);
  });

  test("creates one token for a form posted twice, and the text shown last works", async () => {
    const { person } = await signedIn();
    const formKey = fieldValue(await (await person.get(page)).text(), "formKey") ?? "";
    const first = await create(person, { formKey });
    const second = await create(person, { formKey });
    await expectEnded(first);
    expect((await clientWith(second).get("/bookings")).status).toBe(200);
    const third = await person.post(page, { ...fields, formKey });
    const html = await third.text();
    expect([third.status, fieldValue(html, "name")]).toEqual([409, "Price updates"]);
    expect(textOf(html)).toContain("You’ve already created a token here.");
    expect(fieldValue(html, "formKey")).not.toBe(formKey);
    expect(html.match(/name="_id"/g)).toHaveLength(1);
  });

  test("creates no token in a form that was opened for another account", async () => {
    const { person, id } = await signedIn();
    const response = await person.post(page, { ...fields, account: "other@example.com" });
    expect(response.status).toBe(409);
    expect(await server.db.$count(personalAccessTokens, eq(personalAccessTokens.userId, id))).toBe(0);
  });

  test("creates tokens after a recent login only, and revokes them always", async () => {
    const { person, id, email } = await signedIn();
    const token = await create(person);
    const opened = new Date(Date.now() - 15 * 60_000);
    await server.db.update(sessions).set({ createdAt: opened }).where(eq(sessions.userId, id));
    const shown = await (await person.get(page)).text();
    expect(textOf(shown)).toContain("You logged in more than 15 minutes ago.");
    expect(shown).not.toContain("Create token");
    const refused = await person.post(page, fields);
    const html = await refused.text();
    expect([refused.status, fieldValue(html, "name")]).toEqual([409, "Price updates"]);
    expect(textOf(html)).toContain("Log in again, then create the token within 15 minutes.");
    expect(html).toContain("/login?redirectTo=/manage/account/tokens");
    const revoked = await person.post(page, { intent: "revoke", _id: fieldValue(shown, "_id") ?? "" });
    expect([revoked.status, revoked.headers.get("Location")]).toEqual([303, page]);
    expect(textOf(await (await person.get(page)).text())).toContain("Token revoked");
    await expectEnded(token);
    await person.signIn(email);
    await create(person);
  });

  test("has no form beyond twenty tokens", async () => {
    const { person, id } = await signedIn();
    for (let count = 0; count < 20; count += 1) {
      const row = { userId: id, name: `${count}`, scope: "read", expiresAt: new Date() } as const;
      const unique = `${id} ${count}`;
      await server.db.insert(personalAccessTokens).values({ ...row, tokenHash: unique, formKey: unique });
    }
    const html = await (await person.get(page)).text();
    expect(textOf(html)).toContain("You have 20 tokens, and that’s the limit.");
    expect(html).not.toContain("Create token");
    const response = await person.post(page, fields);
    expect([response.status, textOf(await response.text())]).toEqual([
      409,
      expect.stringContaining("You have 20 tokens. Revoke one to create another."),
    ]);
  });
});

describe("a token", () => {
  test("of scope read makes no writes, of scope write does", async () => {
    const { person, id, email } = await signedIn({ userType: "Seller" });
    const phone = await addPhone(server.db, { sellerId: id });
    const read = clientWith(await create(person, { scope: "read" }));
    expect((await read.get("/allPhoneInfo")).body).toEqual([expect.objectContaining({ _id: phone.id })]);
    expect((await read.get(`/users/seller/${email}`)).body).toEqual({ isSeller: true });
    const report = { name: "", email: "", details: "By a program" };
    for (const response of [
      await read.delete(`/phones/delete/${phone.id}`),
      await read.post("/report", report),
      await read.post("/bookings", { phoneId: phone.id }, { "Idempotency-Key": "x" }),
    ]) {
      expect([response.status, response.headers.get("WWW-Authenticate"), response.body.detail]).toEqual([
        403,
        'Bearer realm="Ringback", error="insufficient_scope", scope="write"',
        "This token can only read. Create one that can write.",
      ]);
    }
    const [row] = await server.db.select().from(phones).where(eq(phones.id, phone.id));
    expect([row?.hiddenById, row?.status]).toEqual([null, "available"]);
    const write = clientWith(await create(person));
    expect((await write.post("/report", report)).status).toBe(200);
    expect((await write.delete(`/phones/delete/${phone.id}`)).status).toBe(200);
  });

  test("opens neither sessions nor accounts nor pages", async () => {
    const { person, email } = await signedIn();
    const token = await create(person);
    const program = clientWith(token);
    const user = { name: "M", email: "new@example.com", userType: "Buyer", password };
    for (const response of [
      await program.get(`/jwt?email=${email}`),
      await program.post("/users", user),
      await program.post("/users", { ...user, email, password: undefined }),
      // The token wins over the cookie.
      await apiClient(server, { Authorization: `Bearer ${token}` }, person).get(`/jwt?email=${email}`),
    ]) {
      expect([response.status, response.body.detail]).toEqual([
        403,
        "Personal access tokens can’t do this. Log in instead.",
      ]);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    for (const path of ["/manage", page, "/manage/account"]) {
      const headers = { Authorization: `Bearer ${token}` };
      expect((await visitor(server).send(path, { headers })).status).toBe(302);
    }
  });

  test("of an administrator opens nothing of other people, while the session’s bearer token does", async () => {
    const { person, ...account } = await signedIn({ userType: "Admin" });
    const token = clientWith(await create(person));
    const bearer = await accessTokenOf({ ...apiClient(server, {}, person), account });
    const session = apiClient(server, { Authorization: `Bearer ${bearer}` });
    const { operations } = await readContract(server);
    const forStaff = operations.filter(
      ({ operation }) => !/^(anyone|signed in)$/.test(operation["x-access"]),
    );
    expect(forStaff.map(({ template }) => template)).toContain("/users");
    const refused = "Personal access tokens can’t do this. Log in instead.";
    for (const { method, template, operation } of forStaff) {
      expect([template, operation.security]).toEqual([template, [{ token: [] }, { session: [] }]]);
      const response = await token.send(method, template.replace(/\{\w+\}/, "x"));
      expect([template, response.status, response.body.detail]).toEqual([template, 403, refused]);
    }
    for (const path of ["/users", "/sellers", "/report", "/problems"]) {
      expect([path, (await session.get(path)).status]).toEqual([path, 200]);
    }

    const seller = await addAccount(server.db, { userType: "Seller" });
    const buyer = await addAccount(server.db);
    const phone = await addPhone(server.db, { sellerId: seller.id });
    const { orderId = "" } = await bookWithoutLimits(server.db, buyer, phone.id, { address: "", phone: "" });
    const notByToken = "You don’t have permission to do this with a personal access token.";
    for (const [path, status, detail] of [
      [`/allPhoneInfo?email=${seller.email}`, 403, notByToken],
      [`/bookings?email=${buyer.email}`, 403, notByToken],
      [`/bookings/steps/${orderId}`, 404, "No such booking."],
    ] as const) {
      const response = await token.get(path);
      expect([path, response.status, response.body.detail]).toEqual([path, status, detail]);
      expect([path, (await session.get(path)).status]).toEqual([path, 200]);
    }
    expect((await token.get(`/users/seller/${seller.email}`)).body).toEqual({ isSeller: false });
    expect((await token.delete(`/phones/delete/${phone.id}`)).status).toBe(404);
    expect((await token.delete(`/bookings/delete/${orderId}`)).status).toBe(404);
  });

  test("ends when it expires, and with the password, while logging out leaves it", async () => {
    const { person, id } = await signedIn();
    const expired = await create(person);
    await server.db
      .update(personalAccessTokens)
      .set({ expiresAt: new Date() })
      .where(eq(personalAccessTokens.userId, id));
    await expectEnded(expired);
    expect(textOf(await (await person.get(page)).text())).toContain("Expired");
    const token = await create(person);
    const change = { intent: "password", currentPassword: password, password: "another1" };
    expect((await person.post("/manage/account/security", { intent: "log out others" })).status).toBe(303);
    expect((await clientWith(token).get("/bookings")).status).toBe(200);
    expect((await person.post("/manage/account/security", change)).status).toBe(303);
    await expectEnded(token);
    const last = await create(person);
    await person.post("/logout");
    expect((await clientWith(last).get("/bookings")).status).toBe(200);
  });

  test("works from an allowed origin of another site, without cookies", async () => {
    const { person, id } = await signedIn({ userType: "Seller" });
    const token = await create(person);
    const phone = await addPhone(server.db, { sellerId: id });
    const crossSite = { Origin: origin, "Sec-Fetch-Site": "cross-site" };
    const program = clientWith(token, crossSite);
    const preflight = await apiClient(server, crossSite).send("OPTIONS", "/phones/delete/x", {
      headers: {
        "Access-Control-Request-Method": "DELETE",
        "Access-Control-Request-Headers": "authorization",
      },
    });
    expect(preflight.headers.get("Access-Control-Allow-Headers")).toContain("Authorization");
    for (const response of [
      await program.get("/allPhoneInfo"),
      await program.delete(`/phones/delete/${phone.id}`),
    ]) {
      expect([response.status, response.headers.get("Access-Control-Allow-Origin")]).toEqual([200, origin]);
    }
    const ended = await clientWith(`${token.slice(0, -1)}?`, crossSite).get("/bookings");
    expect([ended.status, ended.headers.get("Access-Control-Allow-Origin")]).toEqual([401, origin]);
    const unlisted = { Origin: "https://other.example", "Sec-Fetch-Site": "cross-site" };
    expect((await clientWith(token, unlisted).post("/report", {})).status).toBe(403);
  });
});
