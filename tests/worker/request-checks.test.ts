import { connect } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { sessions, users } from "#app/db/schema.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { rawRequest } from "../harness/api-client.ts";
import { dataPath } from "../harness/data-path.ts";
import { addAccount, sharedServer, visitor } from "../harness/server.ts";

let server: LocalServer;
beforeAll(async () => {
  server = await sharedServer();
});

const form = { "Content-Type": "application/x-www-form-urlencoded" };
const body = new URLSearchParams({
  name: "Mia Sund",
  email: "foreign@example.com",
  password: "secret1",
}).toString();

describe("a post from another site is refused", () => {
  const origins: [string, Record<string, string>][] = [
    ["with another Origin", { Origin: "https://other.example" }],
    ["with the Origin null", { Origin: "null" }],
    ["with an invalid Origin", { Origin: "::" }],
    ["from another scheme", { Origin: "https://127.0.0.1" }],
    ["from another port", { Origin: "http://127.0.0.1:1" }],
    ["from another host name of this machine", { Origin: "http://localhost" }],
    ["with Sec-Fetch-Site: cross-site", { "Sec-Fetch-Site": "cross-site" }],
    ["from a sibling domain", { "Sec-Fetch-Site": "same-site" }],
    [
      "with a matching X-Forwarded-Host",
      { Origin: "https://other.example", "X-Forwarded-Host": "other.example" },
    ],
  ];
  const kinds: [string, string, Record<string, string>][] = [
    ["a form", "/signup", form],
    ["a form with JavaScript", dataPath("/signup"), form],
    ["JSON", "/signup", { "Content-Type": "application/json" }],
    ["plain text", "/signup", { "Content-Type": "text/plain" }],
    ["an unknown path", "/nobody-is-here", form],
  ];
  test.each(origins)("%s", async (_, headers) => {
    for (const [kind, path, type] of kinds) {
      const response = await visitor(server).send(path, {
        method: "POST",
        body,
        headers: { ...type, ...headers },
      });
      expect([kind, response.status]).toEqual([kind, 403]);
    }
    const addresses = await server.db.select({ email: users.email }).from(users);
    expect(addresses).not.toContainEqual({ email: "foreign@example.com" });
  });

  test("and ends no session", async () => {
    const someone = visitor(server);
    await someone.signIn((await addAccount(server.db)).email);
    const headers = { Origin: "https://other.example" };
    expect((await someone.send("/logout", { method: "POST", headers })).status).toBe(403);
    expect((await someone.get("/manage")).status).toBe(200);
  });
});

test("a same-origin post is accepted, and so is one without Origin", async () => {
  const bad = new URLSearchParams({ email: "x" }).toString();
  const own: Record<string, string>[] = [
    { Origin: server.url },
    { Origin: server.url, "Sec-Fetch-Site": "same-origin" },
    { "Sec-Fetch-Site": "none" },
    {},
  ];
  for (const headers of own) {
    const init = { method: "POST", body: bad, headers: { ...form, ...headers } };
    expect((await visitor(server).send("/login", init)).status).toBe(400);
  }
});

test("an address that is too long is refused", async () => {
  const path = (length: number) => `/manage?q=${"x".repeat(length)}`;
  expect((await visitor(server).get(path(12_000))).status).toBe(302);
  const refused = await visitor(server).get(path(16_400));
  expect([refused.status, refused.headers.get("Location")]).toEqual([414, null]);
  expect((await visitor(server).get(`/bookings?email=${"x".repeat(16_400)}`)).status).toBe(414);
});

test("a link from another site works", async () => {
  const headers = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" };
  expect((await visitor(server).send("/products", { headers })).status).toBe(200);
});

test("the dashboard answers in any letter case and encoding, and not below a path of its own", async () => {
  for (const path of ["/manage/saved", "/MANAGE/Saved", "/%6Danage/saved/"]) {
    const response = await visitor(server).get(path);
    expect(response.headers.get("Location"), path).toMatch(/^\/login\?/);
  }
  for (const path of ["/manage/nothing", "/managed", "/manage%2Fsaved"]) {
    const response = await visitor(server).get(path);
    expect(response.status, path).toBe(404);
    expect(await response.text()).toContain("</html>");
  }
});

