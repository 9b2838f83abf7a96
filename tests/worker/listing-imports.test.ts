import { and, eq } from "drizzle-orm";
import { beforeAll, expect, test, vi } from "vitest";
import { listingImports, phones, photos, users } from "#app/db/schema.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { signedInClient } from "../harness/api-client.ts";
import { textOf } from "../harness/html.ts";
import { picture } from "../harness/images.ts";
import { addAccount, addPhone, sharedServer, startServer, visitor } from "../harness/server.ts";
import { bombOf, zipOf } from "../harness/zip.ts";

let server: LocalServer;
beforeAll(async () => {
  server = await sharedServer();
});

const page = "/manage/mysells/import";
const csv = "/manage/mysells/listings.csv";

async function shop(on = server, verified = true) {
  const account = await addAccount(on.db, { userType: "Seller", verified });
  const person = visitor(on);
  await person.signIn(account.email);
  return { ...person, account, origin: on.url };
}

type Shop = Awaited<ReturnType<typeof shop>>;

async function upload(seller: Shop, text: string, name = "shop.csv", zip?: Buffer) {
  const body = new FormData();
  body.set("account", seller.account.email);
  body.set("file", new File([text], name, { type: "text/csv" }));
  if (zip) body.set("photos", new File([new Uint8Array(zip)], "photos.zip"));
  return seller.send(page, { method: "POST", body, headers: { Origin: seller.origin, Accept: "text/html" } });
}

const shown = async (seller: Shop) => textOf(await (await seller.get(page)).text());
const idOn = async (seller: Shop) =>
  /name="_id" value="([^"]+)"/.exec(await (await seller.get(page)).text())?.[1] ?? "";

test("a seller checks, imports and undoes a file without JavaScript", async () => {
  const seller = await shop();
  await addPhone(server.db, { sellerId: seller.account.id, ownNumber: "A-1", sellingCents: 30_000 });
  expect(await shown(seller)).toContain("Import listings");
  const exported = await (await seller.get(csv)).text();
  expect(exported).toContain("A-1");
  expect((await upload(seller, exported)).status).toBe(303);
  const unchanged = await shown(seller);
  expect(unchanged).toContain("0 new · 0 changed · 1 unchanged · 0 wrong");
  expect(unchanged).not.toContain("File checked");
  expect(await shown(seller)).toContain("Your listings already say all that a file can change.");

  const changed = exported.replace("300.00", "250.00").replace("IMEI,State", "Shelf,State");
  await upload(seller, `${changed}x,x\r\n`);
  const checked = await shown(seller);
  expect(checked).toContain("shop.csv");
  expect(checked).toContain("0 new · 1 changed · 0 unchanged · 1 wrong");
  expect(checked).toContain("We don’t know these columns and leave them out: Shelf.");
  expect(checked).toContain("Price in USD: 300.00 → 250.00");
  expect(checked.indexOf("You have no listing with this id")).toBeLessThan(checked.indexOf("300.00 →"));
  const priceOf = async () =>
    (await server.db.select().from(phones).where(eq(phones.sellerId, seller.account.id)))[0]?.sellingCents;
  expect(await priceOf()).toBe(30_000);

  const form = { account: seller.account.email, _id: await idOn(seller) };
  expect((await seller.post(page, { ...form, intent: "apply" })).status).toBe(303);
  await vi.waitFor(async () => expect(await shown(seller)).toContain("Imported: 1 listing."), 20_000);
  expect(await priceOf()).toBe(25_000);
  expect((await seller.post(page, { ...form, intent: "undo" })).status).toBe(303);
  await vi.waitFor(async () => expect(await shown(seller)).toContain("Undone: 1 listing."), 20_000);
  expect(await priceOf()).toBe(30_000);
}, 60_000);

test("photos come from a ZIP file, once, to listings that have none", async () => {
  const seller = await shop();
  const { id } = await addPhone(server.db, { sellerId: seller.account.id, ownNumber: "A-1" });
  const text = `Number,Photos\nA-1,"front side.jpg|back.jpg|gone.jpg|https://10.0.0.1/a.jpg"`;
  await upload(seller, text);
  expect(await shown(seller)).toContain("Photos: Links must be public ones that start with https");
  const file = text.replace("|https://10.0.0.1/a.jpg", "");
  const zip = zipOf([
    { name: "shop/front side.jpg", content: await picture("jpeg", { background: "#aa0000" }) },
    { name: "shop/back.jpg", content: await picture("jpeg", { background: "#00aa00" }) },
  ]);
  expect((await upload(seller, file, "shop.csv", zip)).status).toBe(303);
  expect(await shown(seller)).toMatch(/0 new · 1 changed.*3 photos/);
  await seller.post(page, { account: seller.account.email, _id: await idOn(seller), intent: "apply" });
  await vi.waitFor(async () => expect(await shown(seller)).toContain("Imported: 1 listing."), 30_000);
  const applied = await shown(seller);
  expect(applied).toContain("gone.jpg: The ZIP file has none of this name, or several.");
  expect(applied).toContain("1 row has photos that we couldn’t add: see why below.");
  expect(await server.db.$count(photos, eq(photos.phoneId, id))).toBe(2);
  await upload(seller, file, "shop.csv", zip);
  expect(await shown(seller)).toContain("0 new · 0 changed · 1 unchanged");
}, 60_000);

