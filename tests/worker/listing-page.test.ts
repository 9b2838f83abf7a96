import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { listingViews, phones, photos, priceChanges, users } from "#app/db/schema.ts";
import { modelPath, modelSlug } from "#app/features/listings/device-variant.rules.ts";
import { saveReview } from "#app/features/reviews/write-review.server.ts";
import { hourMs } from "#app/time.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { dataPath } from "../harness/data-path.ts";
import { tagsOf, textOf } from "../harness/html.ts";
import { addSales } from "../harness/sales.ts";
import {
  addAccount,
  addPhone,
  addReceivedOrder,
  sharedServer,
  startServer,
  type TestServer,
  visitor,
} from "../harness/server.ts";

const origin = "https://ringback.example";
const secretAddress = "ada.secret@example.com";
/** Would end the script with the structured data if it were not escaped. */
const hostile = '</script><script>alert("1")</script><!-- & "it" -->';

let server: TestServer;
let seller: typeof users.$inferSelect;
let listing: Awaited<ReturnType<typeof addPhone>>;
let get: (path: string) => Promise<Response>;

beforeAll(async () => {
  server = await startServer({ bindings: { PUBLIC_ORIGIN: origin } });
  const createdAt = new Date("2024-03-05T10:00:00Z");
  seller = await addAccount(server.db, {
    userType: "Seller",
    name: "Ada Ström",
    email: secretAddress,
    verified: true,
    createdAt,
  });
  listing = await addPhone(server.db, {
    sellerId: seller.id,
    brandName: "Fairphone",
    model: hostile,
    sellingReason: `Because.\u0000\u000b\uffff ${hostile}`,
    image: "https://pictures.example/one.JPG?size=2",
    marketCents: 69_900,
    sellingCents: 34_950,
  });
  get = visitor(server).get;
});
afterAll(() => server?.stop());

const page = async (path: string) => {
  const response = await get(path);
  expect(response.status).toBe(200);
  return response.text();
};

function said(html: string, name: string, attribute = "content"): (string | undefined)[] {
  const own = (attributes: Map<string, string>) =>
    ["name", "property", "rel"].some((naming) => attributes.get(naming) === name);
  return tagsOf(html)
    .filter(({ attributes }) => own(attributes))
    .map(({ attributes }) => attributes.get(attribute));
}

describe("a listing's page", () => {
  test("shows all fields, without the seller's email address", async () => {
    const html = await page(`/phones/${listing.id}`);
    const text = textOf(html);
    expect(tagsOf(html).filter(({ name }) => name === "h1")).toHaveLength(1);
    for (const fact of [
      "$349.50",
      "$699",
      "8 GB",
      "256 GB",
      "50 MP wide",
      "Qualcomm QCM6490",
      "4200 mAh",
      "14 months",
      "Nov 20, 2026",
      "Ada Ström",
      "Verified seller",
      "Member since March 2024",
      "Because.",
      "1-year warranty",
    ]) {
      expect(text).toContain(fact);
    }
    const links = tagsOf(html).flatMap(({ attributes }) => attributes.get("href") ?? []);
    expect(links).toEqual(
      expect.arrayContaining([`/phones/${listing.id}/book`, `/sellers/${seller.id}`, "/android"]),
    );
    const data = await (await get(dataPath(`/phones/${listing.id}`))).text();
    expect(data).toContain("Qualcomm QCM6490");
    expect(html + data).not.toContain(secretAddress);
  });

  test("stays when the phone is reserved or sold, and links to similar phones", async () => {
    const [reserved, sold] = [
      await addPhone(server.db, { status: "reserved" }),
      await addPhone(server.db, { status: "sold", model: "that was sold" }),
    ];
    const texts = { reserved: await page(`/phones/${reserved.id}`), sold: await page(`/phones/${sold.id}`) };
    expect(textOf(texts.reserved)).toContain("Another buyer got here first.");
    expect(textOf(texts.sold)).toContain("This Fairphone that was sold has been sold.");
    for (const html of Object.values(texts)) {
      expect(html).not.toContain("/book");
      expect(textOf(html)).toContain("Similar devices");
      expect(html).toContain(`href="/phones/${listing.id}"`);
      expect(offerOf(html).availability).toBe("https://schema.org/OutOfStock");
    }
  });

  test("marks the seller's own listing, and is the same for all others", async () => {
    const owner = visitor(server);
    await owner.signIn(secretAddress);
    const own = await (await owner.get(`/phones/${listing.id}`)).text();
    expect(textOf(own)).toContain("Your own listing");
    expect(own).not.toContain("/book");
    const withoutNonce = (html: string) => html.replace(/nonce="[^"]*"|"nonce":"[^"]*"/g, "");
    const others = await Promise.all([
      page(`/phones/${listing.id}`),
      visitor(server).get(`/phones/${listing.id}`),
    ]);
    expect(withoutNonce(others[0])).toBe(withoutNonce(await others[1].text()));
  });

  test.each(["nothing", "%27%20OR%201=1", "x".repeat(2000)])("is 404 for the invalid id %#", async (id) => {
    expect((await get(`/phones/${id}`)).status).toBe(404);
    expect((await get(`/sellers/${id}`)).status).toBe(404);
  });

  test("is 404 for a removed listing, without a canonical URL", async () => {
    const { id } = await addPhone(server.db, { hiddenById: "some removal" });
    for (const path of [`/phones/${id}`, `/products/${id}`]) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(said(await response.text(), "canonical", "href")).toEqual([]);
    }
  });

  test("stays after the seller's account is closed, without a link to the seller", async () => {
    const { id, sellerId } = await addPhone(server.db, { status: "sold" });
    await server.db.update(users).set({ removalId: "x" }).where(eq(users.id, sellerId));
    expect(await page(`/phones/${id}`)).not.toContain(`/sellers/${sellerId}`);
    expect((await get(`/sellers/${sellerId}`)).status).toBe(404);
  });
});

