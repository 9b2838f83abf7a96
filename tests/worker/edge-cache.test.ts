import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { phones } from "#app/db/schema.ts";
import { caller, withToken } from "../harness/caller.ts";
import { tagsOf, textOf } from "../harness/html.ts";
import { startLibsql } from "../harness/libsql.ts";
import { addAccount, addPhone, startMarket, type TestMarket, visitor } from "../harness/market.ts";
import { offer } from "../harness/offer.ts";
import { eventually } from "../harness/screens.ts";

/** As long as any test runs. */
const long = { EDGE_CACHE_SECONDS: "3600" };

let market: TestMarket;
let phone: typeof phones.$inferSelect;
beforeAll(async () => {
  market = await startMarket({ bindings: long });
  phone = await addPhone(market.db);
});
afterAll(() => market?.stop());

let asked = 0;

/** An address that nobody has asked for yet. */
function newAddress(path = "/products"): string {
  asked += 1;
  return `${path}?q=word${asked}`;
}

const anonymous = (path: string, init?: RequestInit) => visitor(market).send(path, init);

function stateOf(answer: Response): string | undefined {
  return answer.headers.get("Server-Timing")?.match(/^cache;desc=(\w+)/)?.[1];
}

const nonceOf = ({ headers }: Response) =>
  headers.get("Content-Security-Policy")?.match(/'nonce-([^']+)'/)?.[1] ?? "";

interface Line {
  event: string;
  route: string;
  status: number;
  cache: string;
}

function lines({ log }: TestMarket): Line[] {
  return log()
    .split("\n")
    .filter((line) => line.startsWith('{"level":"info"'))
    .map((line) => JSON.parse(line));
}

/** What the log tells of a market's requests from now on, once it tells of so many. */
function watch(watched: TestMarket, event = "request") {
  const before = lines(watched).length;
  const since = () =>
    lines(watched)
      .slice(before)
      .filter((line) => line.event === event);
  return async (count: number) => {
    await expect.poll(() => since().length).toBeGreaterThanOrEqual(count);
    return since();
  };
}

describe("a page that is kept", () => {
  test("is shown without a render and without the database, to each with a nonce of their own", async () => {
    const own = await startMarket({ bindings: long });
    try {
      await addPhone(own.db, { model: "Unmistakable" });
      const { get } = visitor(own);
      const paths = ["/", "/products", "/products.data", "/products.data?_routes=products"];
      const first = await Promise.all(paths.map(get));
      expect(first.map(stateOf)).toEqual(paths.map(() => "miss"));
      const told = await Promise.all(first.map((answer) => answer.text()));
      await own.db.run(sql`ALTER TABLE phones RENAME TO gone`);
      for (const [index, path] of paths.entries()) {
        const again = await get(path);
        expect([path, stateOf(again), again.status]).toEqual([path, "hit", 200]);
        expect(again.headers.get("Server-Timing")).toBe("cache;desc=hit");
        expect(again.headers.get("Content-Type")).toBe(first[index]?.headers.get("Content-Type"));
        const nonces = [first[index], again].map((answer) => answer && nonceOf(answer));
        const [before, now] = [told[index] ?? "", await again.text()];
        if (now.startsWith("<!DOCTYPE")) {
          expect(new Set(nonces).size).toBe(2);
          const scripts = tagsOf(now).filter(({ name }) => name === "script");
          expect(scripts.length).toBeGreaterThan(1);
          expect(new Set(scripts.map(({ attributes }) => attributes.get("nonce")))).toEqual(
            new Set([nonces[1]]),
          );
        }
        expect(now.replaceAll(nonces[1] ?? "", "")).toBe(before.replaceAll(nonces[0] ?? "", ""));
      }
      expect(textOf(told[1] ?? "")).toContain("Unmistakable");
      // What is not kept does need it.
      expect((await get("/products?q=other")).status).toBe(500);
    } finally {
      await own.stop();
    }
  });

  test("is one page, however its address is written", async () => {
    const word = `word${newAddress().length}-of-one-page`;
    const { get } = visitor(market);
    await get(`/products?q=${word}&ram=8+GB`);
    for (const query of [`ram=8%20GB&q=${word}`, `utm_source=x&q=+${word}&ram=8+GB&brand=&from=nonsense`]) {
      expect([query, stateOf(await get(`/products?${query}`))]).toEqual([query, "hit"]);
    }
    expect(stateOf(await get(`/products?q=${word}`))).toBe("miss");
    await get("/about");
    expect(stateOf(await get("/about?q=x"))).toBe("hit");
  });

  test("is kept by browsers too, who ask each time whether it still stands", async () => {
    for (const path of [newAddress(), newAddress("/products.data")]) {
      const first = await anonymous(path);
      const tag = first.headers.get("ETag") ?? "";
      expect(tag).toMatch(/^W\/"[\x21\x23-\x7e]+"$/);
      expect(first.headers.get("Cache-Control")).toMatch(/^public, (max-age=0, must-revalidate|no-cache)$/);
      for (const method of ["GET", "HEAD"]) {
        const again = await anonymous(path, { method, headers: { "If-None-Match": tag } });
        expect([path, again.status, stateOf(again), await again.text()]).toEqual([path, 304, "hit", ""]);
        expect(again.headers.get("Content-Security-Policy")).toBeNull();
        expect(again.headers.get("ETag")).toBe(tag);
      }
      expect((await anonymous(path, { headers: { "If-None-Match": 'W/"other"' } })).status).toBe(200);
    }
  });

  test("is made for HEAD as for GET", async () => {
    const path = newAddress();
    const head = await anonymous(path, { method: "HEAD" });
    expect([head.status, stateOf(head), await head.text()]).toEqual([200, "miss", ""]);
    const get = await anonymous(path);
    expect([stateOf(get), get.headers.get("ETag")]).toEqual(["hit", head.headers.get("ETag")]);
    expect(textOf(await get.text())).toContain("All Products");
  });
});

