import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { decode } from "turbo-stream";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { seedDemoData } from "../../scripts/demo/seed.ts";
import type { Market } from "../../scripts/market.ts";
import { type Tag, tagsOf } from "../harness/html.ts";
import { startMarket, visitor } from "../harness/market.ts";

// What a list weighs, over the bundle that is deployed and the demo data; sizes are compressed.

let market: Market;
let html = "";
let tags: Tag[] = [];

beforeAll(async () => {
  market = await startMarket();
  await seedDemoData(market.db);
  html = await (await visitor(market).get("/products")).text();
  tags = tagsOf(html);
});

afterAll(() => market?.stop());

const size = (content: string | Buffer) => gzipSync(content, { level: 9 }).length;
const built = (path: string) => readFile(join(inject("buildFolder"), path));
const named = (name: string) => tags.filter((tag) => tag.name === name).map(({ attributes }) => attributes);

describe("a list", () => {
  test("weighs no more than a fifth over its markup alone", () => {
    expect(named("article")).toHaveLength(24);
    const markup = html.replace(/<script\b.*?<\/script>|<link rel="modulepreload"[^>]*>/gs, "");
    expect(markup).not.toMatch(/<script|modulepreload/);
    expect(size(html) / size(markup)).toBeLessThanOrEqual(1.2);
  });

  test("says nothing in its data that stands in its cards", () => {
    const data = html.match(/<script [^>]*id="page-data">(.*?)<\/script>/s)?.[1] ?? "";
    expect(JSON.parse(data).state.loaderData.products).not.toHaveProperty("phones");
  });

  test("loads only what its cards show", async () => {
    const answer = await visitor(market).get("/products.data");
    const { value } = await decode(answer.body as ReadableStream<Uint8Array>);
    const { phones } = (value as { products: { data: { phones: object[] } } }).products.data;
    expect(phones).toHaveLength(24);
    for (const phone of phones) {
      expect(Object.keys(phone).sort()).toEqual([
        "brandName",
        "condition",
        "cover",
        "deviceType",
        "id",
        "image",
        "marketCents",
        "model",
        "ram",
        "rom",
        "sellerVerified",
        "sellingCents",
        "status",
      ]);
    }
  });

  test("has at most 95 KB of JavaScript, and asks for it when it is painted", async () => {
    const scripts = named("script").filter((script) => script.get("type") !== "application/json");
    expect(scripts.map((script) => [script.get("type"), script.get("src")])).toEqual([["module", undefined]]);
    expect(named("link").map((link) => link.get("rel"))).not.toContain("modulepreload");
    const loader = html.match(/<script [^>]*type="module">(.*?)<\/script>/s)?.[1] ?? "";
    const files = new Set(loader.match(/\/assets\/[\w.-]+\.js/g));
    expect(files.size).toBeGreaterThan(4);
    // What these import in their turn counts too, though the page names it already.
    for (const file of files) {
      const code = await built(`client${file}`);
      for (const [, imported] of code.toString().matchAll(/\b(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) {
        files.add(`/assets/${imported}`);
      }
    }
    const sizes = await Promise.all([...files].map(async (file) => size(await built(`client${file}`))));
    expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(95_000);
  });

  test("has at most 14 KB of styles", async () => {
    const sheets = named("link").filter((link) => link.get("rel") === "stylesheet");
    expect(sheets).toHaveLength(1);
    expect(size(await built(`client${sheets[0]?.get("href")}`))).toBeLessThanOrEqual(14_000);
  });

  test("asks for no font", async () => {
    expect(html).not.toMatch(/\.woff|as="font"/);
    for (const sheet of named("link").filter((link) => link.get("rel") === "stylesheet")) {
      expect((await built(`client${sheet.get("href")}`)).toString()).not.toMatch(/@font-face|@import/);
    }
  });

  test("has pictures of known size: the first at once, those further down when they come near", () => {
    const pictures = named("img").filter((picture) => picture.get("src")?.startsWith("/devices/"));
    expect(pictures).toHaveLength(24);
    for (const picture of pictures) {
      expect([picture.get("width"), picture.get("height")]).toEqual(["400", "360"]);
    }
    expect(pictures.map((picture) => picture.get("fetchpriority"))).toEqual([
      "high",
      ...Array(23).fill(undefined),
    ]);
    expect(pictures.map((picture) => picture.get("loading"))).toEqual([
      ...Array(2).fill("eager"),
      ...Array(22).fill("lazy"),
    ]);
  });
});

describe("the Worker", () => {
  test("weighs less than 300 KB", async () => {
    expect(size(await built("server/index.js"))).toBeLessThan(300_000);
  });
});