test("a seller's page shows name and statistics, without the email address", async () => {
  const html = await page(`/sellers/${seller.id}`);
  const text = textOf(html);
  for (const fact of ["Ada Ström", "Verified seller", "Member since March 2024", "Nothing sold yet"]) {
    expect(text).toContain(fact);
  }
  expect(html).toContain(`href="/phones/${listing.id}"`);
  expect(html + (await (await get(dataPath(`/sellers/${seller.id}`))).text())).not.toContain(secretAddress);
  expect((await get(`/sellers/${(await addAccount(server.db)).id}`)).status).toBe(404);
});

test("a seller's page says which reviews count", async () => {
  const someone = await addAccount(server.db, { userType: "Seller" });
  const emailVerifiedAt = new Date();
  const one = await addAccount(server.db, { emailVerifiedAt });
  const two = await addAccount(server.db, { emailVerifiedAt });
  for (const reviewer of [one, one, two]) {
    const orderId = await addReceivedOrder(server.db, reviewer, someone);
    await saveReview(server.db, reviewer, orderId, { stars: 5, text: "" });
    await saveReview(server.db, someone, orderId, { stars: 5, text: "" });
  }
  for (const path of ["", "/reviews"])
    expect(textOf(await page(`/sellers/${someone.id}${path}`))).toContain(
      "No rating yet: it takes 3 reviews 2 reviews counted: the latest of each buyer within 90 days, from a confirmed email address",
    );
});

/** What Google requires of a listing and of breadcrumbs, in schema.org terms only. */
const address = z.string().startsWith(`${origin}/`).pipe(z.url());
const graphSchema = z.strictObject({
  "@context": z.literal("https://schema.org"),
  "@graph": z.tuple([
    z.strictObject({
      "@type": z.literal("Product"),
      "@id": address,
      url: address,
      name: z.string().min(1),
      image: z.array(z.url()).nonempty(),
      description: z.string().min(1),
      brand: z.strictObject({ "@type": z.literal("Brand"), name: z.string().min(1) }),
      model: z.string(),
      category: z.string(),
      sku: z.string(),
      itemCondition: z.literal("https://schema.org/UsedCondition"),
      additionalProperty: z.array(
        z.strictObject({ "@type": z.literal("PropertyValue"), name: z.string(), value: z.string() }),
      ),
      offers: z.strictObject({
        "@type": z.literal("Offer"),
        url: address,
        price: z.string().regex(/^\d+\.\d\d$/),
        priceCurrency: z.literal("USD"),
        availability: z.enum(["https://schema.org/InStock", "https://schema.org/OutOfStock"]),
        itemCondition: z.literal("https://schema.org/UsedCondition"),
        shippingDetails: z
          .strictObject({
            "@type": z.literal("OfferShippingDetails"),
            shippingDestination: z.strictObject({
              "@type": z.literal("DefinedRegion"),
              addressCountry: z.literal("US"),
            }),
            doesNotShip: z.literal(true),
          })
          .optional(),
        seller: z.strictObject({ "@type": z.literal("Person"), name: z.string(), url: address }),
      }),
    }),
    z.strictObject({
      "@type": z.literal("BreadcrumbList"),
      itemListElement: z
        .array(
          z.strictObject({
            "@type": z.literal("ListItem"),
            position: z.int().positive(),
            name: z.string().min(1),
            item: address,
          }),
        )
        .min(2),
    }),
  ]),
});