test("an undo deletes a new listing with the photos of its row", async () => {
  const seller = await shop();
  await addPhone(server.db, { sellerId: seller.account.id, ownNumber: "C-1", sellingCents: 30_000 });
  const [header = "", listed = ""] = (await (await seller.get(csv)).text()).split("\r\n");
  const added = listed.replace(/^[^,]*/, "").replace("C-1", "D-1");
  const zip = zipOf([{ name: "front.jpg", content: await picture("jpeg") }]);
  const file = [header, added.replace(/,,,([^,]*)$/, ",front.jpg|gone.jpg,,$1"), ""].join("\r\n");
  await upload(seller, file, "shop.csv", zip);
  const form = { account: seller.account.email, _id: await idOn(seller) };
  await seller.post(page, { ...form, intent: "apply" });
  await vi.waitFor(async () => expect(await shown(seller)).toContain("Imported: 1 listing."), 30_000);
  const [{ id = "", cover = null } = {}] = await server.db
    .select()
    .from(phones)
    .where(and(eq(phones.sellerId, seller.account.id), eq(phones.ownNumber, "D-1")));
  expect(cover).not.toBeNull();
  await seller.post(page, { ...form, intent: "undo" });
  await vi.waitFor(async () => expect(await shown(seller)).toContain("Undone: 1 listing."), 20_000);
  const [after] = await server.db.select().from(phones).where(eq(phones.id, id));
  expect(after?.hiddenById).not.toBeNull();
}, 60_000);

test("who can list no more today is offered no import of new listings", async () => {
  const limited = await startServer({
    bindings: { MAX_LISTINGS_A_DAY: "1", MAX_LISTINGS_A_DAY_UNCONFIRMED: "1" },
  });
  try {
    const seller = await shop(limited, false);
    await addPhone(limited.db, { sellerId: seller.account.id, ownNumber: "C-1", sellingCents: 30_000 });
    const [header = "", listed = ""] = (await (await seller.get(csv)).text()).split("\r\n");
    const added = listed.replace(listed.split(",")[0] ?? "", "").replace("C-1", "D-1");
    await upload(seller, [header, added, ""].join("\r\n"));
    const text = await shown(seller);
    expect(text).toContain("1 new · 0 changed");
    expect(text).toContain("You can’t list any more today. Import the same file again tomorrow.");
    expect(text).not.toContain("Import 1 listing");
    await upload(seller, [header, added, listed.replace("300.00", "290.00"), ""].join("\r\n"));
    expect(await shown(seller)).toContain("Import 1 listing");
  } finally {
    await limited.stop();
  }
}, 60_000);

test("the check names photos that are missing, and keeps the undo of the import before", async () => {
  const seller = await shop();
  await addPhone(server.db, { sellerId: seller.account.id, ownNumber: "B-1", sellingCents: 30_000 });
  const price = "Number,Price in USD\nB-1,250\n";
  await upload(seller, price, "prices.csv");
  await seller.post(page, { account: seller.account.email, _id: await idOn(seller), intent: "apply" });
  await vi.waitFor(async () => expect(await shown(seller)).toContain("Imported: 1 listing."), 30_000);
  const file = "Number,Photos\nB-1,front.jpg|gone.jpg\n";
  const zip = zipOf([{ name: "front.jpg", content: await picture("jpeg") }]);
  await upload(seller, file, "photos.csv", zip);
  const text = await shown(seller);
  expect(text).toContain("gone.jpg: The ZIP file has none of this name, or several.");
  expect(text).not.toContain("front.jpg:");
  expect(text).toContain("1 row names photos that we can’t add: see why below.");
  await upload(seller, "Number,Photos\nB-1,gone.jpg\n", "photos.csv", zip);
  expect(await shown(seller)).toMatch(/1 unchanged.*1 row names photos that we can’t add: see why below\./);
  await upload(seller, file, "photos.csv", zip);
  expect(text).toMatch(/prices\.csv Imported: 1 listing\..* Undo import/);
  const undo = /prices\.csv[\s\S]*?name="_id" value="([^"]+)"/.exec(await (await seller.get(page)).text());
  await seller.post(page, { account: seller.account.email, _id: undo?.[1] ?? "", intent: "undo" });
  const priceOf = async () =>
    (await server.db.select().from(phones).where(eq(phones.ownNumber, "B-1")))[0]?.sellingCents;
  await vi.waitFor(async () => expect(await priceOf()).toBe(30_000), 30_000);
  await vi.waitFor(
    async () => expect(await shown(seller)).toMatch(/prices\.csv Undone: 1 listing\./),
    30_000,
  );
  await upload(seller, "Number,OS\nB-1,Symbian\n");
  expect(await shown(seller)).toContain("OS must be Android or Ios");
  const broken = await upload(seller, file, "photos.csv", zip.subarray(0, zip.length - 30));
  expect([broken.status, textOf(await broken.text())]).toEqual([
    400,
    expect.stringContaining("We can’t read this ZIP file. Make it again."),
  ]);
}, 60_000);

