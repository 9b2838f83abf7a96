import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { LocalServer } from "../../scripts/local-server.ts";
import { rawRequest } from "../harness/api-client.ts";
import { dataPath } from "../harness/data-path.ts";
import { tagsOf, textOf } from "../harness/html.ts";
import { addAccount, addPhone, sharedServer, startServer, visitor } from "../harness/server.ts";

let server: LocalServer;
let pages: string[];
beforeAll(async () => {
  server = await sharedServer();
  const { id } = await addPhone(server.db);
  await addPhone(server.db, { status: "reserved" });
  pages = [
    ...["/", "/login", "/products", "/android", "/ios", "/tablet", "/signup", "/sellersignup", "/report"],
    ...[
      `/products/${id}`,
      `/android/${id}`,
      `/phones/${id}`,
      "/products?after=0",
      "/nobody-is-here",
      "/products/no-such-phone",
    ],
  ];
});

function policyOf(response: Response): { policy: string; nonce: string } {
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  const nonce = policy.match(/'nonce-([^']+)'/)?.[1] ?? "";
  return { policy: policy.replace(`'nonce-${nonce}'`, "'nonce-NONCE'"), nonce };
}

function expectSecured(response: Response) {
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "strict-transport-security": "max-age=63072000; includeSubDomains; preload",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": expect.stringMatching(
      /camera=\(\), .*publickey-credentials-create=\(self\), publickey-credentials-get=\(self\)/,
    ),
  });
  expect(response.headers.get("Cache-Control")).toMatch(/^(private, )?no-store$/);
  const { policy, nonce } = policyOf(response);
  if (!response.headers.get("Content-Type")?.startsWith("text/html")) {
    expect(policy).toBe("default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'");
    return;
  }
  expect(policy.split("; ")).toEqual([
    "default-src 'none'",
    "script-src 'self' 'nonce-NONCE'",
    "style-src 'self'",
    "img-src 'self' https: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]);
  // 256 random bits: a UUID has 122, and ASVS 11.5.1 asks for 128.
  expect(nonce).toMatch(/^[\w-]{43}$/);
}

test("each kind of response has security headers and is not cached", async () => {
  const someone = visitor(server);
  const { email } = await addAccount(server.db);
  const responses: [string, Response, number][] = [
    ...(await Promise.all(
      pages.map(async (path): Promise<[string, Response, number]> => {
        const found = !/nobody|no-such/.test(path);
        return [path, await someone.get(path), found ? 200 : 404];
      }),
    )),
    ["data of a page", await someone.get(dataPath("/products")), 200],
    ["data of a page that is not there", await someone.get(dataPath("/nobody-is-here")), 404],
    ["data of a route that is not at the path", await someone.get(dataPath("/login", "products")), 403],
    ["a guard's redirect", await someone.get("/manage"), 302],
    ["a guard's redirect as data", await someone.get(dataPath("/manage")), 204],
    ["a form with faults", await someone.post("/login"), 400],
    ["a redirect after a form", await someone.logIn(email), 303],
    ["a page of one's own", await someone.get("/manage"), 200],
    ["a head", await someone.send("/products", { method: "HEAD" }), 200],
    ["a refused method", await someone.send("/login", { method: "PATCH" }), 405],
    [
      "a foreign post",
      await someone.send("/login", { method: "POST", headers: { Origin: "https://other.example" } }),
      403,
    ],
    ["a large body", await someone.post("/login", { email: "x".repeat(70_000) }), 413],
  ];
  for (const [what, response, status] of responses) {
    expect([what, response.status]).toEqual([what, status]);
    expectSecured(response);
  }
});

test("a signed-in visitor's pages are private", async () => {
  const someone = visitor(server);
  await someone.signIn((await addAccount(server.db)).email);
  for (const path of ["/", "/products", "/manage", dataPath("/products"), dataPath("/manage")]) {
    expect((await someone.get(path)).headers.get("Cache-Control")).toBe("private, no-store");
  }
});

describe("the scripts of a page", () => {
  test("have a nonce that is new in each response", async () => {
    const nonces = new Set<string>();
    for (const path of pages) {
      const response = await visitor(server).get(path);
      const { nonce } = policyOf(response);
      nonces.add(nonce);
      const scripts = tagsOf(await response.text()).filter(({ name }) => name === "script");
      expect(scripts.length).toBeGreaterThan(0);
      expect(scripts.map(({ attributes }) => attributes.get("nonce"))).toEqual(scripts.map(() => nonce));
    }
    expect(nonces.size).toBe(pages.length);
  });

  test("are the only code: there are no inline handlers and styles", async () => {
    for (const path of pages) {
      const tags = tagsOf(await (await visitor(server).get(path)).text());
      expect(tags.length).toBeGreaterThan(20);
      expect(tags.filter(({ name }) => name === "style")).toEqual([]);
      for (const { attributes } of tags) {
        expect([...attributes.keys()].filter((name) => name === "style" || name.startsWith("on"))).toEqual(
          [],
        );
        expect(attributes.get("href") ?? "").not.toMatch(/^\s*javascript:/i);
      }
    }
  });
});

test("static files have caching and security headers", async () => {
  const { get } = visitor(server);
  const stylesheet = tagsOf(await (await get("/")).text())
    .find(({ attributes }) => attributes.get("rel") === "stylesheet")
    ?.attributes.get("href");
  for (const path of ["/icon.svg", "/favicon.ico", "/devices/fairphone-5.svg", stylesheet ?? ""]) {
    const file = await get(path);
    expect([path, file.status]).toEqual([path, 200]);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "content-security-policy": expect.stringContaining("default-src 'none'"),
      ...(path.endsWith(".svg") && { "content-type": "image/svg+xml; charset=utf-8" }),
    });
  }
  for (const path of ["/devices/fairphone-5.svg", stylesheet ?? ""]) {
    const kept = (await get(path)).headers.get("Cache-Control");
    expect([path, kept]).toEqual([path, "public, max-age=31536000, immutable"]);
  }
});

