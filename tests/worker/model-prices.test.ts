import { afterAll, beforeAll, expect, test } from "vitest";
import { usualPrices } from "#app/db/schema.ts";
import { apiClient } from "../harness/api-client.ts";
import { textOf } from "../harness/html.ts";
import { addSales } from "../harness/sales.ts";
import { addAccount, addPhone, startServer, type TestServer, visitor } from "../harness/server.ts";

const path = "/models/apple-iphone-13/prices";
const iphone = { brandName: "Apple", model: "iPhone 13", os: "Ios", rom: "128 GB" } as const;
const html = { headers: { Accept: "text/html" } };

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await addSales(server.db, { ...iphone, condition: "Good" }, [30_000, 31_000, 35_050]);
  await addPhone(server.db, { ...iphone, rom: "256 GB" });
});
afterAll(() => server?.stop());

test("a page says what a model sells for, and takes the device to the form of a new listing", async () => {
  const response = await visitor(server).send(path, html);
  expect([response.status, response.headers.get("Vary")]).toEqual([200, expect.stringContaining("Accept")]);
  const page = await response.text();
  const text = textOf(page);
  expect(text).toContain("What a used Apple iPhone 13 is worth");
  expect(text).toContain("3 sold for $300 to $350.50");
  expect(text).toContain("3 newest sales, $300 to $350.50");
  expect(text).toContain("Too few sales yet");
  const graph = JSON.parse(/<script[^>]*application\/ld\+json[^>]*>(.*?)<\/script>/s.exec(page)?.[1] ?? "{}");
  expect(graph["@graph"][0]).toMatchObject({
    "@type": "Dataset",
    variableMeasured: [{ name: "Median price paid, 128 GB", value: "310.00", unitText: "USD" }],
  });
  const sell = /href="(\/addphone\?[^"]*128[^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const seller = visitor(server);
  await seller.signIn((await addAccount(server.db, { userType: "Seller" })).email);
  const form = await (await seller.get(sell)).text();
  for (const value of ["Apple", "iPhone 13", "128 GB"]) expect(form).toContain(`value="${value}"`);
});

test("the same address is an API path for programs, also once the page is cached", async () => {
  await visitor(server).send(path, html);
  const prices = { count: 3, median: 310, lowest: 300, highest: 350.5 };
  const { status, body, headers } = await apiClient(server).get(path);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    slug: "apple-iphone-13",
    prices,
    storages: [
      { rom: "128 GB", prices, conditions: [{ condition: "Good", prices }] },
      { rom: "256 GB", prices: null, conditions: [] },
    ],
    months: [{ prices }],
  });
  expect([headers.get("Cache-Control"), headers.get("Vary")]).toEqual([
    "public, max-age=60",
    expect.stringContaining("Accept"),
  ]);
  expect((await apiClient(server).get("/models/no-such/prices")).status).toBe(404);
});

test("prices are found by words, in the sitemap and from a search", async () => {
  const { get } = visitor(server);
  const found = await get("/prices?q=Apple+iPhone+13");
  expect([found.status, found.headers.get("Location")]).toEqual([302, path]);
  expect(textOf(await (await get("/prices")).text())).toContain("Apple iPhone 13 $310");
  expect(textOf(await (await get("/prices?q=nokia")).text())).toContain("We don’t know this model.");
  expect(await (await get("/sitemap/pages.xml")).text()).toContain("/prices</loc>");
  expect(await (await get("/sitemap/models-1.xml")).text()).toContain(`${path}</loc>`);
  // The page's own title: the list, with one model no less.
  const all = textOf(await (await get("/prices?q=What%E2%80%99s+my+phone+worth%3F")).text());
  expect(all).toContain("Sold most often Apple iPhone 13 $310");
  const search = await (await get("/products?q=iphone+13+price")).text();
  expect(search).toContain('href="/prices?q=iphone+13"');
  // Once, though several words ask for it.
  const asked = await (await get("/products?q=how+much+is+an+iphone+13+worth")).text();
  expect(asked.split('href="/prices?q=iphone+13"')).toHaveLength(2);
  const moved = await visitor(server).send("/models/APPLE_iphone-13/prices", html);
  expect([moved.status, moved.headers.get("Location")]).toEqual([301, path]);
});

