import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { orders } from "#app/db/schema.ts";
import { mergeBrands } from "#app/features/administration/brand-merging.server.ts";
import { dataPath } from "../harness/data-path.ts";
import { editPhone } from "../harness/fixtures.ts";
import { tagsOf, textOf } from "../harness/html.ts";
import { addSales } from "../harness/sales.ts";
import { addAccount, addPhone, startServer, type TestServer, visitor } from "../harness/server.ts";

const origin = "https://ringback.example";
const iphone = { brandName: "Apple", model: "iPhone 13", os: "Ios", rom: "128 GB" } as const;
const path = "/models/apple-iphone-13";
/** Would end the script with the structured data if it were not escaped. */
const hostile = '</script><script>alert("1")</script>';

let server: TestServer;
let listing: Awaited<ReturnType<typeof addPhone>>;
let get: (path: string) => Promise<Response>;

beforeAll(async () => {
  server = await startServer({ bindings: { PUBLIC_ORIGIN: origin, EDGE_CACHE_SECONDS: "0" } });
  get = visitor(server).get;
  const seller = await addAccount(server.db, { userType: "Seller", email: "ada.secret@example.com" });
  const add = (values: Parameters<typeof addPhone>[1]) =>
    addPhone(server.db, { sellerId: seller.id, ...iphone, ...values });
  listing = await add({ sellingCents: 34_950, condition: "Good", camera: hostile });
  await add({ sellingCents: 49_900, rom: "1 TB" });
  await add({ sellingCents: 10_000, status: "reserved" });
});
afterAll(() => server?.stop());

const page = async (path: string) => {
  const response = await get(path);
  expect(response.status).toBe(200);
  return response.text();
};

const address = z.string().startsWith(`${origin}/`).pipe(z.url());
const graphSchema = z.strictObject({
  "@context": z.literal("https://schema.org"),
  "@graph": z.tuple([
    z.strictObject({
      "@type": z.literal("Product"),
      "@id": address,
      url: address,
      name: z.string().min(1),
      image: z.array(z.url()).nonempty().optional(),
      description: z.string().min(1),
      brand: z.strictObject({ "@type": z.literal("Brand"), name: z.string().min(1) }),
      model: z.string(),
      category: z.string(),
      additionalProperty: z.array(
        z.strictObject({ "@type": z.literal("PropertyValue"), name: z.string(), value: z.string() }),
      ),
      offers: z
        .strictObject({
          "@type": z.literal("AggregateOffer"),
          url: address,
          lowPrice: z.string().regex(/^\d+\.\d\d$/),
          highPrice: z.string().regex(/^\d+\.\d\d$/),
          offerCount: z.int().positive(),
          priceCurrency: z.literal("USD"),
          availability: z.literal("https://schema.org/InStock"),
          itemCondition: z.literal("https://schema.org/UsedCondition"),
        })
        .optional(),
    }),
    z.strictObject({
      "@type": z.literal("BreadcrumbList"),
      itemListElement: z.array(
        z.strictObject({
          "@type": z.literal("ListItem"),
          position: z.int().positive(),
          name: z.string().min(1),
          item: address,
        }),
      ),
    }),
  ]),
});

function graphOf(html: string) {
  const [, json = ""] =
    html.match(/<script type="application\/ld\+json" nonce="[\w-]{43}">(.*?)<\/script>/s) ?? [];
  return graphSchema.parse(JSON.parse(json))["@graph"];
}

const hrefsOf = (html: string) => tagsOf(html).flatMap(({ attributes }) => attributes.get("href") ?? []);

test("a model's page shows its listings, cheapest offers and specifications", async () => {
  const html = await page(path);
  const text = textOf(html);
  expect(tagsOf(html).filter(({ name }) => name === "h1")).toHaveLength(1);
  for (const fact of [
    "2 for sale from $349.50, 1 reserved",
    "Reserved",
    "Good Condition not stated",
    "128 GB, 1 TB",
    "Qualcomm QCM6490",
    "No sales yet.",
  ]) {
    expect(text).toContain(fact);
  }
  expect(html).toContain("<title>Used Apple iPhone 13 · Ringback</title>");
  expect(html).toContain('content="2 used Apple iPhone 13 for sale, from $349.50."');
  expect(hrefsOf(html)).toEqual(expect.arrayContaining([`/phones/${listing.id}`, "/ios", origin + path]));
  expect(html + (await (await get(dataPath(path))).text())).not.toContain("ada.secret@");
  expect(html).not.toContain('<script>alert("1")');
});