describe("a request body", () => {
  const most = 64 * 1024;
  const ofBytes = (count: number) => `email=${"x".repeat(count - "email=".length)}`;
  const stream = (text: string) =>
    new ReadableStream({
      start(controller) {
        const bytes = new TextEncoder().encode(text);
        for (let at = 0; at < bytes.length; at += 10_000) controller.enqueue(bytes.slice(at, at + 10_000));
        controller.close();
      },
    });
  const post = (path: string, payload: BodyInit) =>
    visitor(server).send(path, {
      method: "POST",
      body: payload,
      duplex: "half",
      headers: { ...form, Origin: server.url },
    } as RequestInit);

  test.each([
    ["with Content-Length", (text: string) => text],
    ["without Content-Length", stream],
  ])("%s is accepted up to 64 KiB", async (_, packed) => {
    for (const path of ["/login", dataPath("/login"), "/report"]) {
      expect([path, (await post(path, packed(ofBytes(most)))).status]).toEqual([path, 400]);
      expect([path, (await post(path, packed(ofBytes(most + 1)))).status]).toEqual([path, 413]);
    }
  });
});

test.each([
  ["/login", form],
  [dataPath("/login"), form],
  ["/logout", form],
  ["/report", { "Content-Type": "application/json" }],
  ["/rest/phones/photos/some-phone", { "Content-Type": "image/png" }],
])("a body to %s that is cut off is the client's error", async (path, headers: Record<string, string>) => {
  const status = await sendCutOff(path, { ...headers, "Content-Length": "1000" });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
});

/** Sends the beginning of a body and ends the connection. @returns the status of the response */
async function sendCutOff(path: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const lines = Object.entries({ Host: `${hostname}:${port}`, ...headers }).map((each) => each.join(": "));
  socket.end(`POST ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\nemail=mia`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(Buffer.concat(chunks).toString())?.[1]);
}

test.each(["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])(
  "a page responds 405 to %s, with Allow",
  async (method) => {
    for (const path of ["/login", "/manage", dataPath("/manage/mysells"), "/nobody-is-here"]) {
      const { status, headers } = await rawRequest(server, method, path);
      expect([path, status, headers.get("Allow")]).toEqual([path, 405, "GET, HEAD, POST"]);
    }
  },
);

test.each(["POST", "PUT"])("a page without a form responds 405 to %s, with Allow", async (method) => {
  for (const path of [
    "/about",
    dataPath("/about"),
    "/robots.txt",
    "/products.rss",
    "/MANAGE/users.csv",
    "/",
  ]) {
    const { status, headers } = await rawRequest(server, method, path);
    expect([path, status, headers.get("Allow")]).toEqual([path, 405, "GET, HEAD"]);
  }
});

test("a 405 of a path that a page and the API share lists the methods of both", async () => {
  for (const method of ["POST", "PATCH", "PROPFIND", "OPTIONS"]) {
    const { status, headers } = await rawRequest(server, method, "/phones/nothing");
    expect([status, headers.get("Allow")]).toEqual([
      method === "OPTIONS" ? 204 : 405,
      "GET, HEAD, OPTIONS, PUT",
    ]);
  }
  const { headers } = await rawRequest(server, "PATCH", "/report");
  expect(headers.get("Allow")).toBe("GET, HEAD, OPTIONS, POST");
});

test("the address that password managers know leads to the change of the password", async () => {
  const response = await visitor(server).get("/.well-known/change-password");
  expect([response.status, response.headers.get("Location")]).toEqual([
    302,
    "/manage/account/security#new-password",
  ]);
});

test("a refused request opens no session", async () => {
  const before = await server.db.$count(sessions);
  const { email } = await addAccount(server.db);
  const credentials = new URLSearchParams({ email, password: "secret1" }).toString();
  const headers = { ...form, Origin: "https://other.example" };
  await visitor(server).send("/login", { method: "POST", body: credentials, headers });
  expect(await server.db.$count(sessions)).toBe(before);
});
