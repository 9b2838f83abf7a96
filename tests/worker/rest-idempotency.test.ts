import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { idempotencyKeys, orders, phones, sessions } from "#app/db/schema.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { type ApiClient, apiClient, tokenClient } from "../harness/api-client.ts";
import { validListing } from "../harness/listing-form.ts";
import { prepareExample, writes } from "../harness/mutations/mutations.ts";
import { addPhone, newAddress, sharedServer } from "../harness/server.ts";

let server: LocalServer;
beforeAll(async () => {
  server = await sharedServer();
});

const newKey = () => crypto.randomUUID();
const keyed = (key: string) => ({ "Idempotency-Key": key });
const unique = (kind: string) => `${kind} ${crypto.randomUUID()}`;

interface Prepared {
  path: string;
  body: Record<string, unknown>;
  /** The number of stored rows. */
  stored(): Promise<number>;
}

/** Operations that store a row. */
const operations: [name: string, prepare: () => Promise<Prepared>][] = [
  ...["POST /phoneInfoCollection", "POST /bookings", "POST /users", "POST /report"].map(
    (name): [string, () => Promise<Prepared>] => [name, () => prepareOperation(name)],
  ),
  ["booking by likeness", prepareBookingByLikeness],
];

async function prepareOperation(name: string): Promise<Prepared> {
  const example = writes.find(({ rest }) => rest === name);
  const { rest, rows } = (example && (await prepareExample(server, example))) ?? {};
  if (!rest?.body || !rows) throw new Error(`There is no example of ${name}.`);
  return { path: rest.path, body: { ...rest.body }, stored: async () => JSON.parse(await rows()).length };
}

async function prepareBookingByLikeness(): Promise<Prepared> {
  const like = { brandName: "Sony", model: unique("Like") };
  // Enough for each repeated request to book one, if it could.
  for (let count = 0; count < 3; count += 1) await addPhone(server.db, like);
  const productName = `${like.brandName} ${like.model}`;
  const body = { productName, ram: "8 GB", rom: "256 GB", price: "349.5", buyerAddress: "Here" };
  const stored = () => server.db.$count(orders, eq(orders.productName, productName));
  return { path: "/bookings", body, stored };
}

describe.each(operations)("%s", (_name, prepare) => {
  let one: ApiClient;
  beforeEach(async () => {
    one = await tokenClient(server);
  });

  test("repeated has the same response, and stores nothing", async () => {
    const { path, body, stored } = await prepare();
    const key = newKey();
    const first = await one.post(path, body, keyed(key));
    expect([first.status, first.headers.get("Idempotent-Replayed")]).toEqual([200, null]);
    const sessionsBefore = await server.db.$count(sessions);
    // With quotes, as in the draft standard, or without, as most clients send it.
    for (const written of [key, `"${key}"`]) {
      const again = await one.post(path, body, keyed(written));
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    }
    expect([await stored(), await server.db.$count(sessions)]).toEqual([1, sessionsBefore]);
  });

  test("with another body and the same key is refused, and with another key is another request", async () => {
    const { path, body, stored } = await prepare();
    const other = { ...body, buyerAddress: "There" };
    const key = newKey();
    const first = await one.post(path, body, keyed(key));
    expect((await one.post(path, other, keyed(key))).status).toBe(422);
    expect(await stored()).toBe(1);
    const another = await one.post(path, other, keyed(newKey()));
    expect(another.headers.get("Idempotent-Replayed")).toBeNull();
    expect(another.body.insertedId).not.toBe(first.body.insertedId);
  });

  test("twenty times at once stores once", async () => {
    const { path, body, stored } = await prepare();
    const key = newKey();
    // Not from one address, whose limit is five reports a minute. The keys of sign-ups belong to one.
    const from = (): Record<string, string> =>
      path === "/report" ? { "CF-Connecting-IP": newAddress() } : {};
    const repeat = () => one.post(path, body, { ...keyed(key), ...from() });
    const responses = await Promise.all(Array.from({ length: 20 }, repeat));
    expect(await stored()).toBe(1);
    const done = responses.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    // The others came during the first request, and get 409.
    for (const { status, headers } of responses) {
      if (status !== 200) expect([status, headers.get("Retry-After")]).toEqual([409, "1"]);
    }
    expect((await repeat()).text).toBe(done[0]?.text);
  });

  test("stores neither key nor body in plain text", async () => {
    const { path, body } = await prepare();
    const key = newKey();
    await one.post(path, body, keyed(key));
    const kept = JSON.stringify(await server.db.select().from(idempotencyKeys));
    for (const secret of [key, ...Object.values(body).map(String)].filter((text) => text.length > 6)) {
      expect(kept).not.toContain(secret);
    }
  });
});

test("a sign-up can be repeated by the browser it signed in", async () => {
  const browser = apiClient(server);
  const email = `${crypto.randomUUID()}@example.com`;
  const body = { name: "Mia", email, userType: "Buyer", password: "secret1" };
  const key = newKey();
  const first = await browser.post("/users", body, keyed(key));
  expect([...browser.visitor.cookies.keys()]).toContain("__Host-session");
  const again = await browser.post("/users", body, keyed(key));
  expect([again.status, again.text]).toEqual([200, first.text]);
  expect(again.headers.getSetCookie().join()).not.toContain("__Host-session");
  expect((await browser.get(`/jwt?email=${email}`)).status).toBe(200);
});

