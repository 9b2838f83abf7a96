import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { phones, tickets } from "#app/db/schema.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { type ApiClient, apiClient, rawRequest, signedInClient, tokenClient } from "../harness/api-client.ts";
import { textOf } from "../harness/html.ts";
import { type ApiResponse, readContract } from "../harness/openapi.ts";
import { sharedServer, startServer, visitor } from "../harness/server.ts";

let server: LocalServer;
let seller: Awaited<ReturnType<typeof tokenClient>>;
beforeAll(async () => {
  server = await sharedServer();
  seller = await tokenClient(server, { userType: "Seller" });
});

const json = { "Content-Type": "application/json" };
const most = 64 * 1024;

/** A report of a given number of bytes, most of them whitespace around the JSON. */
const reportOf = (bytes: number) => {
  const text = JSON.stringify({ details: "long" });
  return text + " ".repeat(bytes - text.length);
};

const streamed = (text: string) =>
  new ReadableStream({
    start(controller) {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length; at += 10_000) controller.enqueue(bytes.slice(at, at + 10_000));
      controller.close();
    },
  });

describe("a request body", () => {
  test.each([
    ["with Content-Length", (text: string) => text],
    ["without Content-Length", streamed],
  ])("%s is accepted up to 64 KiB", async (_, packed) => {
    const one = apiClient(server);
    const send = (bytes: number) =>
      one.send("POST", "/report", {
        body: packed(reportOf(bytes)),
        headers: json,
        duplex: "half",
      } as RequestInit);
    expect((await send(most)).status).toBe(200);
    const before = await server.db.$count(tickets);
    expect((await send(most + 1)).status).toBe(413);
    expect((await send(10 * most)).status).toBe(413);
    expect(await server.db.$count(tickets)).toBe(before);
  });

  test.each([
    ["no type", undefined],
    ["plain text", "text/plain"],
    ["plain text that mentions JSON", "text/plain; application/json"],
    ["a form", "application/x-www-form-urlencoded"],
    ["a form with files", "multipart/form-data; boundary=x"],
    ["another charset", "application/json; charset=iso-8859-1"],
    ["several types", "application/json, text/plain"],
    ["garbage", ";;;"],
  ])("of type %s is refused with 415", async (_, type) => {
    const before = await server.db.$count(phones);
    const headers: Record<string, string> = type ? { "Content-Type": type } : {};
    const body = new TextEncoder().encode("{}");
    const response = await seller.send("POST", "/phoneInfoCollection", { body, headers });
    expect([response.status, response.headers.get("Accept")]).toEqual([415, "application/json"]);
    expect(await server.db.$count(phones)).toBe(before);
  });

  test.each([
    "application/json;charset=utf-8",
    'Application/JSON; Charset="UTF-8"',
    "application/vnd.api+json",
    "application/json; x=y",
  ])("of type %s is accepted", async (type) => {
    const response = await seller.send("POST", "/phoneInfoCollection", {
      body: "{}",
      headers: { "Content-Type": type },
    });
    expect(response.status).toBe(422);
  });

  test.each([
    ["nothing", ""],
    ["truncated JSON", '{"name":'],
    ["two", "{}{}"],
    ["a form", "name=x"],
    ["with comments", "{} // x"],
    ["NaN", '{"price":NaN}'],
    ["invalid UTF-8", Buffer.from('{"brandName":"\xff"}', "latin1")],
    ["too deeply nested", "[".repeat(60_000)],
  ])("that is not JSON (%s) is refused with 400", async (_, body) => {
    expect((await seller.send("POST", "/phoneInfoCollection", { body, headers: json })).status).toBe(400);
  });

  test.each([
    ["deep", `${"[".repeat(30_000)}${"]".repeat(30_000)}`],
    ["with __proto__ keys", '{"__proto__":{"brandName":"x"},"constructor":1,"toString":{}}'],
    ["with a duplicate key", '{"brandName":"a","brandName":1}'],
  ])("that is unusual JSON (%s) is refused with a 4xx status", async (_, body) => {
    const { status } = await seller.send("POST", "/phoneInfoCollection", { body, headers: json });
    expect([400, 422]).toContain(status);
  });
});

test("a GET with a body is handled like one without", async () => {
  const contract = await readContract(server);
  // With a body, which `fetch` would not send.
  const response = await rawRequest(server, "GET", "/sellers", { body: "{}", headers: json });
  contract.validateResponse({ method: "GET", path: "/sellers" }, response);
  expect(response.status).toBe(401);
});

