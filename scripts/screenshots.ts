/** Takes the README's screenshots of the main pages, with the demo data. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import sharp from "sharp";
import { chromiumPath } from "../tests/harness/chromium.ts";
import { parseArguments } from "./arguments.ts";
import { buildInto } from "./build.ts";
import { addDemoPhotos } from "./demo/photos.ts";
import { demoPassword, seedDemoData } from "./demo/seed.ts";
import { startLocalServer } from "./local-server.ts";

parseArguments("screenshots", {});

const folder = fileURLToPath(new URL("../docs/pictures/", import.meta.url));

const desktop = { viewport: { width: 1280, height: 860 } };
const mobile = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true };
const mobileDark = { ...mobile, colorScheme: "dark" as const };

interface Screenshot {
  name: string;
  context: BrowserContextOptions;
  /** The account that logs in first. */
  email?: string;
  path: string;
  prepare?: (page: Page) => Promise<unknown>;
}

async function openNewestListing(page: Page) {
  await page.getByRole("article").getByRole("heading").getByRole("link").first().click();
  await page.waitForURL(/\/phones\//);
  await page.getByRole("heading", { level: 1 }).waitFor();
}

const screenshots: Screenshot[] = [
  { name: "home", context: desktop, path: "/" },
  { name: "list", context: desktop, path: "/android?brand=Google&brand=Samsung" },
  { name: "listing", context: desktop, path: "/products", prepare: openNewestListing },
  { name: "sellings", context: desktop, email: "seller@example.com", path: "/manage/mysells" },
  {
    name: "filters",
    context: mobile,
    path: "/products?q=iphone",
    prepare: (page) => page.getByRole("button", { name: /^Filters/ }).click(),
  },
  {
    name: "booking",
    context: mobileDark,
    email: "buyer@example.com",
    path: "/tablet",
    prepare: (page) => page.getByRole("link", { name: "Buy Now" }).first().click(),
  },
];

const temporaryFolder = await mkdtemp(join(tmpdir(), "ringback-screenshots-"));
const buildFolder = process.env.READY_BUILD ?? join(temporaryFolder, "build");
if (!process.env.READY_BUILD) await buildInto(buildFolder, undefined, "pipe");
const server = await startLocalServer({
  buildFolder,
  onLog() {},
  bindings: { SESSION_SECRET: "a secret for screenshots of more than 32 characters" },
});
const browser = await chromium.launch({ executablePath: await chromiumPath(), args: ["--no-sandbox"] });
try {
  await seedDemoData(server.db);
  await addDemoPhotos(server.db, await server.photoStorage());
  await mkdir(folder, { recursive: true });
  for (const screenshot of screenshots) {
    const file = join(folder, `${screenshot.name}.webp`);
    const picture = await takeScreenshot(screenshot);
    const isUnchanged = await looksLike(file, picture);
    if (!isUnchanged) await writeFile(file, picture);
    console.log(`${screenshot.name}${isUnchanged ? ": unchanged" : ""}`);
  }
} finally {
  await browser.close();
  await server.stop();
  await rm(temporaryFolder, { recursive: true, force: true });
}

async function takeScreenshot({ context: options, email, path, prepare }: Screenshot): Promise<Buffer> {
  const context = await browser.newContext({
    ...options,
    baseURL: server.url.replace("127.0.0.1", "localhost"),
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  if (email) {
    await page.goto("/login");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(demoPassword);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL("/");
  }
  await page.goto(path);
  await prepare?.(page);
  await page.waitForLoadState("networkidle");
  const png = await page.screenshot();
  await context.close();
  return sharp(png).webp({ quality: 85 }).toBuffer();
}

/** Whether a file shows the same picture: edges of letters differ a little from run to run. */
async function looksLike(file: string, picture: Buffer): Promise<boolean> {
  if (!existsSync(file)) return false;
  const [before, now] = await Promise.all([pixelsOf(file), pixelsOf(picture)]);
  if (before.length !== now.length) return false;
  return now.filter((value, index) => Math.abs(value - (before[index] ?? 0)) > 40).length < now.length / 1000;
}

function pixelsOf(picture: string | Buffer): Promise<Buffer> {
  return sharp(picture).greyscale().raw().toBuffer();
}
