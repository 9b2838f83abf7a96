import { eq } from "drizzle-orm";
import { SignJWT, UnsecuredJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { sessions, users } from "#app/db/schema.ts";
import { derivedKey } from "#app/server/config/crypto.server.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import {
  type ApiClient,
  accessTokenOf,
  apiClient,
  signedInClient,
  tokenClient,
} from "../harness/api-client.ts";
import { removeUser } from "../harness/fixtures.ts";
import { addAccount, addPhone, password, sessionSecret, sharedServer, visitor } from "../harness/server.ts";

let server: LocalServer;
let nobody: ApiClient;
let admin: Awaited<ReturnType<typeof signedInClient>>;
beforeAll(async () => {
  server = await sharedServer();
  nobody = apiClient(server);
  admin = await signedInClient(server, { userType: "Admin" });
});

const newAddress = () => `${crypto.randomUUID()}@example.com`;
const accountOf = async (email: string) =>
  (await server.db.select().from(users).where(eq(users.email, email)))[0];

describe("POST /users", () => {
  test.each(["Buyer", "Seller"])("creates and signs in a %s, as the original page does", async (userType) => {
    const one = apiClient(server);
    const email = newAddress();
    const response = await one.post("/users", { name: "Mia Sund", email, userType, password });
    const account = await accountOf(email);
    expect([response.status, response.body]).toEqual([200, { acknowledged: true, insertedId: account?.id }]);
    expect(account).toMatchObject({ name: "Mia Sund", userType, verified: false });
    expect(account?.passwordHash).not.toContain(password);
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-session=.*HttpOnly.*Secure.*SameSite=Lax/);

    // The original client then requests a token, and uses it.
    const token = await accessTokenOf({ ...one, account: { email } });
    const program = apiClient(server, { Authorization: `Bearer ${token}` });
    expect((await program.get(`/bookings?email=${email}`)).body).toEqual([]);
    expect((await program.get(`/users/seller/${email}`)).body).toEqual({ isSeller: userType === "Seller" });
    expect((await visitor(server).post("/login", { email, password })).status).toBe(303);
  });

  test("ignores the role Admin, the verification and the id of the request", async () => {
    for (const userType of ["Admin", "admin", "", null, ["Buyer"], undefined]) {
      const email = newAddress();
      const response = await apiClient(server).post("/users", { name: "M", email, userType, password });
      expect([userType, response.status, await accountOf(email)]).toEqual([userType, 422, undefined]);
    }
    const email = newAddress();
    const forged = { _id: "chosen", verified: "yes", isAdmin: true, createdAt: 0, passwordHash: "x" };
    await apiClient(server).post("/users", { ...forged, name: "M", email, userType: "Seller", password });
    expect(await accountOf(email)).toMatchObject({ verified: false, userType: "Seller" });
    expect((await accountOf(email))?.id).not.toBe("chosen");
  });

  test("without a password acknowledges the client's own record only", async () => {
    const one = await tokenClient(server);
    const { name, email, id } = one.account;
    const own = await one.post("/users", { name: "Another", email: email.toUpperCase(), userType: "Seller" });
    expect([own.status, own.body]).toEqual([200, { acknowledged: true, insertedId: id }]);
    expect(await accountOf(email)).toMatchObject({ name, userType: "Buyer" });
    const count = await server.db.$count(users);
    const other = { name, email: newAddress(), userType: "Buyer" };
    expect((await one.post("/users", other)).status).toBe(403);
    expect((await one.post("/users", { ...other, email: admin.account.email })).status).toBe(403);
    expect((await nobody.post("/users", { ...other, email })).status).toBe(401);
    expect((await nobody.post("/users", other)).status).toBe(401);
    expect(await server.db.$count(users)).toBe(count);
  });

  test("refuses an address in use, in any letter case, and does not sign in", async () => {
    const { email } = await addAccount(server.db);
    const one = apiClient(server);
    const body = { name: "M", email: email.toUpperCase(), userType: "Buyer", password };
    expect((await one.post("/users", body)).status).toBe(409);
    expect(one.visitor.cookies.size).toBe(0);
    const twenty = { name: "M", email: newAddress(), userType: "Buyer", password };
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => apiClient(server).post("/users", twenty)),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
  });

  test("names each invalid field", async () => {
    const fits = { name: "M", email: newAddress(), userType: "Buyer", password };
    for (const [name, value, detail] of [
      ["name", " ", "Name required"],
      ["email", "nobody", /email address/],
      ["email", undefined, "Email Address required"],
      ["password", "", "Password is required"],
      ["password", "abc1", "Password must be 6 Character or Longer"],
      ["password", "ABCDEF", "Need strong password"],
      ["password", 123456, /./],
      ["password", `a1${"x".repeat(71)}`, /72 bytes/],
    ] as const) {
      const response = await apiClient(server).post("/users", { ...fits, [name]: value });
      expect([name, value, response.status, response.body.errors]).toEqual([
        name,
        value,
        422,
        [{ pointer: `#/${name}`, detail: expect.stringMatching(detail) }],
      ]);
    }
    expect(await accountOf(fits.email)).toBeUndefined();
  });
});