function graphOf(html: string) {
  const [, nonce, json = ""] =
    html.match(/<script type="application\/ld\+json" nonce="([^"]+)">(.*?)<\/script>/s) ?? [];
  expect(nonce).toMatch(/^[\w-]{43}$/);
  return graphSchema.parse(JSON.parse(json))["@graph"];
}

const offerOf = (html: string) => graphOf(html)[0].offers;

test("a listing has schema.org data", async () => {
  const html = await page(`/phones/${listing.id}`);
  const [product, crumbs] = graphOf(html);
  const url = `${origin}/phones/${listing.id}`;
  expect(product).toMatchObject({
    url,
    name: `Fairphone ${hostile}`,
    image: ["https://pictures.example/one.JPG?size=2"],
    brand: { name: "Fairphone" },
    offers: {
      price: "349.50",
      availability: "https://schema.org/InStock",
      seller: { name: "Ada Ström", url: `${origin}/sellers/${seller.id}` },
    },
  });
  expect(crumbs.itemListElement.map(({ position, item }) => [position, item])).toEqual([
    [1, `${origin}/`],
    [2, `${origin}/android`],
    [3, `${origin}${modelPath(modelSlug(listing))}`],
    [4, url],
  ]);
  expect(html).not.toContain('<script>alert("1")');
});

test("a listing has Open Graph data", async () => {
  const html = await page(`/phones/${listing.id}`);
  expect(said(html, "og:title")).toEqual([`Fairphone ${hostile}`]);
  expect(said(html, "og:description")).toEqual(said(html, "description"));
  expect(said(html, "og:description")[0]).toContain("for $349.50, with");
  expect(said(html, "og:url")).toEqual([`${origin}/phones/${listing.id}`]);
  expect(said(html, "og:type")).toEqual(["product"]);
  expect(said(html, "og:image")).toEqual(["https://pictures.example/one.JPG?size=2"]);
  expect(said(html, "product:price:amount")).toEqual(["349.50"]);
  expect(said(html, "twitter:card")).toEqual(["summary_large_image"]);
  // Our own SVG drawing is not used as a sharing image.
  const drawn = await page(`/phones/${(await addPhone(server.db)).id}`);
  expect(said(drawn, "og:image")).toEqual([`${origin}/ringback.png`]);
});

/** The specifications of a listing, by their terms. */
const factsOf = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<dt[^>]*>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/gs)].map(([, term, value]) => [
      textOf(term ?? "").trim(),
      textOf(value ?? "").trim(),
    ]),
  );