test("a bomb in a ZIP is refused, and keeps nobody’s import waiting", async () => {
  const seller = await shop();
  const sellerId = seller.account.id;
  for (const ownNumber of ["Z-1", "Z-2"]) await addPhone(server.db, { sellerId, ownNumber });
  const zip = zipOf([
    { name: "bomb.jpg", content: Buffer.from("photo"), deflated: bombOf(7), saidSize: 7_000_000 },
    { name: "good.jpg", content: await picture("jpeg") },
  ]);
  await upload(seller, "Number,Photos\nZ-1,bomb.jpg\nZ-2,good.jpg\n", "bomb.csv", zip);
  await seller.post(page, { account: seller.account.email, _id: await idOn(seller), intent: "apply" });
  await vi.waitFor(async () => expect(await shown(seller)).toContain("Imported: 2 listings."), 20_000);
  expect(await shown(seller)).toContain("bomb.jpg: It’s damaged in the ZIP file.");
}, 60_000);

test("the page says why a file or a step is refused", async () => {
  const seller = await shop();
  const refusal = async (response: Response) => [response.status, textOf(await response.text())] as const;
  const [status, text] = await refusal(await upload(seller, "Brand\nSony"));
  expect([status, text]).toEqual([400, expect.stringContaining("We can’t find the column “Number”")]);
  const [, workbook] = await refusal(await upload(seller, "PK\u0003\u0004"));
  expect(workbook).toContain("Save it as CSV");
  const stranger = { account: seller.account.email, _id: "someone-else", intent: "apply" };
  const [missing] = await refusal(await seller.post(page, stranger));
  expect(missing).toBe(404);
  await upload(seller, "Number,Brand\nA-1,Sony");
  const ofSeller = eq(listingImports.sellerId, seller.account.id);
  await server.db.update(listingImports).set({ state: "applying" }).where(ofSeller);
  const second = await upload(seller, "Number,Brand\nA-1,Sony");
  expect(second.status).toBe(409);
  expect(await second.text()).toMatch(
    /An import is already running[^<]*(<!-- -->)? ?(<!-- -->)?<a [^>]*href="\/manage\/mysells\/import"/,
  );
  await server.db.update(users).set({ suspensionId: "x" }).where(eq(users.id, seller.account.id));
  const [suspended] = await refusal(await upload(seller, "Number,Brand\nA-1,Sony"));
  expect(suspended).toBe(403);
}, 60_000);

test("a seller without listings gets a template that the check accepts", async () => {
  const seller = await shop();
  const response = await seller.get(csv);
  expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  await upload(seller, await response.text());
  expect(await shown(seller)).toContain("1 new · 0 changed · 0 unchanged · 0 wrong");
}, 60_000);

test("programs check, apply and undo a file", async () => {
  const client = await signedInClient(server, { userType: "Seller", verified: true });
  const send = (text: string) =>
    client.send("POST", "/imports", { body: text, headers: { "Content-Type": "text/csv" } });
  expect((await send("nothing")).status).toBe(400);
  const { body } = await send("Number,Brand\nA-1,Sony\nA-1,Sony");
  const id = String(body?.insertedId);
  expect((await client.get(`/imports/${id}`)).body).toMatchObject({ state: "checked", wrong: 2, rows: 2 });
  const { body: rows } = await client.get(`/imports/rows/${id}`);
  expect(rows.rows[0].remarks).toContainEqual({ column: "Number", text: "Row 3 has the same" });
  expect((await client.putJson(`/imports/${id}`, { change: "apply" })).status).toBe(409);
  expect((await client.putJson(`/imports/${id}`, { change: "undo" })).status).toBe(409);
}, 60_000);