describe("the administrator's lists", () => {
  test("have the fields that the original's tables read", async () => {
    const seller = await addAccount(server.db, { userType: "Seller" });
    const verified = await addAccount(server.db, { userType: "Seller", verified: true });
    const removed = await addAccount(server.db, { userType: "Seller", removalId: "some removal" });
    const record = ({ id: _id, name, email, userType }: typeof seller) => ({ _id, name, email, userType });
    const { body: all } = await admin.get("/users");
    expect(all.slice(0, 2)).toEqual([record(verified), record(seller)]);
    expect(all).toContainEqual(record(admin.account));
    const { body: some, text } = await admin.get("/sellers");
    expect(some.slice(0, 2)).toEqual([
      { ...record(verified), verified: "yes" },
      { ...record(seller), verified: null },
    ]);
    expect(some.every(({ userType }: { userType: string }) => userType === "Seller")).toBe(true);
    expect(text).not.toContain(removed.email);
  });

  test("PUT /seller/verify/{id} verifies sellers only, once", async () => {
    const { id } = await addAccount(server.db, { userType: "Seller" });
    const buyer = await addAccount(server.db);
    expect((await admin.put(`/seller/verify/${id}`)).body).toEqual({ acknowledged: true, modifiedCount: 1 });
    expect((await admin.put(`/seller/verify/${id}`)).body).toEqual({ acknowledged: true, modifiedCount: 0 });
    for (const other of [buyer.id, admin.account.id, "nothing"]) {
      const response = await admin.put(`/seller/verify/${other}`);
      expect([response.status, response.body.modifiedCount]).toEqual([404, 0]);
    }
    await addPhone(server.db, { sellerId: id, model: "Of one verified" });
    expect(await (await visitor(server).get("/products")).text()).toContain("Verified");
  });

  test("DELETE /users/delete/{id} ends sessions and tokens, and removes the listings", async () => {
    const seller = await signedInClient(server, { userType: "Seller" });
    const token = await accessTokenOf(seller);
    const phone = await addPhone(server.db, { sellerId: seller.account.id });
    const response = await admin.delete(`/users/delete/${seller.account.id}`);
    expect([response.status, response.body]).toEqual([200, { acknowledged: true, deletedCount: 1 }]);
    expect((await admin.delete(`/users/delete/${seller.account.id}`)).status).toBe(404);
    expect((await seller.get("/bookings")).status).toBe(401);
    const program = apiClient(server, { Authorization: `Bearer ${token}` });
    expect((await program.get("/bookings")).status).toBe(401);
    expect((await nobody.get("/phoneInfoCollection")).text).not.toContain(phone.id);
  });
});

describe("GET /users/admin/{email} and /users/seller/{email}", () => {
  test("return the role to the owner and to administrators, and false to others", async () => {
    const seller = await tokenClient(server, { userType: "Seller" });
    const buyer = await signedInClient(server);
    const fetchFlags = async (client: ApiClient, email: string) => [
      (await client.get(`/users/admin/${email}`)).body,
      (await client.get(`/users/seller/${email}`)).body,
    ];
    const flagsOf = (isAdmin: boolean, isSeller: boolean) => [{ isAdmin }, { isSeller }];
    const { email } = seller.account;
    expect(await fetchFlags(seller, email)).toEqual(flagsOf(false, true));
    expect(await fetchFlags(seller, encodeURIComponent(email.toUpperCase()))).toEqual(flagsOf(false, true));
    expect(await fetchFlags(admin, email)).toEqual(flagsOf(false, true));
    expect(await fetchFlags(admin, admin.account.email)).toEqual(flagsOf(true, false));
    for (const client of [buyer, nobody, seller]) {
      expect(await fetchFlags(client, admin.account.email)).toEqual(flagsOf(false, false));
    }
    for (const client of [buyer, nobody])
      expect(await fetchFlags(client, email)).toEqual(flagsOf(false, false));
    expect(await fetchFlags(admin, "no-such@example.com")).toEqual(flagsOf(false, false));
  });
});

