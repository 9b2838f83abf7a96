/** @module-tag slow */
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { orders } from "#app/db/schema.ts";
import { packageBin } from "../../scripts/package-bin.ts";
import { textOf } from "../harness/html.ts";
import { addAccount, addPhone, startServer, type TestServer, visitor } from "../harness/server.ts";

/** What `app/market.ts` says of a market in Germany. */
const german: [from: string, to: string][] = [
  ['currency: "USD"', 'currency: "EUR"'],
  ['currencySign: "$"', 'currencySign: "€"'],
  ['currencyName: "dollars"', 'currencyName: "euros"'],
  ['currencyFullName: "US dollars"', 'currencyFullName: "euros"'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the file
  ["`$${amount}`", "`${amount} €`"],
  ['groupSign: ","', 'groupSign: "."'],
  ['decimalSign: "."', 'decimalSign: ","'],
  ['locale: "en-US"', 'locale: "de-DE"'],
  ['timeZone: "UTC"', 'timeZone: "Europe/Berlin"'],
];

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ringback-market-"));
  const sources = [
    ...["app", "public", "package.json", "tsconfig.json", "vite.config.ts", "remix.config.js"],
    "scripts/node-version.js",
  ];
  for (const source of sources) await cp(source, join(folder, source), { recursive: true });
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  let market = await readFile("app/market.ts", "utf8");
  for (const [from, to] of german) {
    expect(market).toContain(from);
    market = market.replace(from, () => to);
  }
  await writeFile(join(folder, "app/market.ts"), market);
  const buildFolder = join(folder, "build");
  await promisify(execFile)(process.execPath, [packageBin("@remix-run/dev", "remix"), "vite:build"], {
    cwd: folder,
    env: { ...process.env, BUILD_DIR: buildFolder, NODE_ENV: "production" },
  });
  server = await startServer({ buildFolder });
}, 300_000);
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const wordsOf = async (response: Response) => textOf(await response.text());

test("another market has its own prices and dates on pages, in CSV and in structured data", async () => {
  const phone = await addPhone(server.db, { sellingCents: 123_450, marketCents: 200_000 });
  const buyer = visitor(server);
  await buyer.signIn((await addAccount(server.db)).email);

  expect(await wordsOf(await visitor(server).get("/products"))).toContain("1.234,50 €");
  const listing = await (await visitor(server).get(`/phones/${phone.id}`)).text();
  expect(textOf(listing)).toContain("Price in euros.");
  expect(listing).toContain('"price":"1234.50","priceCurrency":"EUR"');

  expect(await wordsOf(await visitor(server).get("/products?from=1.234,50"))).toContain("1 device");
  expect(await wordsOf(await visitor(server).get("/products?from=1.234,51"))).toContain("No devices match");

  const booked = await buyer.post(`/products/${phone.id}/book`, { address: "", phone: "" });
  expect(booked.status).toBe(303);
  expect(await wordsOf(await buyer.get("/manage"))).toContain("1234,50€");
  const [order] = await server.db.select({ id: orders.id }).from(orders);
  const page = await wordsOf(await buyer.get(`/manage/orders/${order?.id}`));
  expect(page).toMatch(/\d+\. \w+\.? \d{4}, \d\d:\d\d ME?S?Z/);
  expect(page).toContain("1.234,50 €");

  const admin = visitor(server);
  await admin.signIn((await addAccount(server.db, { userType: "Admin" })).email);
  expect(await (await admin.get("/manage/orders.csv")).text()).toContain("Price in EUR");
});
