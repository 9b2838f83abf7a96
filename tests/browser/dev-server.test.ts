/** @module-tag slow */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoAccounts, demoPassword } from "../../scripts/demo/seed.ts";
import { launchBrowser, openPage } from "../harness/browser.ts";
import { logIn, submitBooking, waitForHydration } from "../harness/page-objects.ts";

let folder: string;
let server: ChildProcess;
let url: string;
let browser: Browser;
let output = "";

beforeAll(async () => {
  folder = await copyOfProject();
  [url, browser] = await Promise.all([startDevelopment(), launchBrowser()]);
}, 180_000);

afterAll(async () => {
  await browser?.close();
  if (server && server.exitCode === null) {
    server.kill();
    await once(server, "exit");
  }
  await rm(folder, { recursive: true, force: true });
});

/** A copy of the project that a test may edit, inside the project so that imports find `node_modules`. */
async function copyOfProject(): Promise<string> {
  await mkdir(".wrangler", { recursive: true });
  const copy = await mkdtemp(resolve(".wrangler/development-"));
  const files = [
    "app",
    "migrations",
    "public",
    "scripts",
    "package.json",
    "remix.config.js",
    "tsconfig.json",
  ];
  for (const file of [...files, "vite.config.ts", "wrangler.toml"]) {
    await cp(file, join(copy, file), { recursive: true });
  }
  return copy;
}

async function startDevelopment(): Promise<string> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: "development",
    NO_COLOR: "1",
    STATE_DIR: join(folder, "state"),
  };
  server = spawn(process.execPath, ["--import", "./scripts/typescript.js", "scripts/dev.ts"], {
    cwd: folder,
    env,
  });
  return new Promise((resolveUrl, reject) => {
    const read = (text: Buffer) => {
      output += text;
      const found = output.match(/http:\/\/127\.0\.0\.1:\d+/);
      if (found) resolveUrl(found[0]);
    };
    server.stdout?.on("data", read);
    server.stderr?.on("data", read);
    server.once("exit", () => reject(new Error(output)));
  });
}

test("npm run dev serves the product and hot-reloads an edited file", async () => {
  const { page, observed } = await openPage(browser, { url });
  // Styles that Vite compiles need the preloaded fonts seconds later on a busy machine.
  const problems = () =>
    observed.problems.filter((problem) => !problem.includes("was preloaded using link preload"));
  // The first page of a fresh checkout: dependencies that Vite finds late would reload it.
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });
  // Vite compiles the whole browser code now.
  await page.goto("/", { timeout: 60_000 });
  await waitForHydration(page);
  expect(await page.getByRole("heading", { level: 1 }).innerText()).toContain("A good phone");
  expect([loads, problems()]).toEqual([1, []]);
  for (const account of demoAccounts) expect(output).toContain(account);
  await logIn(page, "buyer@example.com", demoPassword);
  await page.goto("/products?available=yes");
  await waitForHydration(page);
  await page.getByRole("link", { name: "Buy Now" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Address" }).fill("1 Quay Street");
  await dialog.getByLabel("Phone", { exact: true }).fill("+353 91 000 000");
  await submitBooking(page);

  // What runs in Node here runs in workerd elsewhere, which knows newer functions.
  await page.goto("/models/apple-iphone-13");
  expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Apple iPhone 13");

  await page.goto("/report");
  await waitForHydration(page);
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  const file = join(folder, "app/routes/pages/report.tsx");
  const source = await readFile(file, "utf8");
  expect(source).toContain("Report a problem</h1>");
  await writeFile(file, source.replace("Report a problem</h1>", "Report an edited problem</h1>"));
  await page.getByRole("heading", { name: "Report an edited problem" }).waitFor();
  expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
  await page.reload();
  await page.getByRole("heading", { name: "Report an edited problem" }).waitFor();
  expect(problems()).toEqual([]);
});

test("a request that its client has left is no error", async () => {
  while (!output.includes('"status":499')) {
    const left = new AbortController();
    const request = fetch(`${url}/products`, { signal: left.signal }).catch(() => {});
    setTimeout(() => left.abort(), 20);
    await request;
  }
  expect(output).not.toContain('"level":"error"');
  expect(output).not.toContain('"status":500');
});