describe("many who ask at once", () => {
  test("wait for one render", async () => {
    const seen = watch(market);
    const path = newAddress();
    const answers = await Promise.all(Array.from({ length: 100 }, () => anonymous(path)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(nonceOf)).size).toBe(100);
    expect(answers.map(stateOf).filter((state) => state === "miss")).toHaveLength(1);
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(
      new Set(bodies.map((body, index) => body.replaceAll(nonceOf(answers[index] as Response), ""))).size,
    ).toBe(1);
    const told = await seen(100);
    expect(told.filter(({ cache }) => cache === "miss")).toHaveLength(1);
    expect(new Set(told.map(({ route }) => route))).toEqual(new Set(["/products"]));
  });

  test("are answered when the first of them leaves", async () => {
    for (let round = 0; round < 5; round += 1) {
      const path = newAddress();
      const leaving = new AbortController();
      const first = anonymous(path, { signal: leaving.signal }).catch(() => null);
      const others = Array.from({ length: 20 }, () => anonymous(path));
      leaving.abort();
      expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200));
      await first;
    }
  });

  test("get each their own answer when what they ask for is not there", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => anonymous("/products/no-such-phone")));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(answers.map(stateOf)).toEqual(answers.map(() => "miss"));
    const scripts = await Promise.all(
      answers.map(async (answer) => tagsOf(await answer.text()).filter(({ name }) => name === "script")),
    );
    expect(scripts.map((own) => own[0]?.attributes.get("nonce"))).toEqual(answers.map(nonceOf));
    expect(new Set(answers.map(nonceOf)).size).toBe(answers.length);
  });
});

