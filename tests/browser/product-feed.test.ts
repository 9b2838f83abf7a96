import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { phones, photos, type users } from "#app/db/schema.ts";
import { sharedBrowser } from "../harness/browser.ts";
import { fieldValue } from "../harness/html.ts";
import { addAccount, addPhone, startServer, type TestServer, visitor } from "../harness/server.ts";

const origin = "https://ringback.example";
/** What XML does not allow as it is, or at all. */
const hostile = `Pixel <8> & "Pro" ]]> \u0001\uFFFE 'x'`;

let server: TestServer;
let seller: typeof users.$inferSelect;
/** For its parser of XML. */
let page: Page;
beforeAll(async () => {
  page = await (await sharedBrowser()).newPage();
  server = await startServer({ bindings: { PUBLIC_ORIGIN: origin, EDGE_CACHE_SECONDS: "0" } });
  seller = await addAccount(server.db, { userType: "Seller" });
});
afterAll(async () => {
  await page?.close();
  await server?.stop();
});

async function addWithPhotos(values: Parameters<typeof addPhone>[1] = {}, count = 1) {
  const phone = await addPhone(server.db, { sellerId: seller.id, ...values });
  const ids = Array.from({ length: count }, () => crypto.randomUUID().replaceAll("-", ""));
  const size = { width: 1200, height: 900 };
  await server.db
    .insert(photos)
    .values(ids.map((id, position) => ({ id, phoneId: phone.id, position, digest: id, ...size })));
  await server.db
    .update(phones)
    .set({ cover: ids[0] ?? null })
    .where(eq(phones.id, phone.id));
  return { ...phone, photos: ids };
}

async function feed(path = "/feeds/google.xml") {
  const response = await visitor(server).get(path);
  expect([response.status, response.headers.get("Content-Type")]).toEqual([
    200,
    "application/rss+xml; charset=utf-8",
  ]);
  return itemsIn(await response.text());
}

/** Names and values of the attributes of an item, as a parser of XML reads them. */
type Item = [name: string, value: string][];

function itemsIn(xml: string): Promise<Item[]> {
  return page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "application/xml");
    const error = parsed.querySelector("parsererror");
    if (error) throw new Error(error.textContent ?? "");
    return [...parsed.querySelectorAll("rss > channel > item")].map((item) =>
      [...item.children].map((child): [string, string] => {
        if (child.namespaceURI !== "http://base.google.com/ns/1.0") throw new Error(child.nodeName);
        return [child.localName, child.textContent ?? ""];
      }),
    );
  }, xml);
}

const valuesOf = (item: Item | undefined, name: string) =>
  (item ?? []).flatMap(([key, value]) => (key === name ? [value] : []));
const itemOf = async (id: string) => (await feed()).find((item) => valuesOf(item, "id")[0] === id);

/**
 * The rules of each attribute, after Google's documentation.
 *
 * @see https://support.google.com/merchants/answer/7052112 and https://support.google.com/merchants/answer/11537846
 */
const rules: Record<string, { value: RegExp; max?: number; required?: true }> = {
  id: { value: /^[\w.-]{1,50}$/, required: true },
  title: { value: /^\S.*\S$/, max: 150, required: true },
  description: { value: /^\S.*\S$/s, max: 5000, required: true },
  link: { value: /^https:\/\/ringback\.example\/\S+$/, max: 2000, required: true },
  image_link: { value: /^https:\/\/ringback\.example\/photos\/\w+\/shared$/, max: 2000, required: true },
  additional_image_link: { value: /^https:\/\/ringback\.example\/photos\/\w+\/shared$/, max: 2000 },
  availability: { value: /^(?:in_stock|out_of_stock|preorder|backorder)$/, required: true },
  price: { value: /^\d+\.\d\d [A-Z]{3}$/, required: true },
  condition: { value: /^used$/, required: true },
  brand: { value: /^\S.*$/, max: 70, required: true },
  google_product_category: { value: /^(?:267|4745)$/, required: true },
  color: { value: /^[A-Za-z]+$/, max: 40 },
  external_seller_id: { value: /^[0-9a-zA-Z.~_-]{1,50}$/, required: true },
  shipping_label: { value: /^[\w]+$/, max: 100 },
  ships_from_country: { value: /^[A-Z]{2}$/ },
  min_handling_time: { value: /^\d+$/ },
  max_handling_time: { value: /^[1-9]\d*$/ },
  return_policy_label: { value: /^\w+$/, max: 100 },
};

function expectValid(item: Item) {
  for (const [name, { required }] of Object.entries(rules))
    if (required) expect(valuesOf(item, name), name).toHaveLength(1);
  for (const [name, text] of item) {
    const rule = rules[name];
    expect(rule, name).toBeDefined();
    expect(text, name).toMatch(rule?.value ?? /^$/);
    expect([...text].length, name).toBeLessThanOrEqual(rule?.max ?? 5000);
  }
  expect(valuesOf(item, "additional_image_link").length).toBeLessThanOrEqual(10);
}