test("a listing shows its photos, condition, price history and usual price", async () => {
  const shown = await addPhone(server.db, {
    condition: "Good",
    batteryHealth: 91,
    cover: "one",
    rom: "77 GB",
    details: { delivery: "in person" },
    // A price of less than an hour may have been mistyped.
    createdAt: new Date(Date.now() - hourMs),
  });
  const path = `/phones/${shown.id}`;
  const bare = await page(path);
  expect(factsOf(bare)).toMatchObject({
    Scratches: "Not stated",
    IMEI: "Not stated",
    "Offers welcome": "Yes",
  });
  expect(bare.match(/alt="[^"]*, illustration: [^"]+"/g)?.map((alt) => alt.split(": ")[1])).toEqual([
    'front and back"',
    'screen on"',
    'back"',
    'front"',
    'left and right side"',
  ]);
  expect(bare).toContain('src="/devices/fairphone-5-views.svg#back"');
  expect(textOf(bare)).toContain("Not enough sales yet");
  expect(bare).not.toContain("Price history");
  for (const id of ["two", "one"]) {
    const row = {
      id,
      phoneId: shown.id,
      position: id === "one" ? 1 : 2,
      width: 1200,
      height: 900,
      digest: id,
    };
    await server.db.insert(photos).values(row);
  }
  await server.db.insert(priceChanges).values({ phoneId: shown.id, oldCents: 40_000, newCents: 34_950 });
  const sales = [30_000, 34_000, 38_000, 34_000, 34_000, 34_000, 34_000, 34_000, 34_000, 34_000];
  await addSales(server.db, { brandName: shown.brandName, model: shown.model, rom: "77GB" }, sales);
  await server.db.update(phones).set({ imeiHash: "hash" }).where(eq(phones.id, shown.id));
  const html = await page(path);
  const text = textOf(html);
  expect(factsOf(html)).toMatchObject({
    Delivery: "In person",
    IMEI: "Checked: its check digit is right, and no other listing has it",
  });
  expect(text).toContain("Good. Small scratches");
  expect(text).toContain("91%");
  expect(text).toContain("$9.50 above the usual price");
  expect(text).toContain("down $50.50");
  expect(html.match(/href="#photo-\d"/g)).toEqual(['href="#photo-1"', 'href="#photo-2"']);
  expect(html.match(/src="\/photos\/\w+\/gallery"/g)).toEqual([
    'src="/photos/one/gallery"',
    'src="/photos/two/gallery"',
  ]);
  expect(graphOf(html)[0].image).toEqual(["one", "two"].map((id) => `${origin}/photos/${id}/shared`));
  expect(said(html, "og:image")).toEqual([`${origin}/photos/one/shared`]);
  await server.db.update(phones).set({ sellingCents: 31_000 }).where(eq(phones.id, shown.id));
  const cheaper = await page(path);
  expect(said(cheaper, "description")[0]).toContain("$310, $30 below the usual price,");
  const pages = [
    path,
    `/products/${shown.id}`,
    "/products",
    `/compare?ids=${shown.id}`,
    "/",
    `/seen?ids=${shown.id}`,
  ];
  for (const where of pages) {
    expect([where, await page(where)]).toEqual([
      where,
      expect.stringMatching(/\$30 below the usual|"usualCents":34000/),
    ]);
  }
  await server.db.delete(photos).where(eq(photos.id, "two"));
  expect(await page(path)).not.toContain("#photo-");
});

test("the address of the full-screen pictures shows them in a dialog, or the listing if it has none", async () => {
  const drawn = await addPhone(server.db);
  const linked = await addPhone(server.db, { image: "https://pictures.example/phone.jpg" });
  const region = /<div id="messages"/g;
  const [withDialog, without] = [
    await page(`/phones/${drawn.id}/photos`),
    await page(`/phones/${linked.id}/photos`),
  ];
  expect(withDialog).toMatch(/<dialog [^>]*aria-label="Illustrations"[^>]*><div id="messages"/);
  expect(withDialog.match(region)).toHaveLength(1);
  expect(without).not.toContain("<dialog");
  expect(without.match(region)).toHaveLength(1);
});

test("the details dialog has all photos, and leads to the listing, its seller and the viewer's order", async () => {
  const [owner, other, taker] = [visitor(server), visitor(server), visitor(server)];
  const buyer = await addAccount(server.db);
  await taker.signIn(buyer.email);
  await other.signIn((await addAccount(server.db)).email);
  await owner.signIn(secretAddress);
  const phone = await addPhone(server.db, { sellerId: seller.id, model: "With two photos" });
  const size = { width: 1200, height: 900, phoneId: phone.id };
  for (const [position, id] of ["front", "back"].entries()) {
    await server.db.insert(photos).values({ ...size, id, position, digest: id, createdAt: new Date() });
  }
  const path = `/ios/${phone.id}`;
  const dialogOf = async (who: Pick<typeof owner, "get">) => {
    const html = await (await who.get(`${path}?q=a`)).text();
    return html.slice(html.indexOf("<dialog"), html.indexOf("</dialog>"));
  };
  const hrefs = (html: string) => tagsOf(html).map(({ attributes }) => attributes.get("href"));

  const free = await dialogOf(visitor(server));
  expect(hrefs(free)).toEqual(
    expect.arrayContaining([`/phones/${phone.id}`, `/sellers/${seller.id}`, `${path}/book?q=a`]),
  );
  const pictures = tagsOf(free).flatMap(({ name, attributes }) =>
    name === "img" ? attributes.get("alt") : [],
  );
  expect(pictures).toEqual(expect.arrayContaining(["Fairphone With two photos, photo 2 of 2"]));
  expect(textOf(await dialogOf(owner))).toContain("Your own listing");

  const { orderId } = (await bookWithoutLimits(server.db, buyer, phone.id, { address: "", phone: "" })) as {
    orderId: string;
  };
  for (const who of [taker, other, owner, visitor(server)]) {
    const html = await dialogOf(who);
    expect(hrefs(html).includes(`/manage/orders/${orderId}`)).toBe(who === taker);
    expect(html).not.toContain("/book");
    const title =
      who === taker
        ? "Reserved for you"
        : who === owner
          ? "Your own listing"
          : "Another buyer got here first";
    expect(textOf(html)).toContain(title);
  }
  // The booking dialog too.
  expect(hrefs(await (await taker.get(`${path}/book`)).text())).toContain(`/manage/orders/${orderId}`);
});