test("a model without prices is not indexed", async () => {
  await addPhone(server.db, { brandName: "Nokia", model: "G22" });
  const isKept = async (path: string) =>
    (await (await visitor(server).send(path, html)).text()).includes('"noindex"');
  expect([await isKept("/models/nokia-g22/prices"), await isKept(path)]).toEqual([true, false]);
});

test("sales of a storage without a usual price count for no other", async () => {
  const pixel = { brandName: "Google", model: "Pixel 7", os: "Android" } as const;
  const other = { ...pixel, model: "Pixel 9" };
  const shown = async (slug: string) => {
    const page = await (await visitor(server).send(`/models/${slug}/prices`, html)).text();
    const graph = JSON.parse(
      /<script[^>]*application\/ld\+json[^>]*>(.*?)<\/script>/s.exec(page)?.[1] ?? "{}",
    );
    return {
      page: textOf(page),
      model: textOf(await (await visitor(server).get(`/models/${slug}`)).text()),
      rest: (await apiClient(server).get(`/models/${slug}/prices`)).body,
      types: graph["@graph"].map((node: { "@type": string }) => node["@type"]),
      measured: graph["@graph"].flatMap((node: { variableMeasured?: [] }) => node.variableMeasured ?? []),
    };
  };
  for (const rom of ["128 GB", "256 GB", "512 GB"]) await addSales(server.db, { ...pixel, rom }, [20_000]);
  const few = await shown("google-pixel-7");
  expect(few.page).toContain("Too few sales yet to say.");
  expect(few.page).not.toContain("$200");
  expect(few.model).toContain("Not enough sales yet for a usual price.");
  expect(few.rest).toMatchObject({ prices: null, months: [] });
  expect(few.types).toEqual(["BreadcrumbList"]);

  await addSales(server.db, { ...other, rom: "128 GB" }, [20_000, 21_000, 22_000]);
  await addSales(server.db, { ...other, rom: "1 TB" }, [500_000]);
  const some = await shown("google-pixel-9");
  expect(some.page).toContain(
    "is the usual price of the storages with enough sales. 3 sold for $200 to $220.",
  );
  expect(some.model).toContain("Usual price: $210");
  expect(some.model).toContain("3 sold for $200 to $220");
  const prices = { count: 3, median: 210, lowest: 200, highest: 220 };
  expect(some.rest).toMatchObject({ prices, months: [{ prices }] });
  expect(some.measured).toMatchObject([{ name: "Median price paid, 128 GB", value: "210.00" }]);
});

test("all models with a price are listed, in pages", async () => {
  const few = { rom: "131072", changes: 0, medianCents: 9_900, lowestCents: 9_900, highestCents: 9_900 };
  for (let number = 1; number <= 30; number += 1) {
    await addPhone(server.db, { brandName: "Zebra", model: `Z${number}` });
    await server.db.insert(usualPrices).values({ device: `zebra z${number}`, sales: 50, ...few });
  }
  for (const first of ["/prices", "/prices?q=zebra"]) {
    const found: string[] = [];
    for (let next: string | undefined = first; next; ) {
      const page: string = await (await visitor(server).send(next, html)).text();
      found.push(
        ...[...page.matchAll(/href="\/models\/(zebra-z\d+)\/prices"/g)].map(([, slug = ""]) => slug),
      );
      next = /<a[^>]*rel="next"[^>]*>/
        .exec(page)?.[0]
        .match(/href="([^"]+)"/)?.[1]
        ?.replaceAll("&amp;", "&");
    }
    expect(found).toHaveLength(30);
    expect(new Set(found).size).toBe(30);
  }
});
