import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { attributesWith } from "#app/features/listings/attributes.ts";
import { seedDemoData } from "../../scripts/demo/seed.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { builtFolder } from "../harness/built-folder.ts";
import { dataPath } from "../harness/data-path.ts";
import { type Tag, tagsOf } from "../harness/html.ts";
import { addPhone, sharedServer, visitor } from "../harness/server.ts";

// The size of a list of 24 cards, in the production build with the demo data.

let server: LocalServer;
let html = "";
let tags: Tag[] = [];

beforeAll(async () => {
  server = await sharedServer();
  await seedDemoData(server.db);
  html = await (await visitor(server).get("/products")).text();
  tags = tagsOf(html);
});

const gzipped = (content: string | Buffer) => gzipSync(content, { level: 9 }).length;
const built = async (path: string) => readFile(join(await builtFolder(), path));
const named = (name: string) => tags.filter((tag) => tag.name === name).map(({ attributes }) => attributes);

describe("a list", () => {
  test("has 24 cards, in at most 900 elements", () => {
    expect(named("article")).toHaveLength(24);
    expect(tags.length).toBeLessThanOrEqual(900);
  });

  test("has at most 60 KB of markup, and 75 KB with its data", () => {
    const markup = html.replace(/<script\b.*?<\/script>/gs, "");
    expect(Buffer.byteLength(markup)).toBeLessThanOrEqual(60_000);
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(75_000);
  });

  test("loads only what its cards show", async () => {
    const response = await visitor(server).get(dataPath("/products"));
    const { phones } = (await response.json()) as { phones: object[] };
    expect(phones).toHaveLength(24);
    const shown: string[] = [
      ...attributesWith("onCard"),
      "badge",
      "brandName",
      "condition",
      "cover",
      "deviceType",
      "id",
      "image",
      "marketCents",
      "model",
      "placeAndAge",
      "ram",
      "rom",
      "sellingCents",
      "status",
      "usualCents",
    ];
    expect(phones.flatMap((phone) => Object.keys(phone)).filter((key) => !shown.includes(key))).toEqual([]);
  });

  test("has at most 17.1 KB of styles, compressed", async () => {
    const sheets = named("link").filter((link) => link.get("rel") === "stylesheet");
    expect(sheets).toHaveLength(1);
    expect(gzipped(await built(`client${sheets[0]?.get("href")}`))).toBeLessThanOrEqual(17_110);
  });

  test("preloads one font of at most 25 KB", async () => {
    const preloaded = named("link").filter((link) => link.get("as") === "font");
    expect(preloaded).toHaveLength(1);
    const font = preloaded[0]?.get("href") ?? "";
    expect((await built(`client${font}`)).byteLength).toBeLessThanOrEqual(25_000);
    for (const sheet of named("link").filter((link) => link.get("rel") === "stylesheet")) {
      const styles = (await built(`client${sheet.get("href")}`)).toString();
      expect(styles.match(/[^"'()]+\.woff2?/g)).toEqual([font]);
      expect(styles).not.toMatch(/@import/);
    }
  });

  test("has images of known size, of which only the first are loaded eagerly", () => {
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

// The login loads zod when its form is used. Each route of the product is named in some 50 bytes.
test("home, a list, a listing and the login have at most 120.5 KB of JavaScript each, compressed", async () => {
  const { id } = await addPhone(server.db);
  for (const path of ["/", "/products", `/phones/${id}`, "/login"]) {
    expect.soft(await scriptSize(path), path).toBeLessThanOrEqual(120_500);
  }
});

/** The size of the scripts that a page loads, with what they import. */
async function scriptSize(path: string): Promise<number> {
  const page = await (await visitor(server).get(path)).text();
  const scripts = [...page.matchAll(/<script\b[^>]* type="module"[^>]*>(.*?)<\/script>/gs)];
  const imported = scripts.flatMap(([, code = ""]) => code.match(/\/assets\/[\w.-]+\.js/g) ?? []);
  const preloaded = tagsOf(page)
    .filter(({ name, attributes }) => name === "link" && attributes.get("rel") === "modulepreload")
    .map(({ attributes }) => attributes.get("href") ?? "");
  expect(imported.length).toBeGreaterThan(1);
  expect(preloaded.length).toBeGreaterThan(1);
  const files = new Set([...imported, ...preloaded]);
  let size = 0;
  for (const file of files) {
    const code = await built(`client${file}`);
    size += gzipped(code);
    for (const [, name] of code.toString().matchAll(/\b(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) {
      files.add(`/assets/${name}`);
    }
  }
  return size;
}

describe("the Worker", () => {
  test("starts with at most 513 KB, compressed, and has at most 897 KB with what it loads on demand", async () => {
    const names = (await readdir(join(await builtFolder(), "server"))).filter((name) => name.endsWith(".js"));
    const sizes = new Map<string, number>();
    for (const name of names) sizes.set(name, gzipped(await built(`server/${name}`)));
    const sum = (parts: string[]) => parts.reduce((total, name) => total + (sizes.get(name) ?? 0), 0);
    expect(sum(["index.js", "worker.js"])).toBeLessThanOrEqual(513_000);
    expect(sum(names)).toBeLessThanOrEqual(897_000);
  });
});