test("a key belongs to its client and path", async () => {
  const [one, other] = [await tokenClient(server), await tokenClient(server)];
  const key = newKey();
  const body = { ...validListing, model: unique("Model") };
  const first = await one.post("/phoneInfoCollection", body, keyed(key));
  const second = await other.post("/phoneInfoCollection", body, keyed(key));
  expect([second.status, second.headers.get("Idempotent-Replayed")]).toEqual([200, null]);
  expect(second.body.insertedId).not.toBe(first.body.insertedId);
  const report = await one.post("/report", body, keyed(key));
  expect([report.status, report.headers.get("Idempotent-Replayed")]).toEqual([200, null]);
  expect((await apiClient(server).post("/phoneInfoCollection", body, keyed(key))).status).toBe(401);
});

test("a permanent error is repeated, even when the request would succeed now", async () => {
  const [one, other] = [await tokenClient(server), await tokenClient(server)];
  const { id } = await addPhone(server.db);
  const { body: order } = await other.post("/bookings", { phoneId: id });
  const key = newKey();
  const refused = await one.post("/bookings", { phoneId: id }, keyed(key));
  expect(refused.status).toBe(409);
  await other.delete(`/bookings/delete/${order.insertedId}`);
  const again = await one.post("/bookings", { phoneId: id }, keyed(key));
  expect([again.status, again.text, again.headers.get("Idempotent-Replayed")]).toEqual([
    ...[409, refused.text, "true"],
  ]);
  expect((await one.post("/bookings", { phoneId: id }, keyed(newKey()))).status).toBe(200);
});

describe("a temporary error is not stored", () => {
  test("for an invalid body or a missing session", async () => {
    const one = await tokenClient(server);
    const key = newKey();
    const body = { ...validListing, model: unique("Model") };
    expect((await one.post("/phoneInfoCollection", { ...body, ram: "" }, keyed(key))).status).toBe(422);
    expect((await one.post("/phoneInfoCollection", body, keyed(key))).status).toBe(200);
    const own = { name: "M", email: one.account.email, userType: "Buyer" };
    const signUpKey = newKey();
    expect((await apiClient(server).post("/users", own, keyed(signUpKey))).status).toBe(401);
    expect((await one.post("/users", own, keyed(signUpKey))).status).toBe(200);
  });

  test("for a rate limit", async () => {
    const one = apiClient(server);
    const flood = Array.from({ length: 12 }, async () => {
      const key = newKey();
      return { key, response: await one.post("/report", { details: key }, keyed(key)) };
    });
    const refused = (await Promise.all(flood)).find(({ response }) => response.status === 429);
    if (!refused) throw new Error("No request was refused.");
    const elsewhere = apiClient(server);
    const again = await elsewhere.post("/report", { details: refused.key }, keyed(refused.key));
    expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([200, null]);
  });

  test("for an internal error", async () => {
    const one = await tokenClient(server);
    const { id } = await addPhone(server.db);
    const key = newKey();
    await server.db.run(sql`alter table orders rename to orders_away`);
    const broken = await one.post("/bookings", { phoneId: id }, keyed(key));
    await server.db.run(sql`alter table orders_away rename to orders`);
    expect(broken.status).toBe(500);
    const again = await one.post("/bookings", { phoneId: id }, keyed(key));
    expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([200, null]);
  });
});

test("an interrupted request can be retried after a minute", async () => {
  const one = await tokenClient(server);
  const body = { ...validListing, model: unique("Model") };
  const key = newKey();
  const first = await one.post("/phoneInfoCollection", body, keyed(key));
  const [row] = (await server.db.select().from(idempotencyKeys)).filter(
    ({ response }) => response === first.text,
  );
  if (!row) throw new Error("The response was not stored.");
  const begun = (secondsAgo: number) =>
    server.db
      .update(idempotencyKeys)
      .set({ status: null, response: null, createdAt: new Date(Date.now() - secondsAgo * 1000) })
      .where(eq(idempotencyKeys.id, row.id));
  await begun(30);
  expect((await one.post("/phoneInfoCollection", body, keyed(key))).status).toBe(409);
  await begun(61);
  const resumed = await one.post("/phoneInfoCollection", body, keyed(key));
  // The response has the listing that was stored before the interruption, not a second one.
  expect([resumed.status, resumed.body]).toEqual([200, first.body]);
  expect(await server.db.$count(phones, eq(phones.model, body.model))).toBe(1);
});

test("responses are stored for a day", async () => {
  const one = await tokenClient(server);
  const { id } = await addPhone(server.db);
  const key = newKey();
  await one.post("/bookings", { phoneId: id, buyerAddress: "First" }, keyed(key));
  await server.db.update(idempotencyKeys).set({ createdAt: new Date(Date.now() - 24 * 3600_000 - 1000) });
  const { status } = await one.post("/bookings", { phoneId: id, buyerAddress: "Second" }, keyed(key));
  // It is a new request: the phone is already theirs.
  expect([status, await server.db.$count(idempotencyKeys)]).toEqual([409, 1]);
});

test.each(["", " ", "a b", "ä", '"', '"a"b"', "x".repeat(201), "a\tb"])(
  "%j is not a valid key",
  async (key) => {
    const one = await tokenClient(server);
    const body = { ...validListing, model: unique("Model") };
    const bytes = Buffer.from(key, "utf8").toString("latin1");
    expect((await one.post("/phoneInfoCollection", body, keyed(bytes))).status).toBe(400);
    expect(await server.db.$count(phones, eq(phones.model, body.model))).toBe(0);
  },
);