test("each page has one canonical URL", async () => {
  const cases: [requested: string, known: string | null][] = [
    ["/", "/"],
    ["/?utm_source=x", "/"],
    ["/About", "/about"],
    ["/blogs", "/blogs"],
    ["/products?q=x&brand=Apple&sort=price-up", "/products"],
    ["/Android?after=7&more=2&utm_source=x", "/android?after=7"],
    ["/android?sort=saving&after=7", "/android"],
    ["/android?ram=8GB&after=7", "/android"],
    ["/ios?before=7", "/ios"],
    ["/tablet/", "/tablet"],
    [`/products/${listing.id}?q=x`, `/phones/${listing.id}`],
    [`/phones/${listing.id}?x=y`, `/phones/${listing.id}`],
    [`/sellers/${seller.id}?x=y`, `/sellers/${seller.id}`],
    [`/sellers/${seller.id}?after=${listing.id}&x=y`, `/sellers/${seller.id}?after=${listing.id}`],
    [`${modelPath(modelSlug(listing))}?x=y`, modelPath(modelSlug(listing))],
    [`${modelPath(modelSlug(listing))}?after=7&x=y`, `${modelPath(modelSlug(listing))}?after=7`],
    ["/login", null],
    ["/report", null],
  ];
  for (const [requested, known] of cases) {
    const html = await page(requested);
    expect([requested, ...said(html, "canonical", "href")]).toEqual([
      requested,
      ...(known ? [origin + known] : []),
    ]);
  }
  const feeds = await Promise.all(["/products", "/tablet", "/about"].map(page));
  expect(feeds.map((html) => said(html, "alternate", "href"))).toEqual([
    [`${origin}/products.rss`],
    [`${origin}/tablet.rss`],
    [],
  ]);
});

test("without a configured origin, canonical URLs use the request's", async () => {
  const other = await sharedServer();
  const { id } = await addPhone(other.db);
  const html = await (await visitor(other).get(`/phones/${id}`)).text();
  expect(said(html, "canonical", "href")).toEqual([`${other.url}/phones/${id}`]);
  expect(await (await visitor(other).get("/robots.txt")).text()).toContain(`${other.url}/sitemap.xml`);
});

test("robots.txt names disallowed paths and the sitemap", async () => {
  const response = await get("/robots.txt");
  expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  const lines = (await response.text()).split("\n");
  expect(lines[0]).toBe("User-agent: *");
  expect(lines).toEqual(
    expect.arrayContaining(["Disallow: /manage", "Disallow: /*?q=", "Disallow: /*?*&sort=", "Allow: /"]),
  );
  expect(lines).toContain(`Sitemap: ${origin}/sitemap.xml`);
});

test("the sitemap lists each page and each listing", async () => {
  const gone = await addPhone(server.db, { status: "sold" });
  const addressesIn = async (path: string) => {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get("Content-Type")).toBe("application/xml; charset=utf-8");
    return [...(await response.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, found = ""]) => found);
  };
  expect(await addressesIn("/sitemap.xml")).toEqual([
    `${origin}/sitemap/pages.xml`,
    `${origin}/sitemap/models-1.xml`,
    `${origin}/sitemap/1.xml`,
  ]);
  const pages = await addressesIn("/sitemap/pages.xml");
  for (const found of pages) {
    expect(said(await page(new URL(found).pathname), "canonical", "href")).toEqual([found]);
  }
  const listings = await addressesIn("/sitemap/1.xml");
  expect(listings).toContain(`${origin}/phones/${listing.id}`);
  expect(listings).not.toContain(`${origin}/phones/${gone.id}`);
  const models = await addressesIn("/sitemap/models-1.xml");
  expect(models).toContain(origin + modelPath(modelSlug(listing)));
  for (const found of models) expect((await get(new URL(found).pathname)).status).toBe(200);
  for (const name of ["0.xml", "2.xml", "1", "x.xml", "models-0.xml", "models-2.xml", "models-.xml"]) {
    const path = `/sitemap/${name}`;
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
});

