import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { phones } from "#app/db/schema.ts";
import { fieldValue, tagsOf, textOf } from "../harness/html.ts";
import { addPhone, sharedServer, type TestServer, visitor } from "../harness/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await sharedServer();
  for (let number = 1; number <= 26; number += 1) {
    const rom = number <= 25 ? "128 GB" : "256 GB";
    await addPhone(server.db, { brandName: "Samsung", model: "Galaxy S21", rom });
  }
  await addPhone(server.db, { brandName: "Samsung", model: "Galaxy S22" });
  await addPhone(server.db, { brandName: "Łódź", model: "Модель & Co" });
});

async function pageAt(path: string) {
  const response = await visitor(server).get(path);
  expect(response.status, path).toBe(200);
  const html = await response.text();
  const main = html.match(/<main.*?<\/main>/s)?.[0] ?? "";
  const links = [...main.matchAll(/<a\b[^>]*>.*?<\/a>/gs)].map(([link]) => ({
    text: textOf(link).replace(/\s+/g, " ").trim(),
    attributes: tagsOf(link)[0]?.attributes,
  }));
  const hrefOf = (sign: (link: (typeof links)[number]) => boolean | undefined) =>
    links.find(sign)?.attributes?.get("href")?.replaceAll("&amp;", "&");
  return {
    title: textOf(html.match(/<title>.*?<\/title>/s)?.[0] ?? ""),
    heading: textOf(main.match(/<h1.*?<\/h1>/s)?.[0] ?? "").trim(),
    text: textOf(main).replace(/\s+/g, " "),
    field: (name: string) => fieldValue(html, name),
    link: (text: string) => hrefOf((link) => link.text === text),
    chip: (label: string) => hrefOf(({ attributes }) => attributes?.get("aria-label") === `Remove ${label}`),
    rel: (rel: string) => hrefOf(({ attributes }) => attributes?.get("rel") === rel),
    options: tagsOf(main)
      .filter(({ attributes }) => attributes.get("type") === "checkbox")
      .map(({ attributes }) => attributes.get("aria-label")),
    models: links.filter(({ attributes }) => attributes?.get("href")?.startsWith("/models/")),
    cards: tagsOf(main).filter(({ name }) => name === "article").length,
  };
}

test("a misspelt search shows results for the corrected words, and links to the exact ones", async () => {
  const page = await pageAt("/products?q=samsnug+galxy");
  expect(page.text).toContain('Showing results for "samsung galaxy"');
  expect(page.text).toContain(" 27 devices ");
  expect(page.cards).toBe(24);
  expect(page.field("q")).toBe("samsnug galxy");
  expect(page.chip('"samsung galaxy"')).toBe("/products");
  expect(page.options).toContain("256 GB, 2 devices");

  const exact = await pageAt(page.link('Search instead for "samsnug galxy"') ?? "");
  expect(exact.text).not.toContain("Showing results for");
  expect(exact.text).toContain('No results for "samsnug galxy".');
  expect(exact.text).toContain(" 0 devices ");
  expect(exact.chip('"samsnug galxy"')).toBe("/products");
});

test("filters and pages of a corrected search stay corrected", async () => {
  const filtered = await pageAt("/android?q=samsnug&rom=128+GB");
  expect(filtered.text).toContain('Showing results for "samsung"');
  expect(filtered.text).toContain(" 25 phones ");
  expect(filtered.link('Search instead for "samsnug"')).toBe("/android?q=samsnug&exact=yes&rom=128+GB");
  expect(filtered.chip("128 GB storage")).toBe("/android?q=samsnug");
  const next = await pageAt(filtered.rel("next") ?? "");
  expect(next.text).toContain('Showing results for "samsung"');
  expect(next.cards).toBe(1);
  expect((await pageAt(next.rel("prev") ?? "")).cards).toBe(24);
  expect((await pageAt("/android?q=samsnug&rom=128+GB&more=1")).cards).toBe(25);
});

test("filters that exclude everything are named beside the corrected words", async () => {
  const page = await pageAt("/products?q=samsnug&brand=Absent");
  expect(page.text).toContain('We searched for "samsung"');
  expect(page.text).toContain('No devices match all your filters: "samsung" and Absent.');
  expect(page.options).toContain("Samsung, 27 devices");
  const right = await pageAt("/products?q=samsung&brand=Absent");
  expect(right.text).not.toContain("Showing results for");
  expect(right.models.map(({ text }) => text)).toEqual([
    "Samsung Galaxy S21 26 devices",
    "Samsung Galaxy S22 1 device",
  ]);
});