test("an anonymous client gets 401 before any validation", async () => {
  const nobody = apiClient(server);
  for (const [body, headers] of [
    ["{", json],
    ["{}", { "Content-Type": "text/plain" }],
    ["{}", { ...json, "Idempotency-Key": "" }],
  ] as [string, Record<string, string>][]) {
    const response = await nobody.send("POST", "/phoneInfoCollection", { body, headers });
    expect([body, response.status]).toEqual([body, 401]);
  }
});

describe("too many requests from one address", () => {
  const most = 5;
  let busy: LocalServer;
  beforeAll(async () => {
    busy = await startServer({ maxRequests: most });
  });
  afterAll(() => busy?.stop());

  async function expectRetryAfter(response: ApiResponse) {
    expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "60"]);
  }

  test("get 429 for writes that are refused, before they cost a query", async () => {
    const one = await signedInClient(busy);
    const send = (body: string) => one.send("POST", "/bookings", { body, headers: json });
    const anonymous = () =>
      apiClient(busy).send("POST", "/bookings", {
        body: "{}",
        headers: { ...json, "CF-Connecting-IP": "203.0.113.66" },
      });
    const statuses = [];
    for (const body of ["{}", "not json", "{}", "not json", "{}"]) statuses.push((await send(body)).status);
    expect(statuses).toEqual([422, 400, 422, 400, 422]);
    await expectRetryAfter(await send("{}"));
    await expectRetryAfter(await send("not json"));
    for (let count = 0; count < most; count += 1) expect((await anonymous()).status).toBe(401);
    await expectRetryAfter(await anonymous());
  });
});

describe("an internal error", () => {
  let broken: LocalServer;
  let admin: ApiClient;
  beforeAll(async () => {
    broken = await startServer();
    admin = await signedInClient(broken, { userType: "Admin" });
    for (const table of ["phones", "orders", "reports", "revisions"]) {
      await broken.db.run(sql.raw(`alter table ${table} rename to ${table}_away`));
    }
  });
  afterAll(() => broken?.stop());

  test.each([
    ["GET", "/phoneInfoCollection"],
    ["GET", "/phoneInfoCollection/Tablet"],
    ["HEAD", "/phoneInfoCollection"],
    ["GET", "/allPhoneInfo"],
    ["GET", "/bookings"],
    ["GET", "/bookings?limit=5"],
    ["GET", "/report"],
    ["POST", "/report"],
    ["DELETE", "/phones/delete/x"],
    ["DELETE", "/bookings/delete/x"],
  ])("%s %s responds with a problem with a reference, without details", async (method, path) => {
    const response = await admin.send(method, path, {
      ...(method === "POST" && { body: "{}", headers: json }),
    });
    expect([response.status, response.headers.get("Cache-Control")]).toEqual([500, "no-store"]);
    if (method === "HEAD") return;
    expect(response.body.detail).toMatch(/^Something went wrong on our side\. Reference: [0-9a-f-]{36}$/);
    expect(response.text).not.toMatch(/sqlite|D1_|no such table|select|phones/i);
  });

  test("in a scheduled job makes the run fail", async () => {
    await expect(broken.tick()).rejects.toThrow("exception");
  });
});

test("reports by the API and by the page are in the same lists", async () => {
  const admin = await signedInClient(server, { userType: "Admin" });
  const said = { name: "Mia Sund", email: "mia@example.com", details: `By request ${crypto.randomUUID()}` };
  const { body } = await apiClient(server).post("/report", { ...said, _id: "chosen", formKey: "x" });
  const page = textOf(await (await admin.visitor.get("/manage/reports")).text());
  expect(page).toContain(said.details);
  const byPage = `By page ${crypto.randomUUID()}`;
  const form = new URLSearchParams({ ...said, details: byPage });
  const headers = { Origin: server.url, "CF-Connecting-IP": "203.0.113.77" };
  expect((await visitor(server).send("/report", { method: "POST", body: form, headers })).status).toBe(303);
  const { body: list } = await admin.get("/report");
  expect(list[0]).toMatchObject({ ...said, details: byPage });
  expect(list[1]).toEqual({ _id: body.insertedId, ...said, state: "open" });
  const blank = await apiClient(server).post("/report", {});
  expect(blank.body.acknowledged).toBe(true);
});

test.each([
  ["name", "x".repeat(101)],
  ["email", "x".repeat(255)],
  ["details", "x".repeat(5_001)],
  ["details", 7],
  ["name", null],
])("a report with an invalid %s is refused", async (name, value) => {
  const response = await apiClient(server).post("/report", { [name]: value });
  expect(response.body.errors).toEqual([{ pointer: `#/${name}`, detail: expect.any(String) }]);
});
