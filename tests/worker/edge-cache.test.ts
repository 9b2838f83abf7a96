import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { emptySearches, pageVersions } from "#app/db/schema.ts";
import { tokenClient } from "../harness/api-client.ts";
import { fieldValue, tagsOf, textOf } from "../harness/html.ts";
import { startLibsql } from "../harness/libsql.ts";
import {
  addAccount,
  addPhone,
  type Phone,
  requestLines,
  startServer,
  type TestServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";

const long = { EDGE_CACHE_SECONDS: "450" };

let server: TestServer;
let phone: Phone;
beforeAll(async () => {
  server = await startServer({ bindings: long });
  phone = await addPhone(server.db);
  const help = {
    slug: "help",
    kind: "page",
    state: "published",
    title: "Help",
    body: "Yes",
    inFooter: false,
  } as const;
  await server.db.insert(pageVersions).values({ ...help, authorId: "somebody" });
});
afterAll(() => server?.stop());

let price = 0;

function newAddress(): string {
  price += 1;
  return `/products?to=${price}`;
}

const anonymous = (path: string, init?: RequestInit) => visitor(server).send(path, init);

/** A signed-in visitor without recent writes: the bookmark and the message of the login are removed. */
async function signedIn(own: TestServer, account: Parameters<typeof addAccount>[1] = {}): Promise<Visitor> {
  const someone = visitor(own);
  await someone.signIn((await addAccount(own.db, account)).email);
  for (const name of someone.cookies.keys()) if (name !== "__Host-session") someone.cookies.delete(name);
  return someone;
}

function statusOf(response: Response): string | undefined {
  return response.headers.get("Server-Timing")?.match(/^cache;desc=(\w+)/)?.[1];
}

const nonceOf = ({ headers }: Response) =>
  headers.get("Content-Security-Policy")?.match(/'nonce-([^']+)'/)?.[1] ?? "";

describe("a cached page", () => {
  test("is served without rendering and without the database, with a new nonce each time", async () => {
    const own = await startServer({ bindings: long });
    try {
      await addPhone(own.db, { model: "Unmistakable" });
      const member = await signedIn(own);
      const paths = ["/", "/?_data=home", "/products", "/products?_data=products"];
      for (const someone of [visitor(own), member]) {
        for (const path of paths) expect([path, statusOf(await someone.get(path))]).toEqual([path, "miss"]);
      }
      await own.db.run(sql`ALTER TABLE phones RENAME TO gone`);
      for (const someone of [visitor(own), member]) {
        for (const path of paths) {
          const [one, two] = [await someone.get(path), await someone.get(path)];
          expect([path, statusOf(one), one.status, statusOf(two)]).toEqual([path, "hit", 200, "hit"]);
          expect(one.headers.get("Server-Timing")).toBe("cache;desc=hit");
          const html = await two.text();
          expect(html).toContain("Unmistakable");
          if (path.includes("_data")) continue;
          expect(nonceOf(one)).not.toBe(nonceOf(two));
          const nonces = tagsOf(html)
            .filter(({ name, attributes }) => name === "script" && attributes.has("nonce"))
            .map(({ attributes }) => attributes.get("nonce"));
          expect(new Set(nonces)).toEqual(new Set([nonceOf(two)]));
        }
      }
      expect((await visitor(own).get("/products?q=other")).status).toBe(500);
    } finally {
      await own.stop();
    }
  });

  test("has two variants, which differ in the navigation bar only", async () => {
    const account = { userType: "Seller", name: "Unmistakable Person" } as const;
    const member = await signedIn(server, account);
    for (const path of [newAddress(), "/blogs", "/about", "/pages/help"]) {
      const [first, again] = [await member.get(path), await member.get(path)];
      expect([path, statusOf(first), statusOf(again)]).toEqual([path, "miss", "hit"]);
      expect(again.headers.get("Cache-Control")).toBe("private, no-cache");
      expect(again.headers.get("Vary")).toContain("Cookie");
      const own = await again.text();
      expect(textOf(own)).toContain("Log Out");
      const stranger = await anonymous(path);
      expect([path, statusOf(stranger)]).toEqual([path, "miss"]);
      const html = await stranger.text();
      expect(textOf(html)).toContain("Log in");
      for (const page of [own, html]) expect(page).not.toContain("Unmistakable");
      expect(textOf(html)).not.toContain("Log Out");
    }
  });

  test("is stored once for all spellings of its URL", async () => {
    const word = "word-of-one-page";
    const { get } = visitor(server);
    await get(`/products?q=${word}&ram=8+GB`);
    for (const query of [`ram=8%20GB&q=${word}`, `utm_source=x&q=+${word}&ram=8+GB&brand=&from=+`]) {
      expect([query, statusOf(await get(`/products?${query}`))]).toEqual([query, "hit"]);
    }
    expect(statusOf(await get("/products?ram=8+GB"))).toBe("miss");
    await get("/about");
    expect(statusOf(await get("/about?q=x"))).toBe("hit");
  });

  test("may be shown by browsers for some seconds after they prefetched it for a visitor", async () => {
    const member = await signedIn(server);
    const headers = { "Sec-Purpose": "prefetch" };
    const cacheControl = async (send: Visitor["send"]) =>
      (await send(`/phones/${phone.id}?_data=listing`, { headers })).headers.get("Cache-Control");
    expect(await cacheControl(anonymous)).toBe("public, max-age=10, must-revalidate");
    expect(await cacheControl(member.send)).toMatch(/private, no-(cache|store)/);
  });

  test("is cached by browsers, which revalidate it each time", async () => {
    const member = await signedIn(server);
    for (const send of [anonymous, member.send]) {
      for (const path of [newAddress(), `${newAddress()}&_data=products`]) {
        const first = await send(path);
        const tag = first.headers.get("ETag") ?? "";
        expect(tag).toMatch(/^W\/"[\x21\x23-\x7e]+"$/);
        expect(first.headers.get("Cache-Control")).toMatch(/max-age=0, must-revalidate|no-cache/);
        for (const method of ["GET", "HEAD"]) {
          const again = await send(path, { method, headers: { "If-None-Match": tag } });
          expect([path, again.status, statusOf(again), await again.text()]).toEqual([path, 304, "hit", ""]);
          expect(again.headers.get("Content-Security-Policy")).toBeNull();
          expect(again.headers.get("ETag")).toBe(tag);
        }
        expect((await send(path, { headers: { "If-None-Match": 'W/"other"' } })).status).toBe(200);
      }
    }
  });

  test("is rendered for HEAD as for GET", async () => {
    const path = newAddress();
    const head = await anonymous(path, { method: "HEAD" });
    expect([head.status, statusOf(head), await head.text()]).toEqual([200, "miss", ""]);
    const get = await anonymous(path);
    expect([statusOf(get), get.headers.get("ETag")]).toEqual(["hit", head.headers.get("ETag")]);
    expect(textOf(await get.text())).toContain("All Products");
    const missing = await anonymous("/products/no-such-phone", { method: "HEAD" });
    expect([missing.status, await missing.text()]).toEqual([404, ""]);
  });
});