describe("a write drops what was made before it", () => {
  test("by a page's form", async () => {
    const sold = await addPhone(market.db);
    const buyer = visitor(market);
    await buyer.logIn((await addAccount(market.db)).email);
    const paths = ["/products", `/products/${sold.id}`, `/products/${sold.id}.data`];
    for (const path of paths) await anonymous(path);
    const before = await Promise.all(paths.map((path) => anonymous(path)));
    expect(before.map(stateOf)).toEqual(paths.map(() => "hit"));
    const booked = await buyer.post(`/products/${sold.id}/book`, { address: "1 Street", phone: "123456" });
    expect([booked.status, booked.headers.get("Location")]).toEqual([303, "/products"]);
    const after = await Promise.all(paths.map((path) => anonymous(path)));
    expect(after.map(stateOf)).toEqual(paths.map(() => "miss"));
    for (const answer of after) expect((await answer.text()).toLowerCase()).toContain("reserved");
  });

  test("by the API", async () => {
    const sold = await addPhone(market.db);
    const buyer = await withToken(market);
    await anonymous(`/products/${sold.id}`);
    expect((await buyer.post("/bookings", { phoneId: sold.id, address: "", phone: "" })).status).toBe(200);
    const after = await anonymous(`/products/${sold.id}`);
    expect(stateOf(after)).toBe("miss");
    expect(textOf(await after.text())).toContain("Reserved");
  });

  test.each(["D1", "libSQL"])("unless it changes nothing, by %s", async (database) => {
    const server = database === "libSQL" ? await startLibsql() : undefined;
    const own = server ? await startMarket({ bindings: { ...long, LIBSQL_URL: server.url } }) : market;
    try {
      const sold = await addPhone(own.db);
      const [admin, seller] = [visitor(own), visitor(own)];
      await admin.logIn((await addAccount(own.db, { userType: "Admin" })).email);
      const account = await addAccount(own.db, { userType: "Seller" });
      await seller.logIn(account.email);
      const booked = { address: "1 Street", phone: "123456" };
      const facts = { ...offer, formKey: crypto.randomUUID() };
      const writes = {
        verify: () => admin.post("/manage/sellers", { _id: account.id, act: "verify" }),
        publish: () => seller.post("/addphone", facts),
        book: () => seller.post(`/products/${sold.id}/book`, booked),
      };
      await visitor(own).get("/products");
      for (const [name, write] of Object.entries(writes)) {
        for (const state of ["miss", "hit"]) {
          expect([name, (await write()).status]).toEqual([name, 303]);
          expect([name, stateOf(await visitor(own).get("/products"))]).toEqual([name, state]);
        }
      }
      await admin.post("/manage/users");
      expect(stateOf(await visitor(own).get("/products"))).toBe("hit");
    } finally {
      if (server) await own.stop();
      await server?.stop();
    }
  });

  test("and nothing else drops it: no login, no refused form, nobody who is not signed in", async () => {
    const { email } = await addAccount(market.db);
    await anonymous("/products");
    const someone = visitor(market);
    await someone.post("/products/x/book");
    await someone.post("/login", { email, password: "wrong" });
    await someone.logIn(email);
    expect((await someone.post("/products/no-such-phone/book", {})).status).toBe(404);
    expect((await caller(market).post("/bookings", {})).status).toBe(401);
    await someone.post("/logout");
    expect(stateOf(await anonymous("/products"))).toBe("hit");
  });
});

describe("what belongs to one visitor", () => {
  test("passes the cache, either way", async () => {
    const account = await addAccount(market.db, { userType: "Seller", name: "Unmistakable Person" });
    const someone = visitor(market);
    await someone.logIn(account.email);
    const bearer = await withToken(market);
    const paths = [
      newAddress(),
      newAddress("/products.data"),
      `/products/${phone.id}`,
      "/blogs",
      "/manage",
      "/report",
    ];
    for (const path of paths) {
      const own = await someone.get(path);
      expect([path, stateOf(own), own.headers.get("Cache-Control")]).toEqual([
        path,
        "pass",
        "private, no-store",
      ]);
      expect(own.headers.get("ETag")).toBeNull();
      expect(await own.text()).toMatch(/Log Out|"signedIn",true/);
    }
    expect(stateOf((await bearer.get("/phoneInfoCollection?limit=3")) as unknown as Response)).toBe("pass");
    for (const path of paths) {
      for (const seen of [await anonymous(path), await anonymous(path)]) {
        expect(await seen.text()).not.toMatch(/Log Out|"signedIn",true|Unmistakable/);
        expect(seen.headers.getSetCookie()).toEqual([]);
      }
    }
  });

  test.each(["session", "flash", "bookmark", "sign-in", "reset", "verify", "passkey"])(
    "is known by the cookie __Host-%s",
    async (name) => {
      await anonymous("/products");
      const headers = { Cookie: `other=1; __Host-device=known; __Host-${name}=anything` };
      expect(stateOf(await anonymous("/products", { headers }))).toBe("pass");
    },
  );

  test("is not told by other cookies, nor by having been here before", async () => {
    await anonymous("/products");
    const headers = { Cookie: "__Host-device=known; theme=dark" };
    expect(stateOf(await anonymous("/products", { headers }))).toBe("hit");
  });

  test("a message of a redirect is shown once, to one", async () => {
    const someone = visitor(market);
    await someone.logIn((await addAccount(market.db)).email);
    await someone.post("/logout");
    await someone.get("/about");
    expect((await (await anonymous("/about")).text()).toLowerCase()).not.toContain("logged out");
    expect(stateOf(await anonymous("/about"))).toBe("hit");
  });
});

test("what is no page of all is not kept", async () => {
  const paths = [
    ...["/nobody-is-here", "/products/no-such-phone", "/login", "/signup", "/report", "/manage", "/PRODUCTS"],
    ...[
      "/products/",
      "/phoneInfoCollection",
      "/phoneInfoCollection/Nothing",
      "/openapi.json",
      "/allPhoneInfo",
      "/users",
    ],
    ...["/.data", "/products.data?_routes=nobody", "/products.data?_routes=android", "/products/%"],
  ];
  for (const path of [...paths, ...paths]) {
    expect([path, stateOf(await anonymous(path))]).toEqual([path, expect.stringMatching(/^(pass|miss)$/)]);
  }
});

