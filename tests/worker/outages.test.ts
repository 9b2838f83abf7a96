import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { LocalServer } from "../../scripts/local-server.ts";
import { dataPath } from "../harness/data-path.ts";
import { fieldValue, tagsOf, textOf } from "../harness/html.ts";
import { startLibsql } from "../harness/libsql.ts";
import { addAccount, password, startServer, visitor } from "../harness/server.ts";

const sorry = "We’re having trouble right now. Try again in a few seconds.";
const fields = { name: "Mia Sund", email: "mia@example.com", password };

let server: LocalServer;
let cookies: Map<string, string>;
beforeAll(async () => {
  const libsql = await startLibsql(inject("libsqlFolder"));
  try {
    server = await startServer({ bindings: { LIBSQL_URL: libsql.url } });
    const someone = visitor(server);
    await someone.signIn((await addAccount(server.db)).email);
    cookies = someone.cookies;
  } finally {
    await libsql.stop();
  }
});
afterAll(() => server?.stop());

/** A visitor, signed in before the outage or anonymous. */
function someone(signedIn: boolean) {
  const person = visitor(server);
  if (signedIn) for (const [name, value] of cookies) person.cookies.set(name, value);
  return person;
}

test.each([
  ["/login", false],
  ["/login", true],
  ["/signup", false],
  ["/signup", true],
  ["/sellersignup", false],
])("%s shows a network error, and keeps the input (signed in: %s)", async (path, signedIn) => {
  const response = await someone(signedIn).post(path, fields);
  expect(response.status).toBe(503);
  const html = await response.text();
  expect(textOf(html).split(sorry)).toHaveLength(2);
  expect(tagsOf(html).filter(({ attributes }) => attributes.get("role") === "alert")).toHaveLength(1);
  expect(fieldValue(html, "email")).toBe(fields.email);
  if (path !== "/login") expect(fieldValue(html, "name")).toBe(fields.name);
  expect(html).not.toContain(password);
  expect(response.headers.getSetCookie().join()).not.toContain("__Host-session");

  const asData = await someone(signedIn).post(dataPath(path), fields);
  expect(asData.status).toBe(503);
});

test("a report keeps the input, and can be submitted again", async () => {
  // The same key again, since the report may have been stored.
  const formKey = crypto.randomUUID();
  const report = { name: fields.name, email: fields.email, details: "The model is another one.", formKey };
  const response = await someone(true).post("/report", report);
  expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
  const html = await response.text();
  expect(textOf(html)).toContain(sorry);
  for (const [name, value] of Object.entries(report)) expect(fieldValue(html, name)).toBe(value);
});

test("pages that need no database work, and do not show a user as signed out", async () => {
  for (const path of ["/", "/about", "/login", "/signup"]) {
    for (const signedIn of [true, false]) {
      const response = await someone(signedIn).get(path);
      const entries = textOf((await response.text()).match(/<header.*?<\/header>/s)?.[0] ?? "");
      expect([path, response.status, entries.includes("Log Out")]).toEqual([path, 200, signedIn]);
    }
  }
});

test("a logout fails, and the cookie stays with its session", async () => {
  const person = someone(true);
  for (const path of ["/logout", dataPath("/logout")]) {
    const response = await person.post(path);
    expect([path, response.status, response.headers.get("Retry-After")]).toEqual([path, 503, "5"]);
    expect(person.cookies.has("__Host-session")).toBe(true);
    if (path === "/logout")
      expect(textOf(await response.text())).toContain("Ringback is temporarily unavailable");
  }
  expect((await someone(false).post("/logout")).status).toBe(303);
});

test("a forgotten password gets no promise, and keeps the address", async () => {
  const response = await someone(false).post("/forgot", { email: fields.email });
  expect(response.status).toBe(503);
  expect(fieldValue(await response.text(), "email")).toBe(fields.email);
});