test("an item follows Google's rules, whatever its seller has typed", async () => {
  const plain = await addWithPhotos({ brandName: "Google", model: "Pixel 8", color: "Blue" }, 3);
  const long = await addWithPhotos({
    brandName: "B".repeat(60),
    model: `${hostile} ${"long ".repeat(40)}`,
    deviceType: "Tablet",
  });
  const items = await feed();
  for (const item of items) expectValid(item);
  expect(items.map((item) => valuesOf(item, "id")[0])).toEqual([plain.id, long.id]);
  const item = items[0];
  expect(valuesOf(item, "title")).toEqual(["Google Pixel 8, 256 GB, Blue, used"]);
  expect(valuesOf(item, "price")).toEqual(["349.50 USD"]);
  expect(valuesOf(item, "link")).toEqual([`${origin}/phones/${plain.id}`]);
  expect(valuesOf(item, "external_seller_id")).toEqual([seller.id]);
  expect([...valuesOf(item, "image_link"), ...valuesOf(item, "additional_image_link")]).toEqual(
    plain.photos.map((id) => expect.stringContaining(id)),
  );
  // Nothing that a seller writes to buyers, and no address.
  expect(JSON.stringify(items)).not.toMatch(/One phone is enough|@example/);
});

test("the feed and the page of a listing say the same", async () => {
  const states = [
    await addWithPhotos({ status: "available" }),
    await addWithPhotos({ status: "available", details: { delivery: "shipped" } }),
    await addWithPhotos({ status: "reserved", details: { delivery: "in person" } }),
  ];
  for (const { id } of states) {
    const item = await itemOf(id);
    const html = await (await visitor(server).get(`/phones/${id}`)).text();
    const graph = JSON.parse(/ld\+json[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? "{}");
    const { offers } = graph["@graph"][0];
    expect([offers.price, offers.priceCurrency].join(" ")).toBe(valuesOf(item, "price")[0]);
    const inStock = offers.availability.endsWith("/InStock");
    expect(valuesOf(item, "availability")).toEqual([inStock ? "in_stock" : "out_of_stock"]);
    // What is shipped has no rate, without which Google takes no shipping details.
    const [shipping] = valuesOf(item, "shipping_label");
    const region = { "@type": "DefinedRegion", addressCountry: "US" };
    expect(offers.shippingDetails).toEqual(
      shipping === "in_person"
        ? { "@type": "OfferShippingDetails", shippingDestination: region, doesNotShip: true }
        : undefined,
    );
    expect(valuesOf(item, "max_handling_time")).toEqual(shipping === "shipped" ? ["5"] : []);
    // Without a payment provider, nobody can promise returns.
    expect([offers.hasMerchantReturnPolicy, valuesOf(item, "return_policy_label")]).toEqual([undefined, []]);
  }
});

test("only what may be sold and has photos of its own is in it", async () => {
  await addPhone(server.db, { sellerId: seller.id });
  const shown = await addWithPhotos();
  for (const values of [{ status: "sold" }, { status: "paused" }, { hiddenById: "decision" }] as const)
    await addWithPhotos(values);
  const ids = async () => (await feed()).map((item) => valuesOf(item, "id")[0]);
  const before = await ids();
  expect(before.at(-1)).toBe(shown.id);
  // What its seller does counts at once.
  await server.db.update(phones).set({ status: "paused" }).where(eq(phones.id, shown.id));
  expect(await ids()).toEqual(before.slice(0, -1));
});

test("a shop opts out, and in again", async () => {
  const owner = await addAccount(server.db, { userType: "Seller" });
  const { id } = await addWithPhotos({ sellerId: owner.id });
  const who = visitor(server);
  await who.signIn(owner.email);
  const save = async (inProductFeed?: string) => {
    const fields = {
      intent: "shop",
      account: owner.email,
      shopText: "Tested.",
      ...(inProductFeed && { inProductFeed }),
    };
    expect((await who.post("/manage/account", fields)).status).toBe(303);
    return (await itemOf(id)) !== undefined;
  };
  expect([await save(), await save("no"), await save(), await save("yes")]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test("a page that was opened before the opt-out does not undo it", async () => {
  const owner = await addAccount(server.db, { userType: "Seller" });
  const { id } = await addWithPhotos({ sellerId: owner.id });
  const who = visitor(server);
  await who.signIn(owner.email);
  const opened = await (await who.get("/manage/account")).text();
  const save = async (changes: Record<string, string>) => {
    const fields = { shopText: "", inProductFeed: "yes", ...changes };
    const shown = Object.keys(fields).map((name) => [
      `shown-${name}`,
      fieldValue(opened, `shown-${name}`) ?? "",
    ]);
    const form = { intent: "shop", account: owner.email, ...Object.fromEntries(shown), ...fields };
    expect((await who.post("/manage/account", form)).status).toBe(303);
  };
  await save({ inProductFeed: "no" });
  await save({ shopText: "Tested." });
  await save({});
  expect(await itemOf(id)).toBeUndefined();
  expect(await (await who.get(`/sellers/${owner.id}`)).text()).toContain("Tested.");
});

test("a large catalog comes in parts, with the address of the next", async () => {
  const first = await addWithPhotos();
  await server.db.update(phones).set({ number: 50_001 }).where(eq(phones.id, first.id));
  const response = await visitor(server).get("/feeds/google.xml");
  expect(response.headers.get("Link")).toBe(`<${origin}/feeds/google.xml?part=2>; rel="next"`);
  expect(await response.text()).toContain(`<atom:link href="${origin}/feeds/google.xml?part=2" rel="next"`);
  const last = await feed("/feeds/google.xml?part=2");
  expect(last.map((item) => valuesOf(item, "id")[0])).toEqual([first.id]);
  for (const path of ["?part=3", "?part=99999"])
    expect((await visitor(server).get(`/feeds/google.xml${path}`)).status).toBe(404);
});