test("a search for what isn't sold here says so, without an alert or models", async () => {
  const page = await pageAt("/products?q=galaxy+charger");
  expect(page.text).toContain("sells phones and tablets only.");
  expect(page.text).not.toContain("Notify me");
  expect(page.link("See phones and tablets")).toBe("/products");
  expect(page.models).toEqual([]);
});

test("words without results suggest similar models", async () => {
  const page = await pageAt("/products?q=galaxy+s23");
  expect(page.text).toContain('No results for "galaxy s23".');
  expect(page.text).toContain("Try one of these models");
  expect(page.link("Notify me")).toBe("/manage/searches/new?q=galaxy+s23&list=products");
  expect(page.models.map(({ text, attributes }) => [text, attributes?.get("href")])).toEqual([
    ["Samsung Galaxy S21 26 devices", "/models/samsung-galaxy-s21"],
    ["Samsung Galaxy S22 1 device", "/models/samsung-galaxy-s22"],
  ]);
  expect((await pageAt("/products?q=nokia+21")).models).toEqual([]);
  expect((await pageAt("/tablet?q=zeppelin")).models).toEqual([]);
  const tablets = await pageAt("/tablet?q=galaxy+s21");
  expect(tablets.text).toContain('No results for "galaxy s21" in Tablets.');
  expect(tablets.link("Search all products")).toBe("/products?q=galaxy+s21");
});

test("the page says which words it can't filter by", async () => {
  const page = await pageAt("/products?q=galaxy+s22+with+box,+5g");
  expect(page.text).toContain(
    'Listings don’t say whether they have 5G, so we didn’t filter by that. We can’t filter by "with box". Check each listing. 1 device',
  );
  expect(page.chip('"galaxy s22"')).toBe("/products");
  const { id } = await addPhone(server.db, { deviceType: "Tablet", model: "Slate" });
  const tablets = await pageAt("/products?q=android+tablet");
  await server.db.delete(phones).where(eq(phones.id, id));
  expect(tablets.text).toContain('We can’t filter by "android". Check each listing.');
  const either = await pageAt("/products?q=galaxy+s22+or+s99");
  expect(either.chip('"galaxy s22 or galaxy s99"')).toBe("/products");
  expect(either.text).toContain(" 1 device ");
  const returns = await pageAt("/products?q=returns");
  expect(returns.link("Warranty, returns and shipping")).toBe("/about#promises");
  const nearest = await pageAt("/products?q=galaxy+s22+with+good+battery");
  expect(nearest.text).toContain("Closest matches We left out Battery at least 85%.");
  const shorter = await pageAt("/products?q=galaxy+s22+g901u");
  expect(shorter.text).toContain('Closest matches We left out "g901u".');
  const excluded = await pageAt("/products?q=galaxy+s22+-blue+92%25");
  expect(excluded.text).toContain(
    'We left out "blue", and listings that don’t say. There’s no filter for "92%", so you’re seeing the nearest one.',
  );
  const imei = await pageAt("/products?q=galaxy+s22+490154203237518");
  expect(imei.text).toContain("IMEIs stay private here, so you can’t search for one. 1 device");
});

test("words that name filters become chips, whose removal leaves the others", async () => {
  const page = await pageAt("/products?q=samsung+android+256gb+under+$400");
  expect(page.text).toContain(" 2 phones ");
  expect([page.field("q"), page.field("read")]).toEqual(Array(2).fill("samsung android 256gb under $400"));
  expect(page.heading).toBe('Results for "samsung android 256gb under $400"');
  expect(page.title).toContain(page.heading);
  expect(page.options).toContain("256 GB, 2 phones");
  expect(page.chip("Android")).toBe("/products?q=samsung&rom=256+GB&to=400");
  expect(page.chip("Up to $400")).toBe("/android?q=samsung&rom=256+GB");
  expect(page.chip("256 GB storage")).toBe("/android?q=samsung&to=400");
  expect(page.chip('"samsung"')).toBe("/android?rom=256+GB&to=400");
  expect(page.link("Save this search")).toBe("/manage/searches/new?q=samsung&rom=256+GB&to=400&list=android");
});

test("search words are escaped", async () => {
  const page = await pageAt(`/products?q=${encodeURIComponent('samsnug <b>"&')}`);
  expect(page.text).toContain('"samsnug <b>"&"');
});
