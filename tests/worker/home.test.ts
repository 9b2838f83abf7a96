import { beforeAll, expect, test } from "vitest";
import { tagsOf, textOf } from "../harness/html.ts";
import { addPhone, sharedServer, type TestServer, visitor } from "../harness/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await sharedServer();
});

const homePage = async () => (await visitor(server).get("/")).text();

const headings = (html: string, level: number) =>
  [...html.matchAll(new RegExp(`<h${level}\\b[^>]*>(.*?)</h${level}>`, "gs"))].map(([, content = ""]) =>
    textOf(content).trim(),
  );

test("the home page has the ten sections in their order, and no listings where none are for sale", async () => {
  await addPhone(server.db, { status: "sold" });
  const html = await homePage();
  const sections = [...html.matchAll(/<section aria-labelledby="([\w-]+)"|<section id="contact"/g)];
  expect(sections.map(([, id = "contact"]) => id)).toEqual([
    "welcome",
    "stats",
    "best-discounts",
    "upcoming-event",
    "categories",
    "benefits",
    "sell",
    "facilities",
    "contact",
    "reviews",
  ]);
  expect(textOf(html)).not.toContain("Just listed");
});

test("new listings that can be bought are above the figures, those with photos of their seller first", async () => {
  await addPhone(server.db, { model: "Number 1", cover: crypto.randomUUID() });
  for (const number of [2, 3, 4, 5]) await addPhone(server.db, { model: `Number ${number}` });
  await addPhone(server.db, { model: "Reserved", status: "reserved" });
  await addPhone(server.db, { model: "Sold", status: "sold" });
  const html = await homePage();
  const [newest = ""] = html.match(/aria-labelledby="newest".*?<\/section>/s) ?? [];
  expect(html.indexOf(newest)).toBeLessThan(html.indexOf('aria-labelledby="stats"'));
  expect(headings(newest, 3)).toEqual([1, 5, 4, 3].map((n) => `Fairphone Number ${n}`));
});

test("each link of the home page leads to a page, and each fragment to a part of it", async () => {
  const [main = ""] = (await homePage()).match(/<main.*?<\/main>/s) ?? [];
  const links = tagsOf(main)
    .filter(({ name }) => name === "a")
    .map(({ attributes }) => attributes.get("href") ?? "");
  for (const path of [
    "/signup",
    "/about#promises",
    "/ios",
    "/products?sort=saving",
    "/products?q=iPhone+15",
    "/products?q=Pixel+8",
    "/products?q=iPad+mini",
    "/addphone",
  ]) {
    expect(links).toContain(path);
  }
  for (const link of new Set(links)) {
    const { pathname, search, hash } = new URL(link, server.url);
    const response = await visitor(server).get(pathname + search);
    expect([link, response.status]).toEqual([link, ["/addphone", "/manage"].includes(pathname) ? 302 : 200]);
    if (hash) expect(await response.text()).toContain(` id="${hash.slice(1)}"`);
  }
});