describe("a visitor after a write", () => {
  test("sees the change at once, and others within a minute", async () => {
    const sold = await addPhone(server.db);
    const buyer = await signedIn(server);
    const path = `/products/${sold.id}`;
    await anonymous(path);
    const booked = await buyer.post(`${path}/book`, { address: "1 Street", phone: "123456" });
    expect([booked.status, booked.headers.get("Location")]).toEqual([
      303,
      expect.stringMatching(/^\/manage\/orders\//),
    ]);
    for (const cookie of ["__Host-bookmark", "__Host-flash"]) expect(buyer.cookies.has(cookie)).toBe(true);
    const own = await buyer.get(path);
    expect([statusOf(own), own.headers.get("Cache-Control")]).toEqual(["bypass", "private, no-store"]);
    expect(textOf(await own.text())).toContain("Reserved");
    buyer.cookies.delete("__Host-flash");
    for (const cookie of [true, false]) {
      // The dialog is the buyer's own later too: it leads to their order.
      if (!cookie) buyer.cookies.delete("__Host-bookmark");
      const later = await buyer.get(path);
      expect(statusOf(later)).toBe("bypass");
      expect(textOf(await later.text())).toContain("Reserved for you");
    }
    const others = await anonymous(path);
    expect(statusOf(others)).toBe("hit");
    expect(textOf(await others.text())).not.toContain("Reserved");
  });

  test("bypasses the cache after an API request too", async () => {
    const sold = await addPhone(server.db);
    const buyer = await tokenClient(server);
    const booked = await buyer.post("/bookings", { phoneId: sold.id, buyerAddress: "", phone: "" });
    expect(booked.status).toBe(200);
    expect(booked.headers.getSetCookie().join()).toContain("__Host-bookmark=");
    const listed = (await buyer.get("/phoneInfoCollection")).body as { _id: string; status: string }[];
    expect(listed.find(({ _id }) => _id === sold.id)).toMatchObject({ status: "reserved" });
  });
});

describe("the cache", () => {
  test("is bypassed by pages for one user", async () => {
    const seller = await signedIn(server, { userType: "Seller" });
    const own = await addPhone(server.db, { sellerId: (await ownId(seller)) ?? "" });
    await anonymous(`/phones/${own.id}`);
    for (const path of [`/phones/${own.id}`, "/manage", "/report"]) {
      const response = await seller.get(path);
      expect([path, statusOf(response), response.headers.get("Cache-Control")]).toEqual([
        path,
        "bypass",
        "private, no-store",
      ]);
      expect(response.headers.get("ETag")).toBeNull();
    }
    expect(textOf(await (await seller.get(`/phones/${own.id}`)).text())).toContain("Edit");
    const stranger = await anonymous(`/phones/${own.id}`);
    expect(statusOf(stranger)).toBe("hit");
    expect(textOf(await stranger.text())).not.toContain("Edit");
  });

  test.each(["flash", "bookmark", "sign-in", "reset", "verify", "passkey"])(
    "is bypassed by visitors with the cookie __Host-%s",
    async (name) => {
      await anonymous("/products");
      const headers = { Cookie: `other=1; __Host-device=known; __Host-${name}=anything` };
      expect(statusOf(await anonymous("/products", { headers }))).toBe("bypass");
    },
  );

  test("is bypassed by visitors with an access token or an invalid session cookie, which is cleared", async () => {
    await anonymous("/products");
    const token = await anonymous("/products", { headers: { Authorization: "Bearer x" } });
    expect(statusOf(token)).toBe("bypass");
    const forged = await anonymous("/products", { headers: { Cookie: "__Host-session=forged" } });
    expect(statusOf(forged)).toBe("bypass");
    expect(forged.headers.getSetCookie().join()).toMatch(
      /__Host-session=;.*(Max-Age=0|Expires=Thu, 01 Jan 1970)/,
    );
    expect(textOf(await forged.text())).toContain("Log in");
  });

  test("serves visitors with unrelated cookies or the cookie of a known device", async () => {
    await anonymous("/products");
    const headers = { Cookie: "__Host-device=known; theme=dark" };
    expect(statusOf(await anonymous("/products", { headers }))).toBe("hit");
  });

  test("does not store a flash message", async () => {
    const someone = visitor(server);
    await someone.post("/report", { name: "", email: "", details: "Unmistakable" });
    await anonymous("/about");
    expect(textOf(await (await someone.get("/about")).text())).toContain("Report Submitted");
    expect(textOf(await (await someone.get("/about")).text())).not.toContain("Report Submitted");
    const other = await anonymous("/about");
    expect(statusOf(other)).toBe("hit");
    expect(textOf(await other.text())).not.toContain("Report Submitted");
  });
});

test("a page that becomes 404 is dropped from the cache", async () => {
  const own = await startServer({ bindings: { EDGE_CACHE_SECONDS: "1" } });
  try {
    const { id } = await addPhone(own.db);
    const { get } = visitor(own);
    expect((await get(`/phones/${id}`)).status).toBe(200);
    await own.db.run(sql`delete from phones where id = ${id}`);
    const statuses: string[] = [];
    const look = async () => {
      const response = await get(`/phones/${id}`);
      statuses.push(statusOf(response) ?? "");
      return response.status;
    };
    await expect.poll(look, { timeout: 10_000, interval: 100 }).toBe(404);
    expect(statuses.filter((status) => status === "updating").length).toBeLessThanOrEqual(2);
  } finally {
    await own.stop();
  }
});

test.each([
  ...["/nobody-is-here", "/products/no-such-phone", "/login", "/signup", "/report", "/manage", "/PRODUCTS"],
  ...["/products/", "/products/%", "/phoneInfoCollection", "/users", "/openapi.json", "/products.rss"],
  ...["/products?_data=nobody", "/products?_data=android", "/products?_data=root", "/products?_data=manage"],
])("%s is not cached", async (path) => {
  for (const response of [await anonymous(path), await anonymous(path)]) {
    expect(statusOf(response)).toMatch(/^(bypass|miss)$/);
  }
});

test("a search without results is not cached, so that each is counted", async () => {
  for (const path of [
    "/products?q=zeppelin",
    "/products?q=zeppelin",
    "/products?q=zeppelin&_data=products",
  ]) {
    const response = await anonymous(path);
    expect([path, statusOf(response)]).toEqual([path, "miss"]);
    expect(response.headers.get("Cache-Control")).toBe("private, no-cache");
  }
  const counted = () => server.db.select({ searches: emptySearches.searches }).from(emptySearches);
  await expect.poll(counted).toEqual([{ searches: 3 }]);
});

test("an error is not cached, and the next request may succeed", async () => {
  const own = await startServer({ bindings: long });
  try {
    await own.db.run(sql`ALTER TABLE phones RENAME TO gone`);
    const { get } = visitor(own);
    expect((await get("/products")).status).toBe(500);
    await own.db.run(sql`ALTER TABLE gone RENAME TO phones`);
    const response = await get("/products");
    expect([response.status, statusOf(response)]).toEqual([200, "miss"]);
  } finally {
    await own.stop();
  }
});

describe("a stale page", () => {
  test("is served while it is revalidated", async () => {
    const own = await startServer({ bindings: { EDGE_CACHE_SECONDS: "1" } });
    try {
      const { get } = visitor(own);
      await get("/products");
      await addPhone(own.db, { model: "Unmistakable" });
      let shown = "";
      await expect
        .poll(async () => {
          const response = await get("/products");
          shown = await response.text();
          return statusOf(response);
        })
        .toBe("updating");
      expect(shown).not.toContain("Unmistakable");
      await expect.poll(async () => (await get("/products")).text()).toContain("Unmistakable");
    } finally {
      await own.stop();
    }
  });

  test("is served when the database is unreachable, and other pages are not", async () => {
    const libsql = await startLibsql(inject("libsqlFolder"));
    let own: TestServer | undefined;
    try {
      own = await startServer({ bindings: { EDGE_CACHE_SECONDS: "1", LIBSQL_URL: libsql.url } });
      await addPhone(own.db, { model: "Unmistakable" });
      const member = await signedIn(own);
      const { get } = visitor(own);
      for (const { get } of [visitor(own), member]) await get("/products");
      await libsql.stop();
      for (const { get } of [visitor(own), member]) {
        // It is older than twice the fresh time, and shown because rendering fails.
        const timing = async () => (await get("/products")).headers.get("Server-Timing");
        await expect.poll(timing, { timeout: 20_000, interval: 500 }).toMatch(/^cache;desc=stale, .*render;/);
        const response = await get("/products");
        expect(response.status).toBe(200);
        expect(await response.text()).toContain("Unmistakable");
      }
      expect((await get("/android")).status).toBe(503);
      expect((await member.get("/manage")).status).toBe(503);
    } finally {
      await own?.stop();
      await libsql.stop();
    }
  });
});

test("Server-Timing is sent for reads, never for posts", async () => {
  const { email } = await addAccount(server.db);
  const someone = visitor(server);
  expect((await anonymous(newAddress())).headers.get("Server-Timing")).toMatch(
    /^cache;desc=miss, .*render;dur=\d+$/,
  );
  expect((await someone.logIn(email)).headers.get("Server-Timing")).toBeNull();
  expect((await someone.get("/manage")).headers.get("Server-Timing")).toMatch(
    /^cache;desc=bypass, .*render;dur=\d+$/,
  );
});

test("the log has the path of each request, without ids, email addresses and user input", async () => {
  const { email } = await addAccount(server.db);
  const before = requestLines(server).length;
  await anonymous(`/products/${phone.id}?q=unmistakable`);
  await anonymous("/users/admin/unmistakable@example.com");
  await anonymous("/reset?token=unmistakable");
  await anonymous(`/products/${phone.id}/book?_data=unmistakable`);
  await anonymous("/unmistakable/nowhere");
  await anonymous("/%00unmistakable%");
  await visitor(server).post("/login", { email, password: "unmistakable" });
  await expect.poll(() => requestLines(server).length).toBe(before + 7);
  const lines = requestLines(server).slice(before);
  expect(lines.map(({ path }) => path)).toEqual([
    ...["/products/:id", "/users/admin/:id", "/reset", "/products/:id/book", "/:id/:id", "/:id", "/login"],
  ]);
  expect(lines.at(-1)).toEqual({
    level: "info",
    event: "request",
    reference: expect.stringMatching(/^[0-9a-f-]{36}$/),
    method: "POST",
    path: "/login",
    status: 400,
    cache: "bypass",
    ms: expect.any(Number),
    renderMs: expect.any(Number),
  });
  expect(server.log()).not.toMatch(/unmistakable/i);
  expect(server.log()).not.toContain(email);
});

async function ownId({ get }: Visitor): Promise<string | undefined> {
  const html = await (await get("/manage/account")).text();
  const email = fieldValue(html, "account") ?? "";
  const [row] = await server.db.all<{ id: string }>(sql`select id from users where email = ${email}`);
  return row?.id;
}