test.each([
  ["/search/suggestions?q=nok", 60],
  ["/seen?ids=", 60],
  ["/products.rss", 300],
  ["/robots.txt", 3600],
  ["/sitemap.xml", 3600],
])("caches keep %s for %s seconds, as docs/caching.md says", async (path, seconds) => {
  expect((await visitor(server).get(path)).headers.get("Cache-Control")).toBe(`public, max-age=${seconds}`);
});

describe("an unknown path", () => {
  test.each([
    ...["/nobody-is-here", "/manage/nothing", "/a/b/c", "/%00", "/%"],
    // Remix cannot resolve these.
    ...["/%5C", "//%5C", "/%5C%2Fevil.example", "/%09/", "/%5Cx:999999"],
    // Of the API.
    ...["/users", "/bookings", "/sellers", "/jwt", "/allPhoneInfo", "/phoneInfoCollection", "/Users/admin/x"],
  ])("%s shows the not-found page with its image", async (path) => {
    const { get } = visitor(server);
    const headers = { Accept: "text/html,*/*;q=0.8", "Sec-Fetch-Mode": "navigate" };
    const response = await rawRequest(server, "GET", path, { headers });
    expect(response.status).toBe(404);
    const html = response.text;
    const picture = tagsOf(html).find(
      ({ name, attributes }) => name === "img" && attributes.get("src") === "/not-found.svg",
    );
    expect(picture?.attributes.get("alt")).toBeTruthy();
    expect((await get("/not-found.svg")).headers.get("Content-Type")).toBe("image/svg+xml; charset=utf-8");
    expect(textOf(html)).toContain("This page doesn’t exist");
  });
});

test("an unknown phone shows a not-found dialog over its list", async () => {
  const response = await visitor(server).get("/products/no-such-phone");
  expect(response.status).toBe(404);
  const html = await response.text();
  expect(html).toContain("<title>Page not found");
  expect(tagsOf(html).filter(({ name }) => name === "article")).toHaveLength(2);
  expect(textOf(html.match(/<dialog.*?<\/dialog>/s)?.[0] ?? "")).toContain("This listing is gone");
});

test("an exception shows a page with an error reference and no details", async () => {
  const broken = await startServer();
  try {
    await broken.db.run(sql`ALTER TABLE phones RENAME TO gone`);
    for (const path of ["/products", dataPath("/products")]) {
      const response = await visitor(broken).get(path);
      expect(response.status).toBe(500);
      expectSecured(response);
      const body = await response.text();
      expect(body).not.toMatch(/no such table|select |phones\.|\.server\.|at \w+ \(/i);
      if (path === "/products") expect(textOf(body)).toMatch(/Reference: [0-9a-f-]{36}/);
    }
  } finally {
    await broken.stop();
  }
});
