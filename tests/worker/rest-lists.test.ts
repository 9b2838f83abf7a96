import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { orders, phones, tickets, users } from "#app/db/schema.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { type ApiClient, apiClient, signedInClient } from "../harness/api-client.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { addAccount, addPhone, type Phone, sharedServer, startServer } from "../harness/server.ts";

let server: LocalServer;
let admin: Awaited<ReturnType<typeof signedInClient>>;
beforeAll(async () => {
  server = await sharedServer();
  admin = await signedInClient(server, { userType: "Admin" });
});

/** More than a page or batch. */
const many = 1_205;

/** Ids in order, older than new ones. */
const serialId = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
const numbered = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${many})`;
const idOf = sql`printf('00000000-0000-7000-8000-%012d', i)`;
const newestFirst = Array.from({ length: many }, (_, index) => serialId(many - index));

type Listed = { _id: string };
const idsIn = (body: Listed[]) => body.map(({ _id }) => _id);
const ours = (ids: string[]) => ids.filter((id) => id.startsWith("00000000"));

const sony = {
  brandName: "Sony",
  model: "Model",
  ram: "8 GB",
  rom: "64 GB",
  processor: "p",
  os: "Android",
  deviceType: "Smart Phone",
} as const;

describe("a list of any length", () => {
  let owner: Awaited<ReturnType<typeof signedInClient>>;
  beforeAll(async () => {
    owner = await signedInClient(server, { userType: "Seller" });
    const seller = owner.account.id;
    // The variant that the listings refer to.
    await addPhone(server.db, { ...sony, sellerId: seller, hiddenById: "some removal" });
    await server.db.run(sql`insert into phones (id, seller_id, brand_name, model, ram, rom, image, camera, processor,
      battery, os, device_type, selling_reason, market_cents, selling_cents, post_date, used_time, created_at)
      ${numbered} select ${idOf}, ${seller}, 'Sony', 'Model', '8 GB', '64 GB', 'https://x.example/', 'c', 'p',
      'b', 'Android', 'Smart Phone', 'r', 20000, 10000, '2026-11-20', '1', 0 from n`);
    await server.db.run(sql`insert into orders (id, phone_id, buyer_id, product_name, ram, rom, buyer_name,
      buyer_address, email, phone, price_cents, created_at)
      ${numbered} select ${idOf}, ${idOf}, ${seller}, 'Sony ' || i, '8 GB', '64 GB', 'n', 'a', 'e', 'p', 10000, 0
      from n`);
    await server.db.run(sql`insert into users (id, name, email, user_type, created_at)
      ${numbered} select ${idOf}, 'Person ' || i, 'p' || i || '@many.example', 'Seller', 0 from n`);
    await server.db.run(sql`insert into reports (id, name, email, details, created_at)
      ${numbered} select ${idOf}, 'n', 'e', 'Report ' || i, 0 from n`);
  });

  const lists = ["/phoneInfoCollection", "/phoneInfoCollection/Android/Smart%20Phone", "/allPhoneInfo"];
  const admins = ["/users", "/sellers", "/report"];
  const clientFor = (path: string): ApiClient => (admins.includes(path) ? admin : owner);

  test.each([...lists, "/bookings", ...admins])("%s is complete and newest first", async (path) => {
    const { headers, body } = await clientFor(path).get(path);
    expect(ours(idsIn(body))).toEqual(newestFirst);
    expect(headers.get("Link")).toBeNull();
    expect(idsIn(body)).toEqual(idsIn(body).toSorted().reverse());
  });

  test.each([...lists, "/bookings", ...admins])("%s is complete over its pages", async (path) => {
    const seen = await walk(clientFor(path), `${path}?limit=200`);
    expect(ours(seen.flat())).toEqual(newestFirst);
    expect(seen.slice(0, -1).every((page) => page.length === 200)).toBe(true);
  });

  test("starts after a cursor, with or without a limit", async () => {
    for (const [count, limit] of [
      [100, ""],
      [99, ""],
      [1_100, ""],
      [1_200, "&limit=1000"],
      [5, "&limit=5"],
      [0, "&limit=1"],
    ] as const) {
      const path = `/phoneInfoCollection?cursor=${serialId(count + 1)}${limit}`;
      const { body } = await apiClient(server).get(path);
      const due = newestFirst.slice(many - count, limit === "&limit=1000" ? many - count + 1000 : undefined);
      expect([path, idsIn(body)]).toEqual([path, due]);
    }
  });

  test("has a next link only while there is more", async () => {
    const after = (count: number, limit: number) =>
      apiClient(server).get(`/phoneInfoCollection?cursor=${serialId(count + 1)}&limit=${limit}`);
    expect((await after(10, 10)).headers.get("Link")).toBeNull();
    expect((await after(10, 9)).headers.get("Link")).toContain(serialId(2));
    expect((await after(0, 9)).headers.get("Link")).toBeNull();
  });

  test("keeps the other parameters in a next link", async () => {
    const email = encodeURIComponent(owner.account.email);
    const { headers } = await owner.get(`/bookings?email=${email}&limit=3`);
    const [, next = ""] = headers.get("Link")?.match(/^<([^>]+)>; rel="next"$/) ?? [];
    const url = new URL(next, server.url);
    expect([url.origin, url.pathname]).toEqual([server.url, "/bookings"]);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      ...{ email: owner.account.email, limit: "3", cursor: serialId(many - 2) },
    });
  });

  test("is paged without loss or duplicates while rows change", async () => {
    const { id: sellerId } = owner.account;
    let page = 0;
    const seen = await walk(apiClient(server), "/phoneInfoCollection?limit=100", async (ids) => {
      page += 1;
      // A new row before the start, and a seen row and the cursor's row deleted.
      await addPhone(server.db, { sellerId });
      if (page > 3) return;
      for (const gone of [ids.at(-1), ids.at(5)]) {
        await server.db
          .update(phones)
          .set({ hiddenById: "gone" })
          .where(eq(phones.id, gone ?? ""));
      }
    });
    await server.db.update(phones).set({ hiddenById: null }).where(eq(phones.hiddenById, "gone"));
    expect(ours(seen.flat())).toEqual(newestFirst);
  });

  test("is streamed completely to a slow client", async () => {
    const response = await fetch(new URL("/phoneInfoCollection", server.url));
    let text = "";
    const decoder = new TextDecoder();
    let pieces = 0;
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(piece, { stream: true });
      pieces += 1;
      if (pieces === 1) await apiClient(server).get("/phoneInfoCollection?limit=1");
    }
    expect(pieces).toBeGreaterThan(1);
    expect(ours(idsIn(JSON.parse(text)))).toEqual(newestFirst);
  });
});

async function walk(
  one: ApiClient,
  start: string,
  between: (ids: string[]) => Promise<void> = async () => {},
) {
  const pages: string[][] = [];
  for (let path: string | undefined = start; path; ) {
    const { headers, body } = await one.get(path);
    pages.push(idsIn(body));
    if (pages.length > 100) throw new Error("The list has no end.");
    path = headers.get("Link")?.match(/^<([^>]+)>; rel="next"$/)?.[1];
    await between(idsIn(body));
  }
  return pages;
}

test.each([
  "limit=",
  "limit=0",
  "limit=-1",
  "limit=1001",
  "limit=99999999999999999999",
  "limit=1.5",
  "limit=1e2",
  "limit=%2B5",
  "limit=all",
  "limit=5&limit=x",
  "cursor=",
  "cursor=nothing",
  "cursor=%27%20OR%201=1",
  `cursor=${"A".repeat(36)}`,
  `cursor=${serialId(1)}0`,
])("%s is not a valid page", async (query) => {
  for (const path of [
    "/phoneInfoCollection",
    "/allPhoneInfo",
    "/bookings",
    "/users",
    "/sellers",
    "/report",
  ]) {
    const response = await admin.get(`${path}?${query}`);
    const [parameter] = query.split("=");
    expect([path, response.status, response.body.errors]).toEqual([
      path,
      422,
      [{ parameter, detail: expect.any(String) }],
    ]);
  }
});

test("private lists are not cached", async () => {
  for (const path of ["/allPhoneInfo", "/bookings", "/users", "/sellers", "/report", "/bookings?limit=1"]) {
    const { headers } = await admin.get(path);
    expect([path, headers.get("Cache-Control"), headers.get("ETag")]).toEqual([
      path,
      "private, no-store",
      null,
    ]);
  }
});

describe("the ETag of a public list", () => {
  let fresh: LocalServer;
  let one: ApiClient;
  let seller: typeof users.$inferSelect;
  beforeAll(async () => {
    fresh = await startServer();
    one = apiClient(fresh);
    seller = await addAccount(fresh.db, { userType: "Seller" });
  });
  afterAll(() => fresh?.stop());

  let phone: Phone;
  beforeEach(async () => {
    phone = await addPhone(fresh.db, { sellerId: seller.id });
  });

  const list = "/phoneInfoCollection";
  const tagOf = async (path = list) => (await one.get(path)).headers.get("ETag") ?? "";
  const known = async (tag: string, method = "GET", path = list) =>
    (await one.send(method, path, { headers: { "If-None-Match": tag } })).status;

  test("gives 304 for each form of If-None-Match", async () => {
    const tag = await tagOf();
    expect(tag).toMatch(/^(W\/)?"[\x21\x23-\x7e]+"$/);
    const strong = tag.replace(/^W\//, "");
    for (const header of [tag, strong, `W/${strong}`, "*", `"other", ${tag}`, `"a","b",${strong} , "c"`]) {
      expect([header, await known(header), await known(header, "HEAD")]).toEqual([header, 304, 304]);
    }
    for (const header of ['"other"', "", '""', strong.slice(1, -1), `${strong.slice(0, -2)}"`]) {
      expect([header, await known(header), await known(header, "HEAD")]).toEqual([header, 200, 200]);
    }
    const response = await one.get(list, { "If-None-Match": tag });
    expect([response.text, response.headers.get("ETag")]).toEqual(["", tag]);
    expect(response.headers.get("Cache-Control")).toBe("public, no-cache");
    expect(response.headers.get("Content-Security-Policy")).toBeNull();
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test.each([list, `${list}?limit=1`, `${list}/Android/Smart%20Phone`, `${list}/Tablet`])(
    "is sent for %s",
    async (path) => {
      expect(await known(await tagOf(path), "GET", path)).toBe(304);
    },
  );

  const buyer = async () => addAccount(fresh.db);
  const changes: [string, () => Promise<unknown>][] = [
    ["a phone is added", () => addPhone(fresh.db, { sellerId: seller.id })],
    [
      "a phone is booked",
      async () => bookWithoutLimits(fresh.db, await buyer(), phone.id, { address: "", phone: "" }),
    ],
    [
      "a phone is removed",
      () => fresh.db.update(phones).set({ hiddenById: "r" }).where(eq(phones.id, phone.id)),
    ],
    ["a phone is deleted for good", () => fresh.db.delete(phones).where(eq(phones.id, phone.id))],
    [
      "a price changes",
      () => fresh.db.update(phones).set({ sellingCents: 1 }).where(eq(phones.id, phone.id)),
    ],
    [
      "its seller is renamed",
      () => fresh.db.update(users).set({ name: "New" }).where(eq(users.id, seller.id)),
    ],
  ];
  test.each(changes)("changes when %s", async (_, change) => {
    const before = await tagOf();
    await change();
    expect(await tagOf()).not.toBe(before);
    expect(await known(before)).toBe(200);
  });

  test("stays when nothing on the list has changed", async () => {
    const person = await signedInClient(fresh, { userType: "Seller" });
    const before = await tagOf();
    await person.get("/allPhoneInfo");
    await person.post("/report", {});
    await person.post("/bookings", { phoneId: "nothing" });
    await addAccount(fresh.db);
    await fresh.db.insert(tickets).values({ name: "", email: "", details: "" });
    await fresh.db.update(users).set({ verified: true }).where(eq(users.id, person.account.id));
    await fresh.db.delete(orders);
    expect(await tagOf()).toBe(before);
  });

  test("is sent for the OpenAPI document too", async () => {
    expect(await known(await tagOf("/openapi.json"), "GET", "/openapi.json")).toBe(304);
  });
});

test("reviews are listed for sellers who have a page", async () => {
  const { id } = await addAccount(server.db, { userType: "Seller" });
  const path = `/reviews/seller/${id}`;
  expect(await admin.get(path)).toMatchObject({ status: 200, body: [] });
  await server.db.update(users).set({ removalId: "removed" }).where(eq(users.id, id));
  for (const gone of [path, "/reviews/seller/nobody"]) expect((await admin.get(gone)).status).toBe(404);
});