test("other forms keep the input except for passwords, and can be submitted again", async () => {
  const typed = { address: '1 "Harbour"\nStreet', phone: "555 0100" };
  for (const [path, fields, shown] of [
    ["/products/some-phone/book", typed, ["Address", '1 "Harbour" Street', "Phone", "555 0100"]],
    [
      "/addphone",
      { brandName: "Sony", sellingPrice: "90", camera: "48 MP", image: "/x.png", formKey: "x" },
      ["Brand Name Sony", "Selling Price 90", "Camera Detail 48 MP", "Image Link /x.png"],
    ],
    ["/manage/mysells/some-phone/edit", { battery: "<4000 mAh>" }, ["Battery <4000 mAh>"]],
    ["/manage/account", { intent: "name", name: "Mia Sund" }, ["Name Mia Sund"]],
  ] as const) {
    const response = await someone(true).post(path, fields);
    expect([path, response.status, response.headers.get("Retry-After")]).toEqual([path, 503, "5"]);
    const html = await response.text();
    expect(textOf(html)).toContain("Submit again");
    expect(textOf(html)).toContain("Log Out");
    for (const words of shown) expect(textOf(html)).toContain(words);
    const form = html.match(/<form method="post" action="([^"]*)" class="mt-8.*?<\/form>/s);
    expect(form?.[1]).toBe(path);
    for (const [name, value] of Object.entries(fields)) {
      expect([name, fieldValue(form?.[0] ?? "", name)]).toEqual([name, value]);
    }
    const asData = await someone(true).post(dataPath(path), fields);
    expect([path, asData.status]).toEqual([path, 503]);
    expect(await asData.text()).toContain("unsent");
  }
  const secret = { intent: "password", currentPassword: password, password };
  const html = await (await someone(true).post("/manage/account/security", secret)).text();
  expect(textOf(html)).toContain("Ringback is temporarily unavailable");
  expect(html).not.toContain(password);
  expect(html).not.toContain("Submit again");
});

test("a form without a page redirects back to its page, and a fetcher gets the error", async () => {
  const press = (headers: Record<string, string>) =>
    someone(true).send("/manage/undo", {
      method: "POST",
      body: new URLSearchParams({ _id: "x" }),
      headers: { Origin: server.url, Accept: "text/html", ...headers },
    });
  for (const [referrer, back] of [
    [`${server.url}/manage/users?page=2`, "/manage/users?page=2"],
    ["https://other.example/manage", "/"],
    ["nonsense", "/"],
  ] as const) {
    const response = await press({ Referer: referrer });
    expect([response.status, response.headers.get("Location")]).toEqual([303, back]);
    expect(response.headers.getSetCookie().join()).toContain("__Host-flash=");
  }
  expect((await press({ Accept: "*/*" })).status).toBe(503);
});

test("pages that need the database respond 503 with the layout, Retry-After and the user signed in", async () => {
  for (const [path, signedIn] of [
    ["/products", false],
    ["/products/0", false],
    ["/products", true],
    ["/manage", true],
  ] as const) {
    const person = someone(signedIn);
    const response = await person.get(path);
    expect([path, response.status, response.headers.get("Retry-After")]).toEqual([path, 503, "5"]);
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    const html = await response.text();
    expect(html).toContain("<title>Temporarily unavailable");
    expect(textOf(html)).toContain("Ringback is temporarily unavailable");
    // The navigation bar and the footer, with a link to try again.
    expect(tagsOf(html).map(({ name }) => name)).toEqual(expect.arrayContaining(["header", "footer"]));
    expect(tagsOf(html).some(({ attributes }) => attributes.get("href") === path)).toBe(true);
    expect(person.cookies.has("__Host-session")).toBe(signedIn);

    const asData = await person.get(dataPath(path));
    expect([path, asData.status, asData.headers.get("Retry-After")]).toEqual([path, 503, "5"]);
  }
});

test("a listing's photo is served, for pages in caches; a problem's, which only some may see, isn't", async () => {
  const bucket = await server.bucket();
  for (const [id, status] of [
    ["some", 200],
    ["some-problem", 404],
  ] as const) {
    await bucket.put(`${id}/card`, "picture");
    expect([id, (await someone(true).get(`/photos/${id}/card`)).status]).toEqual([id, status]);
  }
});

test("API requests respond with problem details, and health checks fail", async () => {
  const list = "/phoneInfoCollection/Android/Smart%20Phone";
  for (const [path, method] of [
    [list, "GET"],
    [list, "HEAD"],
    ["/users", "POST"],
  ] as const) {
    const body = method === "POST" ? JSON.stringify({ ...fields, userType: "Buyer" }) : undefined;
    const headers = { "Content-Type": "application/json", "Idempotency-Key": "once" };
    const response = await someone(false).send(path, { method, body, headers });
    expect([method, path, response.status, response.headers.get("Retry-After")]).toEqual([
      method,
      path,
      503,
      "5",
    ]);
    expect(response.headers.get("Content-Type")).toBe("application/problem+json");
    if (method !== "HEAD")
      expect(await response.json()).toMatchObject({ title: "Service Unavailable", status: 503 });
  }
  expect((await someone(false).get("/healthz")).status).toBe(200);
  const ready = await someone(false).get("/readyz");
  expect([ready.status, ready.headers.get("Retry-After")]).toEqual([503, "5"]);
});

test("an error of the database is a 500, not an outage", async () => {
  const broken = await startServer();
  try {
    await broken.db.run(sql`ALTER TABLE users RENAME TO gone`);
    for (const path of ["/login", "/signup"]) {
      const response = await visitor(broken).post(path, fields);
      expect([path, response.status]).toEqual([path, 500]);
      expect(await response.text()).not.toContain(sorry);
    }
  } finally {
    await broken.stop();
  }
});