test("a category's feed has its newest listings", async () => {
  const response = await get("/android.rss");
  expect(response.headers.get("Content-Type")).toBe("application/rss+xml; charset=utf-8");
  const xml = await response.text();
  expect(xml).toContain(`<atom:link href="${origin}/android.rss" rel="self" type="application/rss+xml"/>`);
  const item = [...xml.matchAll(/<item>.*?<\/item>/gs)]
    .map(([whole]) => whole)
    .find((whole) => whole.includes(listing.id));
  const url = `${origin}/phones/${listing.id}`;
  expect(item).toContain(`<link>${url}</link>\n<guid isPermaLink="true">${url}</guid>`);
  expect(item).toContain(`<pubDate>${listing.createdAt.toUTCString()}</pubDate>`);
  // Feed readers parse the description as HTML.
  expect(item).toContain("&amp;lt;/script&amp;gt;");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold them.
  expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\uffff]/);
  expect(xml).not.toContain(secretAddress);

  for (const other of ["/android.rss/", "/android%2erss", "/Android.RSS"]) {
    expect([other, await (await get(other)).text()]).toEqual([other, xml]);
  }

  const tag = response.headers.get("ETag") ?? "";
  const again = () => visitor(server).send("/android.rss", { headers: { "If-None-Match": tag } });
  const unchanged = await again();
  expect(unchanged.status).toBe(304);
  expect(unchanged.headers.get("Cache-Control")).toBe(response.headers.get("Cache-Control"));
  await addPhone(server.db);
  expect((await again()).status).toBe(200);
  expect(await (await get("/ios.rss")).text()).not.toContain("<item>");
});

test("a view counts, but not its seller's", async () => {
  const other = visitor(server);
  await other.signIn((await addAccount(server.db)).email);
  const own = visitor(server);
  await own.signIn(secretAddress);
  const { id } = await addPhone(server.db, { sellerId: seller.id });
  for (const [someone, views] of [
    [own, undefined],
    [visitor(server), 1],
    [other, 2],
    [own, 2],
  ] as const) {
    const headers = { Origin: server.url, "User-Agent": "Mozilla/5.0 Firefox/140.0" };
    const body = new URLSearchParams({ id });
    expect((await someone.send("/seen", { method: "POST", body, headers })).status).toBe(204);
    const [counted] = await server.db.select().from(listingViews).where(eq(listingViews.phoneId, id));
    expect(counted?.views).toBe(views);
  }
});

test("the icons of the web manifest exist in the stated sizes", async () => {
  const html = await page("/");
  expect(said(html, "theme-color")).toHaveLength(2);
  const [path = ""] = said(html, "manifest", "href");
  const manifest = (await (await get(path ?? "")).json()) as {
    icons: { src: string; sizes: string; type: string }[];
  };
  const pixels = manifest.icons.filter(({ type }) => type === "image/png");
  expect(pixels.map(({ sizes }) => sizes)).toEqual(["192x192", "512x512", "512x512"]);
  const pictures = [
    ...pixels,
    { src: said(html, "apple-touch-icon", "href")[0] ?? "", sizes: "180x180" },
    { src: "/ringback.png", sizes: "1200x630" },
  ];
  for (const { src, sizes } of pictures) {
    const response = await get(src);
    expect([src, response.headers.get("Content-Type")]).toEqual([src, "image/png"]);
    const bytes = new DataView(await response.arrayBuffer());
    expect([src, `${bytes.getUint32(16)}x${bytes.getUint32(20)}`]).toEqual([src, sizes]);
  }
});

test("a price above the market price is not shown as a bargain", async () => {
  const phone = await addPhone(server.db, { model: "Overpriced", marketCents: 30_000, sellingCents: 45_000 });
  for (const path of [`/phones/${phone.id}`, `/products/${phone.id}`]) {
    const html = await (await get(path)).text();
    expect(html).not.toContain("$300</s>");
    expect(textOf(html)).toMatch(/\$450 .*Market price \$300/);
  }
});