describe("an access token", () => {
  test("is issued for the client's own address only", async () => {
    const one = await signedInClient(server, { email: "Own.Address@example.com" });
    expect((await one.get("/jwt?email=own.address%40example.com")).body).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });
    for (const email of [admin.account.email, "", "%00", "x"]) {
      expect([email, (await one.get(`/jwt?email=${email}`)).status]).toEqual([email, 403]);
    }
    expect((await one.get("/jwt")).body.errors).toEqual([
      { parameter: "email", detail: "email is required" },
    ]);
    expect((await nobody.get(`/jwt?email=${one.account.email}`)).status).toBe(401);
    expect((await admin.get(`/jwt?email=${one.account.email}`)).status).toBe(403);
  });

  test("is issued for an address with an unencoded plus sign", async () => {
    const one = await signedInClient(server, { email: "plus+sign+twice@example.com" });
    for (const email of [one.account.email, encodeURIComponent(one.account.email)]) {
      expect((await one.get(`/jwt?email=${email}`)).status).toBe(200);
      expect((await one.get(`/bookings?email=${email}`)).body).toEqual([]);
      expect((await one.get(`/allPhoneInfo?email=${email}`)).body).toEqual([]);
      expect((await admin.get(`/bookings?email=${email}`)).body).toEqual([]);
    }
    for (const email of ["plus+sign+twice", "plus@example.com", "plus++sign+twice@example.com"]) {
      expect([email, (await one.get(`/jwt?email=${email}`)).status]).toEqual([email, 403]);
    }
  });

  test("has no personal data, and expires after an hour", async () => {
    const { token, account } = await tokenClient(server);
    const [head = "", claims = ""] = token.split(".");
    const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
    expect(read(head)).toEqual({ alg: "HS256", typ: "JWT" });
    const { iat, exp, ...rest } = read(claims);
    expect(exp - iat).toBe(3600);
    expect(rest).toEqual({
      iss: "ringback",
      aud: "ringback-api",
      sub: account.id,
      sid: expect.any(String),
    });
  });

  test("is refused when it is malformed or forged", async () => {
    const { account } = await signedInClient(server);
    const [session] = await server.db.select().from(sessions).where(eq(sessions.userId, account.id));
    const key = await derivedKey(sessionSecret, "access tokens");
    const otherKey = await derivedKey(`${sessionSecret}!`, "access tokens");
    const otherPurpose = await derivedKey(sessionSecret, "idempotency");
    const bytes = new TextEncoder().encode(sessionSecret);
    const claims = (changed: object = {}) => ({
      ...{ iss: "ringback", aud: "ringback-api", sub: account.id, sid: session?.id },
      ...{ exp: Math.floor(Date.now() / 1000) + 600, ...changed },
    });
    const sign = (changed?: object, by: CryptoKey | Uint8Array = key, alg = "HS256") =>
      new SignJWT(claims(changed)).setProtectedHeader({ alg }).sign(by);
    const good = await sign();
    const statusWith = async (authorization: string) =>
      (await apiClient(server, { Authorization: authorization }).get("/bookings")).status;
    expect(await statusWith(`Bearer ${good}`)).toBe(200);

    const longKey = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-512" }, true, ["sign"]);
    const past = Math.floor(Date.now() / 1000) - 1;
    const [head = "", body = "", signature = ""] = good.split(".");
    const bad: Record<string, string> = {
      "algorithm none": new UnsecuredJWT(claims()).encode(),
      "another algorithm": await sign({}, longKey, "HS512"),
      "the secret itself as the key": await sign({}, bytes),
      "another key": await sign({}, otherKey),
      "a key for another purpose": await sign({}, otherPurpose),
      "another issuer": await sign({ iss: "elsewhere" }),
      "no issuer": await sign({ iss: undefined }),
      "another audience": await sign({ aud: "elsewhere" }),
      "no audience": await sign({ aud: undefined }),
      "another subject": await sign({ sub: admin.account.id }),
      "no subject": await sign({ sub: undefined }),
      "no session": await sign({ sid: undefined }),
      "a session that is no text": await sign({ sid: { $ne: null } }),
      "a session nobody has": await sign({ sid: "x" }),
      expired: await sign({ exp: past }),
      "no end": await sign({ exp: undefined }),
      "not valid yet": await sign({ nbf: past + 600 }),
      "no signature": `${head}.${body}.`,
      "a broken signature": `${head}.${body}.${signature.replace(/^./, (first) => (first === "A" ? "B" : "A"))}`,
      "two parts": `${head}.${body}`,
      "four parts": `${good}.x`,
      garbage: "garbage",
      "the session's id": session?.id ?? "",
      "very long": "x".repeat(6_000),
    };
    for (const [what, token] of Object.entries(bad)) {
      expect([what, await statusWith(`Bearer ${token}`)]).toEqual([what, 401]);
    }
    for (const header of [
      good,
      "Bearer",
      "Bearer ",
      `Basic ${good}`,
      `Bearer ${good} ${good}`,
      `Bearer\t${good}`,
    ]) {
      expect([header, await statusWith(header)]).toEqual([header, 401]);
    }
  });

  test("that is invalid is refused despite a valid cookie, and anonymous on public operations", async () => {
    const one = await signedInClient(server, { userType: "Seller" });
    const bad = { Authorization: "Bearer garbage" };
    const response = await one.get("/bookings", bad);
    expect([response.status, response.headers.get("WWW-Authenticate")]).toEqual([
      401,
      'Bearer realm="Ringback", error="invalid_token"',
    ]);
    expect((await one.get(`/users/seller/${one.account.email}`, bad)).body).toEqual({ isSeller: false });
    expect((await nobody.get("/bookings")).headers.get("WWW-Authenticate")).toBe('Bearer realm="Ringback"');
  });

  test("that is no token at all leaves the request to the cookie", async () => {
    const one = await signedInClient(server);
    for (const header of [
      "",
      "Bearer",
      "Bearer ",
      "Bearer null",
      "bearer undefined",
      "null",
      "Basic bWlhOng=",
    ]) {
      const withCookie = await one.get("/bookings", { Authorization: header });
      expect([header, withCookie.status]).toEqual([header, 200]);
      const without = await nobody.get("/bookings", { Authorization: header });
      expect([without.status, without.headers.get("WWW-Authenticate")]).toEqual([
        401,
        'Bearer realm="Ringback"',
      ]);
    }
  });

  test("that is expired is renewed with the cookie, and refused for anything else", async () => {
    const one = await signedInClient(server);
    const [session] = await server.db.select().from(sessions).where(eq(sessions.userId, one.account.id));
    const expired = await new SignJWT({ sid: session?.id })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer("ringback")
      .setAudience("ringback-api")
      .setSubject(one.account.id)
      .setExpirationTime(new Date(Date.now() - 1000))
      .sign(await derivedKey(sessionSecret, "access tokens"));
    const Authorization = `Bearer ${expired}`;
    const refused = await one.get("/bookings", { Authorization });
    expect([refused.status, refused.headers.get("WWW-Authenticate")]).toEqual([
      401,
      'Bearer realm="Ringback", error="invalid_token"',
    ]);
    const renewed = await one.get(`/jwt?email=${one.account.email}`, { Authorization });
    const program = apiClient(server, { Authorization: `Bearer ${renewed.body.accessToken}` });
    expect((await program.get("/bookings")).status).toBe(200);
    expect((await nobody.get(`/jwt?email=${one.account.email}`, { Authorization })).status).toBe(401);
  });

  test("that is valid can't renew itself", async () => {
    const one = await tokenClient(server);
    const refused = await one.get(`/jwt?email=${one.account.email}`);
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      "Bearer tokens can’t do this. Log in instead.",
    ]);
  });

  test("has precedence over a cookie", async () => {
    const [one, other] = [await tokenClient(server, { userType: "Seller" }), await signedInClient(server)];
    const { id } = await addPhone(server.db, { sellerId: one.account.id });
    const { body } = await other.get("/allPhoneInfo", { Authorization: `Bearer ${one.token}` });
    expect(body).toMatchObject([{ _id: id }]);
  });

  test("ends with its session: by logout, expiry, or removal of the account", async () => {
    const [out, late, gone] = [
      await signedInClient(server),
      await signedInClient(server),
      await signedInClient(server, { userType: "Seller" }),
    ];
    const programs: ApiClient[] = [];
    for (const person of [out, late, gone]) {
      programs.push(apiClient(server, { Authorization: `Bearer ${await accessTokenOf(person)}` }));
    }
    const statuses = () => Promise.all(programs.map(async ({ get }) => (await get("/bookings")).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    await out.visitor.post("/logout");
    await server.db
      .update(sessions)
      .set({ expiresAt: new Date() })
      .where(eq(sessions.userId, late.account.id));
    await removeUser(server.db, admin.account, gone.account.id);
    expect(await statuses()).toEqual([401, 401, 401]);
  });

  test("has the account's current role", async () => {
    const one = await tokenClient(server);
    const raise = (userType: "Buyer" | "Admin") =>
      server.db.update(users).set({ userType }).where(eq(users.id, one.account.id));
    expect((await one.get("/users")).status).toBe(403);
    await raise("Admin");
    expect((await one.get("/users")).status).toBe(200);
    await raise("Buyer");
    expect((await one.get("/users")).status).toBe(403);
  });

  test("ends with its session", async () => {
    const one = await signedInClient(server);
    const program = apiClient(server, { Authorization: `Bearer ${await accessTokenOf(one)}` });
    expect((await program.get("/bookings")).status).toBe(200);
    await one.visitor.post("/logout");
    expect((await program.get("/bookings")).status).toBe(401);
  });
});
