/** Takes the README's pictures of the main pages, of a market with the demo data in it. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import sharp from "sharp";
import { chromiumPath } from "../tests/harness/chromium.ts";
import { buildInto } from "./build.ts";
import { demoPassword, seedDemoData } from "./demo/seed.ts";
import { openMarket } from "./market.ts";

const folder = fileURLToPath(new URL("../docs/pictures/", import.meta.url));

const desk = { viewport: { width: 1280, height: 860 } };
const hand = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true };
const night = { ...hand, colorScheme: "dark" as const };

interface Picture {
  name: string;
  on: BrowserContextOptions;
  /** Who looks; without it a stranger. */
  as?: string;
  path: string;
  /** What is done before the picture is taken. */
  first?: (page: Page) => Promise<unknown>;
}

const toNewest = (page: Page) =>
  page.getByRole("article").getByRole("heading").getByRole("link").first().click();

const pictures: Picture[] = [
  { name: "home", on: desk, path: "/" },
  { name: "list", on: desk, path: "/android?brand=Google&brand=Samsung" },
  { name: "listing", on: desk, path: "/products", first: toNewest },
  { name: "sellings", on: desk, as: "seller@example.com", path: "/manage/mysells" },
  {
    name: "filters",
    on: hand,
    path: "/products?q=iphone",
    first: (page) => page.getByRole("button", { name: /^Filters/ }).click(),
  },
  {
    name: "booking",
    on: night,
    as: "buyer@example.com",
    path: "/tablet",
    first: (page) => page.getByRole("link", { name: "Buy Now" }).first().click(),
  },
];

const work = await mkdtemp(join(tmpdir(), "ringback-pictures-"));
const buildFolder = join(work, "build");
await buildInto(buildFolder);
const market = await openMarket({
  buildFolder,
  onLog() {},
  bindings: { SESSION_SECRET: "a secret for pictures of more than 32 characters" },
});
const browser = await chromium.launch({ executablePath: await chromiumPath(), args: ["--no-sandbox"] });
try {
  await seedDemoData(market.db);
  await mkdir(folder, { recursive: true });
  for (const picture of pictures) {
    await writeFile(join(folder, `${picture.name}.webp`), await taken(picture));
    console.log(picture.name);
  }
} finally {
  await browser.close();
  await market.stop();
  await rm(work, { recursive: true, force: true });
}

async function taken({ on, as, path, first }: Picture): Promise<Buffer> {
  const context = await browser.newContext({
    ...on,
    baseURL: market.url.replace("127.0.0.1", "localhost"),
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  if (as) {
    await page.goto("/login");
    await page.getByLabel("Email").fill(as);
    await page.getByLabel("Password").fill(demoPassword);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL("/");
  }
  await page.goto(path);
  await first?.(page);
  await page.waitForLoadState("networkidle");
  const picture = await page.screenshot();
  await context.close();
  return sharp(picture).webp({ quality: 85 }).toBuffer();
}