test("a model has schema.org data", async () => {
  const [product, crumbs] = graphOf(await page(path));
  expect(product).toMatchObject({
    ...{ url: origin + path, name: "Apple iPhone 13", brand: { name: "Apple" }, model: "iPhone 13" },
    offers: { lowPrice: "349.50", highPrice: "499.00", offerCount: 2 },
  });
  expect(crumbs.itemListElement.map(({ position, item }) => [position, item])).toEqual([
    [1, `${origin}/`],
    [2, `${origin}/ios`],
    [3, origin + path],
  ]);
});

test("a listing links to its model", async () => {
  const html = await page(`/phones/${listing.id}`);
  expect(textOf(html)).toContain("See all 3 Apple iPhone 13 listings");
  expect(hrefsOf(html).filter((href) => href === path)).toHaveLength(2);
  const only = await addPhone(server.db, { brandName: "Only", model: "One" });
  expect(textOf(await page(`/phones/${only.id}`))).toContain("Only One sale prices");
  // Without an order it has no sales page to link to.
  await editPhone(server.db, only.id, { status: "sold" });
  expect(await page(`/phones/${only.id}`)).not.toContain("/models/");
});

test.each(["Apple-iPhone-13", "apple%20iphone%2013", "APPLE__iphone-13", "apple-iphone-13-"])(
  "/models/%s redirects permanently to the canonical URL",
  async (slug) => {
    const response = await get(`/models/${slug}?after=7`);
    expect([response.status, response.headers.get("Location")]).toEqual([301, `${path}?after=7`]);
  },
);

test("a model redirects to the spelling that its brand was merged into", async () => {
  await addPhone(server.db, { brandName: "Moto", model: "Edge 40" });
  const admin = await addAccount(server.db, { userType: "Admin" });
  await mergeBrands(server.db, admin, { from: "Moto", to: "Motorola" });
  const response = await get("/models/moto-edge-40?after=7");
  const moved = "/models/motorola-edge-40?after=7";
  expect([response.status, response.headers.get("Location")]).toEqual([301, moved]);
  expect((await get("/models/moto-edge-50")).status).toBe(404);
});

test.each(["apple-iphone", "nothing", "-", "%27%20OR%201=1", "%E0%A4%A", "x".repeat(2000)])(
  "an unknown model is 404 (%#)",
  async (slug) => {
    const response = await get(`/models/${slug}`);
    expect(response.status).toBe(slug === "%E0%A4%A" ? response.status : 404);
    expect([400, 404]).toContain(response.status);
  },
);

test("a model shows past prices, even when none is for sale", async () => {
  await addSales(server.db, iphone, [30_000, 40_000]);
  expect(textOf(await page(path))).toContain("Not enough sales yet for a usual price.");
  await addSales(server.db, iphone, [35_000]);
  const html = await page(path);
  expect(textOf(html)).toContain("3 sold for $300 to $400");
  expect(html).toMatch(/<figcaption[^>]*>[^<]+: \$350<\/figcaption><svg[^>]* aria-hidden="true"/);
  // Of the months since the first sale.
  expect(html.match(/<th scope="row"[^>]*>\w+ 20\d\d</g)).toHaveLength(1);
  expect(html).not.toContain("hidden@example.com");

  const sold = { brandName: "Sold", model: "Out" };
  const { id } = await addPhone(server.db, { ...sold, status: "sold" });
  expect((await get("/models/sold-out")).status).toBe(404);
  await server.db.insert(orders).values({
    ...{ phoneId: id, buyerId: "somebody", productName: "Sold Out", ram: "", rom: "", buyerName: "" },
    ...{ buyerAddress: "", email: "", phoneNumber: "", priceCents: 5_000 },
    stage: "received",
  });
  const gone = await page("/models/sold-out");
  expect(textOf(gone)).toContain("None for sale right now");
  expect(textOf(gone)).toContain("Not enough sales yet");
  expect(hrefsOf(gone)).toContain("/android");
  expect(graphOf(gone)[0].offers).toBeUndefined();
  expect(textOf(await page(`/phones/${id}`))).toContain("Sold Out sale prices");
});
