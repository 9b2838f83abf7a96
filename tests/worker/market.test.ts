/** @module-tag slow */
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { orders, phones } from "#app/db/schema.ts";
import { packageBin } from "../../scripts/package-bin.ts";
import { signedInClient } from "../harness/api-client.ts";
import { textOf } from "../harness/html.ts";
import { picture } from "../harness/images.ts";
import { validListing } from "../harness/listing-form.ts";
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
    ...["scripts/node-version.js", "scripts/markdown-sections.ts"],
  ];
  for (const source of sources) await cp(source, join(folder, source), { recursive: true });
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  await change("app/market.ts", german);
  await change("app/brand.ts", [["imageLinks: true", "imageLinks: false"]]);
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

async function change(file: string, replacements: [from: string, to: string][]) {
  let source = await readFile(file, "utf8");
  for (const [from, to] of replacements) {
    expect(source).toContain(from);
    source = source.replace(from, () => to);
  }
  await writeFile(join(folder, file), source);
}

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

test("where image links are off, listings have photos only, and stored links show as a drawing", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const link = "https://pictures.example/mine.png";
  const phone = await addPhone(server.db, { sellerId: seller.id, image: link });
  const tablet = await addPhone(server.db, { image: link, deviceType: "Tablet" });
  for (const path of ["/products", `/phones/${phone.id}`, `/phones/${tablet.id}`, "/phoneInfoCollection"]) {
    const response = await visitor(server).get(path);
    const page = await response.text();
    // The data of a page still have it, which loads nothing.
    expect(page).not.toMatch(/(="|\[")https:\/\/pictures\.example\/mine\.png/);
    if (!path.endsWith(phone.id)) expect(page).toContain("/devices/tablet.svg");
    if (!path.endsWith(tablet.id)) expect(page).toContain("/devices/phone.svg");
    if (path === "/phoneInfoCollection") expect(page).not.toContain(link);
    else expect(response.headers.get("Content-Security-Policy")).toContain("img-src 'self' data:;");
  }

  const person = visitor(server);
  await person.signIn(seller.email);
  const pages = ["/addphone", `/manage/mysells/${phone.id}/edit`];
  for (const path of pages) expect(await wordsOf(await person.get(path))).not.toContain("Image Link");
  expect(await wordsOf(await person.get(`/manage/mysells/${phone.id}/photos`))).toContain("an illustration");
  const { image: _, ...fields } = validListing;
  const publish = (photos: Blob[], changes = {}) => {
    const body = new FormData();
    for (const entry of Object.entries({ ...fields, account: seller.email, ...changes }))
      body.append(...entry);
    for (const photo of photos) body.append("photos", photo, "front.jpg");
    const headers = { Origin: server.url, Accept: "text/html" };
    return person.send("/addphone", { method: "POST", body, headers });
  };
  const photo = new Blob([new Uint8Array(await picture())]);
  expect(await wordsOf(await publish([]))).toContain("Add a photo of your device");
  const refused = "Pictures can’t be links here. Add photos instead";
  expect(await wordsOf(await publish([photo], { image: link }))).toContain(refused);
  expect((await publish([photo])).status).toBe(303);
  const saved = await person.post(pages[1] ?? "", { ...fields, model: "5 Pro" });
  expect(saved.status).toBe(303);

  const api = await signedInClient(server, seller);
  for (const response of [
    await api.post("/phoneInfoCollection", { ...fields, image: link }),
    await api.putJson(`/phones/${phone.id}`, { image: link }),
  ]) {
    expect(response.status).toBe(422);
    expect(JSON.stringify(response.body)).toContain(refused);
  }
  expect((await api.post("/phoneInfoCollection", fields)).status).toBe(200);
  expect((await api.putJson(`/phones/${phone.id}`, { sellingPrice: "300" })).status).toBe(200);
  const [stored] = await server.db.select().from(phones).where(eq(phones.id, phone.id));
  expect([stored?.image, stored?.model, stored?.sellingCents]).toEqual([link, "5 Pro", 30_000]);

  const admin = visitor(server);
  await admin.signIn((await addAccount(server.db, { userType: "Admin" })).email);
  const privacy = await wordsOf(await admin.get("/manage/pages/privacy"));
  expect(privacy).toContain("other hidden data from your photos.");
  expect(privacy).not.toContain("shows by a link");
});