test("a failure is not kept, and the next try may succeed", async () => {
  const own = await startMarket({ bindings: long });
  try {
    await own.db.run(sql`ALTER TABLE phones RENAME TO gone`);
    const { get } = visitor(own);
    expect((await get("/products")).status).toBe(500);
    await own.db.run(sql`ALTER TABLE gone RENAME TO phones`);
    const answer = await get("/products");
    expect([answer.status, stateOf(answer)]).toEqual([200, "miss"]);
  } finally {
    await own.stop();
  }
});

describe("a page that is no longer fresh", () => {
  test("is shown while one request makes it anew", async () => {
    const own = await startMarket({ bindings: { EDGE_CACHE_SECONDS: "1" } });
    try {
      const { get } = visitor(own);
      await get("/products");
      await addPhone(own.db, { model: "Unmistakable" });
      const refreshed = watch(own, "refresh");
      let shown = "";
      await expect
        .poll(async () => {
          const answer = await get("/products");
          shown = await answer.text();
          return stateOf(answer);
        })
        .toBe("stale");
      expect(shown).not.toContain("Unmistakable");
      const [told] = await refreshed(1);
      expect(told?.route).toBe("/products");
      const next = await get("/products");
      expect(await next.text()).toContain("Unmistakable");
    } finally {
      await own.stop();
    }
  });

  test("is shown when the database is out of reach, and to nobody else's harm", async () => {
    const server = await startLibsql();
    let own: TestMarket | undefined;
    try {
      own = await startMarket({ bindings: { ...long, LIBSQL_URL: server.url } });
      await addPhone(own.db, { model: "Unmistakable" });
      const someone = visitor(own);
      await someone.logIn((await addAccount(own.db)).email);
      const { get } = visitor(own);
      await get("/products");
      await server.stop();
      expect(stateOf(await get("/products"))).toBe("hit");
      await own.dropPages();
      await eventually(async () => stateOf(await get("/products"))).toBe("stale");
      const answer = await get("/products");
      expect([answer.status, stateOf(answer)]).toEqual([200, "stale"]);
      expect(await answer.text()).toContain("Unmistakable");
      expect((await get("/android")).status).toBe(503);
      expect((await someone.get("/manage")).status).toBe(503);
    } finally {
      await own?.stop();
      await server.stop();
    }
  });
});

test("writes past the Worker show when its starter says so", async () => {
  await anonymous("/products");
  await addPhone(market.db, { model: "Straight In" });
  expect(await (await anonymous("/products")).text()).not.toContain("Straight In");
  await market.dropPages();
  await expect
    .poll(async () => (await anonymous("/products")).text(), { timeout: 5000 })
    .toContain("Straight In");
});

test("times are told of what is asked, and never of what is posted", async () => {
  const { email } = await addAccount(market.db);
  const someone = visitor(market);
  expect((await anonymous(newAddress())).headers.get("Server-Timing")).toMatch(
    /^cache;desc=miss, .*render;dur=\d+$/,
  );
  expect((await someone.logIn(email)).headers.get("Server-Timing")).toBeNull();
  expect((await someone.get("/manage")).headers.get("Server-Timing")).toMatch(
    /^cache;desc=pass, .*render;dur=\d+$/,
  );
});

test("the log tells of each request by its pattern, and of nobody", async () => {
  const { email } = await addAccount(market.db);
  const seen = watch(market);
  await anonymous(`/products/${phone.id}?q=unmistakable`);
  await anonymous("/users/admin/unmistakable@example.com");
  await anonymous("/reset?token=unmistakable");
  await anonymous(`/products/${phone.id}/book.data?unmistakable`);
  await anonymous("/unmistakable/nowhere");
  await anonymous("/%00unmistakable%");
  await visitor(market).post("/login", { email, password: "unmistakable" });
  const told = await seen(7);
  expect(told.map(({ route }) => route)).toEqual([
    ...[
      "/products/:phoneId",
      "/users/admin/:email",
      "/reset",
      "/products/:phoneId/book",
      "/*",
      "/*",
      "/login",
    ],
  ]);
  expect(told.at(-1)).toEqual({
    level: "info",
    event: "request",
    reference: expect.stringMatching(/^[0-9a-f-]{36}$/),
    method: "POST",
    route: "/login",
    status: 400,
    cache: "pass",
    ms: expect.any(Number),
    dbMs: expect.any(Number),
    dbRoundTrips: 2,
    renderMs: expect.any(Number),
  });
  expect(market.log()).not.toMatch(/unmistakable/i);
  expect(market.log()).not.toContain(email);
});
