import assert from "node:assert/strict";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import {
  listingImportRows,
  listingImports,
  offers,
  phones,
  photos,
  priceChanges,
  users,
} from "#app/db/schema.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { checkRows } from "#app/features/listings/import/check-rows.server.ts";
import {
  beginImport,
  beginUndo,
  deleteOldImports,
  findImport,
  listEarlierImports,
  listImportRows,
  storeCheckedImport,
} from "#app/features/listings/import/imports.server.ts";
import { exportOwnListings, readListingFile } from "#app/features/listings/import/listing-file.server.ts";
import { workOff } from "#app/features/listings/import/work-off.server.ts";
import { changeListing, imeiHashesOf } from "#app/features/listings/listing-edit.server.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { changePrices } from "#app/features/listings/price-change.server.ts";
import { listingsLeftToday } from "#app/features/listings/publishing.server.ts";
import { changeSale, endPause, pauseAll } from "#app/features/listings/sale-change.server.ts";
import { sendFirstMessage } from "#app/features/messages/send-message.server.ts";
import { makeOffer } from "#app/features/orders/offers.server.ts";
import { saveListing } from "#app/features/saved-listings/saved-listings.server.ts";
import { dailyLimits } from "#app/server/config/daily-limits.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone, editPhone } from "../../harness/fixtures.ts";
import { addSales } from "../../harness/sales.ts";

const settings = { ...dailyLimits, HOLD_FIRST_LISTINGS: false, PAYOUTS_REQUIRED: false };
const secrets = ["secret"];
const delivery = { address: "", phone: "" };

const header =
  "Number,Brand,Model,Storage,RAM,Processor,Camera,Battery,OS,Device type,Used for,Price,Market price,Selling reason,Condition";
const device = "Sony,Xperia 5,256 GB,8 GB,Snapdragon 865,12 MP,4000 mAh,Android,Smart Phone,14";
const row = (number: string, price = "349", rest = "Too small,Good") =>
  `${number},${device},${price},549,${rest}`;
const fileOf = (...rows: string[]) => [header, ...rows].join("\r\n");

async function check(db: Db, seller: Viewer, text: string) {
  const file = await readListingFile(new TextEncoder().encode(text));
  if ("refusal" in file) throw new Error(file.refusal);
  const rows = await checkRows(db, seller, file, secrets);
  const stored = await storeCheckedImport(db, seller, { name: "shop.csv", ...file }, rows);
  if ("refusal" in stored) throw new Error(stored.refusal);
  return { id: stored.id, rows, plans: rows.map(({ plan }) => plan) };
}

async function apply(db: Db, seller: Viewer, text: string, confirmed = false) {
  const checked = await check(db, seller, text);
  assert.equal(await beginImport(db, seller, checked.id, confirmed), null);
  while (await workOff(db, checked.id, settings)) {}
  return checked;
}

async function exported(db: Db, seller: Viewer) {
  const parts = [];
  for await (const part of exportOwnListings(db, seller)) parts.push(part);
  return parts.join("");
}

const ofSeller = (db: Db, { id }: Viewer) =>
  db
    .select()
    .from(phones)
    .where(and(eq(phones.sellerId, id), isNotNull(phones.tab)))
    .orderBy(phones.ownNumber);

const seller = (db: Db) =>
  addAccount(db, { userType: "Seller", verified: true, emailVerifiedAt: new Date() });

export const importsAFileOnce = async (db: Db) => {
  const shop = await seller(db);
  const file = fileOf(row("A-1"), row("A-2", '"1,049.50"'), row("A-3", "$99"));
  const first = await check(db, shop, file);
  assert.deepEqual(first.plans, ["created", "created", "created"]);
  assert.equal((await ofSeller(db, shop)).length, 0);
  await apply(db, shop, file);
  const listed = await ofSeller(db, shop);
  assert.deepEqual(
    listed.map(({ ownNumber, sellingCents, condition, status }) => [
      ownNumber,
      sellingCents,
      condition,
      status,
    ]),
    [
      ["A-1", 34_900, "Good", "available"],
      ["A-2", 104_950, "Good", "available"],
      ["A-3", 9900, "Good", "available"],
    ],
  );
  for (const same of [file, fileOf(row("a-1"), row("A-2", "1049.5"), row("A-3", "99"))]) {
    const again = await check(db, shop, same);
    assert.deepEqual(again.plans, ["unchanged", "unchanged", "unchanged"]);
    assert.equal(await beginImport(db, shop, again.id, true), "nothing to do");
  }
  assert.deepEqual(await ofSeller(db, shop), listed);
};

export const showsWhatAnImportWillStore = async (db: Db) => {
  const shop = await seller(db);
  await addPhone(db, {
    sellerId: shop.id,
    ownNumber: "A-2",
    brandName: "Sony",
    model: "Xperia 5",
    rom: "64 GB",
  });
  const typed = (number: string, rom: string) =>
    row(number).replace("Sony", " Sony\u200B ").replace("256 GB", rom);
  const { rows } = await check(
    db,
    shop,
    fileOf(typed("A-1", "２５６gb"), typed("A-2", "0.5TB"), typed("A-3", "8 MB")),
  );
  assert.deepEqual(
    rows.map(({ plan, device, fields }) => [plan, device, fields?.rom]),
    [
      ["created", "Sony Xperia 5 256 GB", "256 GB"],
      ["changed", "Sony Xperia 5 512 GB", "512 GB"],
      // What is wrong stays as it was typed.
      ["wrong", "Sony Xperia 5 8 MB", undefined],
    ],
  );
};

export const importsWhatItExports = async (db: Db) => {
  const shop = await seller(db);
  const own = { sellerId: shop.id };
  await addPhone(db, { ...own, sellingReason: '=1+1;@sum, "quoted"\n-2 lines', ownNumber: "'=A" });
  await addPhone(db, {
    ...own,
    ownNumber: "007",
    batteryHealth: 87,
    color: "Blue",
    details: { city: "+Town" },
  });
  await addPhone(db, { ...own, status: "sold", soldElsewhere: true });
  await addPhone(db, { ...own, status: "paused", rom: "a lot", ram: "4GB", sellingReason: "\t=x" });
  await addPhone(db, { ...own, brandName: "ADMIN", postDate: "1999-01-01", model: "  Spaced " });
  const file = await exported(db, shop);
  const plans = (text: string) => check(db, shop, text).then((checked) => checked.plans);
  assert.deepEqual(await plans(file), Array(5).fill("unchanged"));
  assert.ok(!file.split(/[,\n]/).some((cell) => /^"?[=+@]/.test(cell)), file);
  // As a European Excel writes it again.
  const { default: Papa } = await import("papaparse");
  const { data } = Papa.parse<string[]>(file.slice(1), { skipEmptyLines: true });
  const semicolons = Papa.unparse(
    data.map((cells) => cells.map((cell) => cell.replace(/^(\d+)\.(\d\d)$/, "$1,$2"))),
    {
      delimiter: ";",
    },
  );
  assert.deepEqual(await plans(`\uFEFF${semicolons}\r\n;;;\r\n`), Array(5).fill("unchanged"));
  // Another seller can't change them by their ids.
  const stranger = await check(db, await seller(db), file);
  assert.deepEqual(stranger.plans, Array(5).fill("wrong"));
};

export const offersATemplateThatCanBeImported = async (db: Db) => {
  const shop = await seller(db);
  assert.deepEqual((await check(db, shop, await exported(db, shop))).plans, ["created"]);
};

export const saysAllThatIsWrongInAFile = async (db: Db) => {
  const [shop, buyer] = [await seller(db), await addAccount(db)];
  const [booked, , hidden] = [
    await addPhone(db, { sellerId: shop.id, ownNumber: "B-1" }),
    await addPhone(db, { sellerId: shop.id, ownNumber: "B-2", status: "sold", soldElsewhere: true }),
    await addPhone(db, { sellerId: shop.id, ownNumber: "B-3" }),
  ];
  await bookWithoutLimits(db, buyer, booked.id, delivery);
  await editPhone(db, hidden.id, { hiddenById: booked.id });
  const checked = await check(
    db,
    shop,
    fileOf(
      row("", "349"),
      row("A-1", "many", ",Perfect"),
      row("A-2"),
      row("a-2"),
      row("B-1"),
      row("B-2"),
      row("A-3", "1", `${"x".repeat(1_000_000)},Good`),
      `A-4,"${device}`,
    ),
  );
  assert.deepEqual(new Set(checked.plans), new Set(["wrong"]));
  const remarks = checked.rows.map(({ line, remarks }) => [line, remarks.map(({ field }) => field)]);
  assert.deepEqual(remarks.slice(0, 7), [
    [2, ["ownNumber"]],
    [3, ["sellingReason", "sellingPrice", "condition"]],
    [4, ["ownNumber"]],
    [5, ["ownNumber"]],
    [6, [""]],
    [7, [""]],
    [8, ["sellingReason"]],
  ]);
  assert.equal(checked.rows.at(-1)?.remarks[0]?.text, "A quotation mark is missing in this row");
  assert.equal(await beginImport(db, shop, checked.id, true), "nothing to do");
};

export const tellsRowsWithMoreCellsThanColumns = async (db: Db) => {
  const shop = await seller(db);
  await addPhone(db, { sellerId: shop.id, ownNumber: "A-1", sellingCents: 24_900 });
  const { rows } = await check(db, shop, "Number,Price\nA-1,249,50");
  assert.equal(rows[0]?.plan, "wrong");
  assert.match(rows[0]?.remarks.map(({ text }) => text).join() ?? "", /more cells than columns/);
  assert.equal((await ofSeller(db, shop))[0]?.sellingCents, 24_900);
  const blank = await check(db, shop, "Number,Price\nA-1,249.00,,\n");
  assert.deepEqual(blank.plans, ["unchanged"]);
};

export const asksAboutDoubtfulPricesOnce = async (db: Db) => {
  const shop = await seller(db);
  const file = fileOf(row("A-1", "349"), row("A-2", "3490"));
  const { rows } = await apply(db, shop, file);
  assert.deepEqual(rows[1]?.remarks, [
    { field: "sellingPrice", text: "That’s 6 times the price of a new one." },
  ]);
  assert.equal((await ofSeller(db, shop)).length, 1);
  await apply(db, shop, file, true);
  assert.equal((await ofSeller(db, shop)).length, 2);
};

export const asksAboutChangedPricesAsAboutNewOnes = async (db: Db) => {
  const shop = await seller(db);
  const model = { brandName: "Sony", model: "Xperia 9", rom: "256 GB" };
  await addSales(db, model, [10_000, 11_000, 12_000]);
  const own = { sellerId: shop.id, sellingCents: 30_000, marketCents: 60_000 };
  for (const ownNumber of ["C-1", "C-2", "C-3"]) await addPhone(db, { ...own, ownNumber });
  await addPhone(db, { ...own, ...model, ownNumber: "C-4" });
  // Asked about before, it is not asked about again.
  await addPhone(db, { ...own, ownNumber: "C-5", marketCents: 10_000 });
  await addPhone(db, { ...own, ownNumber: "C-6", sellingCents: 3_000 });
  const prices = ["C-1,30,", "C-2,1500,", "C-3,299,", "C-4,550,", "C-5,300,Red", "C-6,20,"];
  const file = ["Number,Price,Color", ...prices].join("\n");
  const { rows } = await apply(db, shop, file);
  assert.deepEqual(
    rows.map(({ plan, remarks }) => [plan, ...remarks.map(({ text }) => text)]),
    [
      ["changed", "It was $300."],
      ["changed", "That’s 3 times the price of a new one."],
      ["changed"],
      ["changed", "That’s 5 times the usual price."],
      ["changed"],
      ["changed", "A new one is $600."],
    ],
  );
  const listed = async () => (await ofSeller(db, shop)).map(({ sellingCents }) => sellingCents / 100);
  assert.deepEqual(await listed(), [300, 300, 299, 300, 300, 30]);
  await apply(db, shop, file, true);
  assert.deepEqual(await listed(), [30, 1500, 299, 550, 300, 20]);
  await addPhone(db, { ...own, ownNumber: "C-7", sellingCents: 55_000 });
  const other = await apply(db, shop, "Number,Brand,Model,Storage\nC-7,Sony,Xperia 9,256 GB", true);
  assert.deepEqual(
    other.rows.map(({ remarks }) => remarks.map(({ text }) => text)),
    [["That’s 5 times the usual price."]],
  );
};

export const changesOnlyWhatAFileSays = async (db: Db) => {
  const shop = await seller(db);
  const phone = await addPhone(db, {
    sellerId: shop.id,
    ownNumber: "A-1",
    color: "Red",
    condition: "Good",
    sellingCents: 30_000,
    details: { city: "Austin" },
  });
  const checked = await apply(db, shop, "number;price;color;city\n a-1 ;279,50;;Dallas\n");
  assert.deepEqual(checked.rows[0]?.before, {
    ownNumber: "A-1",
    sellingPrice: "300.00",
    color: "Red",
    city: "Austin",
  });
  const [changed] = await ofSeller(db, shop);
  assert.deepEqual(
    [changed?.sellingCents, changed?.color, changed?.details, changed?.condition, changed?.sellingReason],
    [27_950, null, { city: "Dallas, TX" }, phone.condition, phone.sellingReason],
  );
  assert.equal((await db.select().from(priceChanges)).length, 1);
  assert.equal(await beginUndo(db, shop, checked.id), null);
  while (await workOff(db, checked.id, settings)) {}
  const [restored] = await ofSeller(db, shop);
  assert.deepEqual(
    [restored?.sellingCents, restored?.color, restored?.details],
    [30_000, "Red", { city: "Austin, TX" }],
  );
};

export const leavesAloneWhatChangedSinceTheCheck = async (db: Db) => {
  const [shop, buyer] = [await seller(db), await addAccount(db)];
  const own = { sellerId: shop.id, sellingCents: 20_000, color: "Red" as const };
  const numbers = ["edited", "deleted", "booked", "paused", "same", "recolored", "recolored and edited"];
  const listed: string[] = [];
  for (const ownNumber of numbers) listed.push((await addPhone(db, { ...own, ownNumber })).id);
  const [edited = "", deleted = "", booked = "", paused = "", , , recolored = ""] = listed;
  const colors = numbers.map((number) => `${number},200,${number.startsWith("recolored") ? "Blue" : "Red"}`);
  const { id, plans } = await check(db, shop, ["Number,Price,Color", ...colors].join("\n"));
  assert.deepEqual(plans, [...Array(5).fill("unchanged"), "changed", "changed"]);
  for (const phone of [edited, recolored])
    await changePrices(db, shop, [{ id: phone, shownCents: 20_000, cents: 18_000 }], null);
  await removeListing(db, shop, deleted);
  await bookWithoutLimits(db, buyer, booked, delivery);
  assert.equal((await changeSale(db, shop, [paused], "pause")).length, 1);
  assert.equal(await beginImport(db, shop, id, false), null);
  while (await workOff(db, id, settings)) {}
  const { rows } = await listImportRows(db, shop, id, {});
  assert.deepEqual(
    rows.map(({ ownNumber, result, refusal }) => [ownNumber, result, refusal]),
    [
      ["edited", "refused", "changed since"],
      ["deleted", "refused", "unknown listing"],
      ["recolored and edited", "refused", "changed since"],
      ["recolored", "done", null],
      ["booked", null, null],
      ["paused", null, null],
      ["same", null, null],
    ],
  );
  const { numbers: counts } = (await findImport(db, shop, id)) ?? {};
  assert.deepEqual(
    [counts?.toApply, counts?.left, counts?.applied, counts?.refused],
    // Two of those refused were only compared.
    [2, 0, 1, 3],
  );
  const after = await ofSeller(db, shop);
  assert.deepEqual(
    after.map(({ ownNumber, sellingCents, color }) => [ownNumber, sellingCents, color]),
    [
      ["booked", 20_000, "Red"],
      ["edited", 18_000, "Red"],
      ["paused", 20_000, "Red"],
      ["recolored", 20_000, "Blue"],
      ["recolored and edited", 18_000, "Red"],
      ["same", 20_000, "Red"],
    ],
  );
  // The undo takes back what was changed alone.
  await changePrices(db, shop, [{ id: listed[5] ?? "", cents: 17_000 }], null);
  assert.equal(await beginUndo(db, shop, id), null);
  while (await workOff(db, id, settings)) {}
  const [restored] = await db
    .select()
    .from(phones)
    .where(eq(phones.id, listed[5] ?? ""));
  assert.deepEqual([restored?.sellingCents, restored?.color], [17_000, "Red"]);
};

export const leavesAloneAnImeiThatChangedSinceTheCheck = async (db: Db) => {
  const shop = await seller(db);
  const [first, second, third] = ["490154203237518", "356808110000011", "356808110000029"] as const;
  const [firstHash = ""] = await imeiHashesOf(secrets, first);
  const [secondHash = ""] = await imeiHashesOf(secrets, second);
  const add = (ownNumber: string, imeiHash: string | null) =>
    addPhone(db, { sellerId: shop.id, ownNumber, imeiHash });
  const [given, same, edited] = [
    await add("given", null),
    await add("same", secondHash),
    await add("edited", null),
  ];
  const edit = ({ id }: { id: string }, hash: string) => changeListing(db, shop, id, {}, [hash]);
  const imeis = async () => (await ofSeller(db, shop)).map((phone) => [phone.ownNumber, phone.imeiHash]);
  const lines = ["Number,IMEI", `given,${first}`, `same,${second}`, `edited,${third}`];
  const { id, plans } = await check(db, shop, lines.join("\n"));
  assert.deepEqual(plans, ["changed", "unchanged", "changed"]);
  assert.equal(await edit(same, "changed by hand"), "saved");
  assert.equal(await edit(edited, "set by hand"), "saved");
  assert.equal(await beginImport(db, shop, id, false), null);
  while (await workOff(db, id, settings)) {}
  const { rows } = await listImportRows(db, shop, id, {});
  assert.deepEqual(
    rows.map(({ ownNumber, result, refusal }) => [ownNumber, result, refusal]),
    [
      ["same", "refused", "changed since"],
      ["edited", "refused", "changed since"],
      ["given", "done", null],
    ],
  );
  const kept = [
    ["edited", "set by hand"],
    ["same", "changed by hand"],
  ];
  assert.deepEqual(await imeis(), [kept[0], ["given", firstHash], kept[1]]);

  // The undo doesn’t take back a later one.
  assert.equal(await edit(given, "another"), "saved");
  assert.equal(await beginUndo(db, shop, id), null);
  while (await workOff(db, id, settings)) {}
  assert.deepEqual(await imeis(), [kept[0], ["given", "another"], kept[1]]);

  // One that nobody changed is as it was.
  const again = await apply(db, shop, `Number,IMEI\ngiven,${first}`);
  assert.equal(await beginUndo(db, shop, again.id), null);
  while (await workOff(db, again.id, settings)) {}
  assert.deepEqual(await imeis(), [kept[0], ["given", "another"], kept[1]]);
};

export const undoesAnImportButWhatChangedSince = async (db: Db) => {
  const [shop, buyer] = [await seller(db), await addAccount(db)];
  await addPhone(db, { sellerId: shop.id, ownNumber: "C-1", sellingCents: 20_000 });
  await addPhone(db, { sellerId: shop.id, ownNumber: "C-2", sellingCents: 20_000 });
  const prices = "Number,Price\nC-1,199\nC-2,199";
  const first = await apply(db, shop, prices);
  // What is compared with it is checked again: it is not what the listings say then.
  const same = await check(db, shop, prices);
  assert.deepEqual(same.plans, ["unchanged", "unchanged"]);
  assert.equal(await beginUndo(db, shop, first.id), null);
  assert.equal((await findImport(db, shop))?.id, first.id);
  assert.equal(await beginImport(db, shop, same.id, false), "not found");
  while (await workOff(db, first.id, settings)) {}
  assert.deepEqual(
    (await ofSeller(db, shop)).map(({ sellingCents }) => sellingCents),
    [20_000, 20_000],
  );
  const numbers = ["A-1", "A-2", "A-3", "A-5", "A-6", "A-7"];
  const { id } = await apply(db, shop, fileOf(...numbers.map((number) => row(number))));
  const [one, two, , ...more] = await ofSeller(db, shop);
  await bookWithoutLimits(db, buyer, one?.id ?? "", delivery);
  await editPhone(db, two?.id ?? "", { sellingCents: 1 });
  await db
    .update(phones)
    .set({ ownNumber: "A-4" })
    .where(eq(phones.id, more?.[0]?.id ?? ""));
  await saveListing(db, buyer, more?.[1]?.id ?? "");
  await changeListing(db, shop, more?.[2]?.id ?? "", { batteryHealth: 90 }, []);
  assert.equal(await beginUndo(db, shop, id), null);
  assert.equal(await beginUndo(db, shop, id), null);
  while (await workOff(db, id, settings)) {}
  assert.equal(await beginUndo(db, shop, id), null);
  const left = await ofSeller(db, shop);
  assert.deepEqual(
    left.map(({ ownNumber }) => ownNumber),
    ["A-1", "A-2", "A-4", "A-6", "A-7", "C-1", "C-2"],
  );
  const found = await findImport(db, shop, id);
  assert.equal(found?.state, "undone");
  assert.deepEqual([found?.numbers.undone, found?.numbers.kept], [1, 5]);
  const { rows } = await listImportRows(db, shop, id, {});
  assert.deepEqual(
    rows.map(({ ownNumber, refusal }) => [ownNumber, refusal]),
    [
      ["A-1", "reserved"],
      ["A-2", "changed since"],
      ["A-5", "changed since"],
      ["A-6", "saved"],
      ["A-7", "changed since"],
      ["A-3", null],
    ],
  );
  // A changed listing that has changed since stays.
  const changed = await apply(db, shop, prices);
  const c1 = (await ofSeller(db, shop)).find(({ ownNumber }) => ownNumber === "C-1");
  await editPhone(db, c1?.id ?? "", { sellingCents: 15_000 });
  await beginUndo(db, shop, changed.id);
  while (await workOff(db, changed.id, settings)) {}
  assert.deepEqual(
    (await ofSeller(db, shop)).map(({ sellingCents }) => sellingCents).slice(-2),
    [15_000, 20_000],
  );
  // The number is free again.
  assert.deepEqual((await check(db, shop, fileOf(row("A-3")))).plans, ["created"]);
};

export const keepsNewListingsThatSomebodyCountsOn = async (db: Db) => {
  const [shop, buyer, other] = [await seller(db), await addAccount(db), await addAccount(db)];
  const numbers = ["A-1", "A-2", "A-3", "A-4", "A-5", "A-6"];
  const { id } = await apply(db, shop, fileOf(...numbers.map((number) => row(number))));
  const [open, accepted, paused, photographed, , asked] = (await ofSeller(db, shop)).map(
    (listed) => listed.id,
  );
  const offer = { amountCents: 30_000, text: "", formKey: null };
  assert.ok((await makeOffer(db, buyer, open ?? "", offer)).offerId);
  const { offerId = "" } = await makeOffer(db, other, accepted ?? "", offer);
  await db
    .update(offers)
    .set({ answer: "accepted", usableUntil: new Date(Date.now() + dayMs) })
    .where(eq(offers.id, offerId));
  assert.equal((await changeSale(db, shop, [paused ?? ""], "pause")).length, 1);
  const photo = { phoneId: photographed ?? "", position: 0, width: 1, height: 1, digest: "d", id: "p" };
  await db.insert(photos).values(photo);
  const message = { text: "Is it scratched?", formKey: null };
  assert.ok((await sendFirstMessage(db, buyer, { phone: asked ?? "" }, message)).conversationId);
  assert.equal(await beginUndo(db, shop, id), null);
  while (await workOff(db, id, settings)) {}
  const { rows } = await listImportRows(db, shop, id, {});
  assert.deepEqual(
    rows.map(({ ownNumber, result, refusal }) => [ownNumber, result, refusal]),
    [
      ["A-1", "kept", "saved"],
      ["A-2", "kept", "saved"],
      ["A-3", "kept", "changed since"],
      ["A-4", "kept", "changed since"],
      ["A-6", "kept", "saved"],
      ["A-5", "undone", null],
    ],
  );
  assert.equal((await ofSeller(db, shop)).length, 5);
};

export const keepsPhotosThatWereAddedByHand = async (db: Db) => {
  const shop = await seller(db);
  const { id } = await apply(db, shop, fileOf(row("A-1"), row("A-2")));
  const [replaced, same] = (await ofSeller(db, shop)).map((listed) => listed.id);
  for (const phoneId of [replaced, same])
    await db
      .update(listingImportRows)
      .set({ photos: [`of ${phoneId}`, "gone.jpg"], photoRemarks: ["gone.jpg: gone"] })
      .where(eq(listingImportRows.phoneId, phoneId ?? ""));
  const photo = { position: 1, width: 1, height: 1, digest: "d" };
  await db.insert(photos).values([
    { ...photo, phoneId: replaced ?? "", id: "by hand" },
    { ...photo, phoneId: same ?? "", id: `of ${same}` },
  ]);
  await beginUndo(db, shop, id);
  while (await workOff(db, id, settings)) {}
  const { rows } = await listImportRows(db, shop, id, {});
  assert.deepEqual(
    rows.map(({ ownNumber, result }) => [ownNumber, result]),
    [
      ["A-1", "kept"],
      ["A-2", "undone"],
    ],
  );
};

export const keepsWhatIsEditedDuringTheUndo = async (db: Db) => {
  const shop = await seller(db);
  const numbers = ["A-1", "A-2", "A-3"];
  const { id } = await apply(db, shop, fileOf(...numbers.map((number) => row(number))));
  await beginUndo(db, shop, id);
  const edits: Partial<typeof phones.$inferInsert>[] = [
    { sellingReason: "Typed" },
    { details: { city: "Austin, TX" } },
    { imeiHash: "hash" },
  ];
  // Each edit comes between the check of a listing and its batch.
  const edited = Object.assign(Object.create(db), {
    batch: async (statements: Parameters<Db["batch"]>[0]) => {
      const edit = edits.pop();
      const number = numbers.shift() ?? "";
      if (edit) await db.update(phones).set(edit).where(eq(phones.ownNumber, number));
      return db.batch(statements);
    },
  });
  await workOff(edited, id, settings);
  assert.equal((await ofSeller(db, shop)).length, 3);
  const { rows } = await listImportRows(db, shop, id, {});
  assert.deepEqual(
    rows.map(({ refusal }) => refusal),
    Array(3).fill("changed since"),
  );
};

export const keepsWhatIsEditedWhileAChangedRowIsTakenBack = async (db: Db) => {
  const shop = await seller(db);
  const listing = await addPhone(db, { sellerId: shop.id, ownNumber: "C-1", sellingCents: 20_000 });
  const { id } = await apply(db, shop, `Number,Price\nC-1,199`);
  await beginUndo(db, shop, id);
  // The edit comes between the check of the listing and its batch, and is about something else.
  let isEdited = false;
  const edited = Object.assign(Object.create(db), {
    batch: async (statements: Parameters<Db["batch"]>[0]) => {
      if (!isEdited) await editPhone(db, listing.id, { sellingReason: "Typed" });
      isEdited = true;
      return db.batch(statements);
    },
  });
  await workOff(edited, id, settings);
  const [kept] = await ofSeller(db, shop);
  assert.deepEqual([kept?.sellingReason, kept?.sellingCents], ["Typed", 19_900]);
  const { rows } = await listImportRows(db, shop, id, {});
  assert.deepEqual(rows[0]?.refusal, "changed since");
};

export const keepsTheUndoOfAnImportThroughOtherChecks = async (db: Db) => {
  const shop = await seller(db);
  const first = await apply(db, shop, fileOf(row("A-1")));
  const second = await apply(db, shop, fileOf(row("A-2")));
  const checked = await check(db, shop, fileOf(row("A-3")));
  const earlier = async () =>
    (await listEarlierImports(db, shop, checked.id)).map(({ id, canUndo }) => [id, canUndo]);
  assert.equal((await findImport(db, shop))?.id, checked.id);
  assert.deepEqual(await earlier(), [
    [second.id, true],
    [first.id, true],
  ]);
  assert.equal(await beginUndo(db, shop, first.id), null);
  // What runs is shown.
  assert.equal((await findImport(db, shop))?.id, first.id);
  while (await workOff(db, first.id, settings)) {}
  // The result of an undo is shown as long.
  assert.deepEqual(await earlier(), [
    [second.id, true],
    [first.id, false],
  ]);
  assert.deepEqual(
    (await ofSeller(db, shop)).map(({ ownNumber }) => ownNumber),
    ["A-2"],
  );
  // What was checked may no longer hold.
  assert.equal(await beginImport(db, shop, checked.id, false), "not found");
  const again = await check(db, shop, fileOf(row("A-3")));
  assert.equal(await beginImport(db, shop, again.id, false), null);
  while (await workOff(db, again.id, settings)) {}
  const yesterday = new Date(Date.now() - dayMs);
  await db.update(listingImports).set({ appliedAt: yesterday, undoneAt: yesterday });
  assert.deepEqual(await earlier(), []);
  const applied = {
    state: "applied",
    appliedAt: new Date(),
    fileName: "shop.csv",
    unknownColumns: [],
  } as const;
  await db
    .insert(listingImports)
    .values(
      [..."abcdef"].map((id) => ({ ...applied, id, sellerId: shop.id, fileName: "a", unknownColumns: [] })),
    );
  assert.equal((await earlier()).length, 5);
};

export const tellsWhatAFileCannotDo = async (db: Db) => {
  const shop = await seller(db);
  await addPhone(db, { sellerId: shop.id, ownNumber: "A-1" });
  const file = await readListingFile(
    new TextEncoder().encode(
      [`${header},Photos,State`, `${row("A-2")},here.jpg|gone.jpg,`, `${row("A-3")},,sold`].join("\n"),
    ),
  );
  assert.ok("rows" in file);
  const zip = {
    refusalOf: (name: string) => (name === "here.jpg" ? null : "None of this name."),
    read: async () => ({ refusal: "" }),
  };
  const rows = await checkRows(db, shop, file, secrets, zip);
  assert.deepEqual(
    rows.map(({ plan, remarks }) => [plan, remarks]),
    [
      ["created", [{ field: "photos", text: "gone.jpg: None of this name." }]],
      ["created", [{ field: "state", text: "A file can’t change it. Do that in My Sells" }]],
    ],
  );
  // They are applied without being confirmed.
  const stored = await storeCheckedImport(db, shop, { name: "shop.csv", ...file }, rows);
  assert.ok("id" in stored);
  const numbers = async () => {
    const found = await findImport(db, shop, stored.id);
    return [found?.numbers.missingPhotos, found?.numbers.doubtful];
  };
  assert.deepEqual(await numbers(), [1, 0]);
  // An earlier version stored the titles of the columns.
  const titled = sql`replace(replace(replace(remarks, '"field"', '"column"'), '"photos"', '"Photos"'), '"state"', '"State"')`;
  await db.update(listingImportRows).set({ remarks: titled });
  assert.deepEqual(await numbers(), [1, 0]);
  assert.deepEqual(
    (await listImportRows(db, shop, stored.id, {})).rows.map(({ remarks }) => remarks[0]?.column),
    ["Photos", "State"],
  );
  await beginImport(db, shop, stored.id, false);
  while (await workOff(db, stored.id, settings)) {}
  assert.equal((await ofSeller(db, shop)).length, 3);
  // Photos of which the check found none are lost once the others are listed.
  const lost = await check(db, shop, `${header},Photos\n${row("A-4")},gone.jpg\n${row("A-2")},gone.jpg`);
  const lostPhotos = async () => (await findImport(db, shop, lost.id))?.numbers.lostPhotos;
  assert.deepEqual(lost.plans, ["created", "unchanged"]);
  assert.equal(await lostPhotos(), 0);
  await beginImport(db, shop, lost.id, false);
  while (await workOff(db, lost.id, settings)) {}
  assert.equal(await lostPhotos(), 2);
  assert.equal(await beginUndo(db, shop, lost.id), null);
  while (await workOff(db, lost.id, settings)) {}
  assert.equal(await lostPhotos(), 0);
  // Of a listing, the state that the export writes says nothing new.
  const plain = await check(db, shop, "Number,State,Photos\nA-1,for sale,a.jpg\nA-2,Sold,\nA-3,,");
  assert.deepEqual(
    plain.rows.map(({ plan, remarks }) => [plan, ...remarks.map(({ field }) => field)]),
    [["unchanged", "photos"], ["unchanged", "state"], ["unchanged"]],
  );
};

export const tellsWhatIsBookedAndWhatCannotBeAdded = async (db: Db) => {
  const [shop, buyer] = [await seller(db), await addAccount(db)];
  const booked = await addPhone(db, { sellerId: shop.id, ownNumber: "B-1", sellingCents: 20_000 });
  await addPhone(db, { sellerId: shop.id, ownNumber: "B-2", sellingCents: 20_000, cover: null });
  await bookWithoutLimits(db, buyer, booked.id, delivery);
  const { rows } = await check(db, shop, "Number,Price,Photos\nB-1,199,\nB-2,200,none.jpg\nB-3,12 3,");
  const [first, second, third] = rows;
  assert.deepEqual(
    [first?.plan, first?.remarks],
    ["changed", [{ field: "state", text: "Booked. Its order stays as agreed" }]],
  );
  assert.deepEqual([second?.plan, second?.remarks.length], ["unchanged", 1]);
  const ofPrice = third?.remarks.find(({ field }) => field === "sellingPrice");
  assert.equal(ofPrice?.text, "Price in USD must be a number of dollars, like 349 or 349.50");
};

export const readsFixedWordsHoweverTheyAreWritten = async (db: Db) => {
  const shop = await seller(db);
  const loose = row("A-1", "349", "Too small, eXCELLENT ").replace(
    "Android,Smart Phone",
    "ANDROID,smart  phone",
  );
  await apply(db, shop, fileOf(loose));
  const [listed] = await ofSeller(db, shop);
  assert.deepEqual(
    [listed?.condition, listed?.os, listed?.deviceType],
    ["Excellent", "Android", "Smart Phone"],
  );
  assert.deepEqual((await check(db, shop, fileOf(loose))).plans, ["unchanged"]);
};

export const pausesWhatIsImportedWhileAllIsPaused = async (db: Db) => {
  const shop = await seller(db);
  await addPhone(db, { sellerId: shop.id, ownNumber: "Z" });
  const until = new Date(Date.now() + 3 * dayMs);
  await pauseAll(db, shop, until);
  await apply(db, shop, fileOf(row("A-1")));
  const [listed] = await ofSeller(db, shop);
  assert.deepEqual([listed?.status, listed?.pausedUntil], ["paused", until]);
  await endPause(db, shop);
  assert.equal((await ofSeller(db, shop))[0]?.status, "available");
};

export const tellsWhatIsLeftOutAsDoubtful = async (db: Db) => {
  const shop = await seller(db);
  const { id } = await apply(db, shop, fileOf(row("A-1"), row("A-2", "34900")));
  const found = await findImport(db, shop, id);
  assert.deepEqual([found?.numbers.applied, found?.numbers.unconfirmed], [1, 1]);
  const { rows } = await listImportRows(db, shop, id, {});
  assert.deepEqual(
    rows.map(({ ownNumber, result, isDoubtful }) => [ownNumber, result, isDoubtful]),
    [
      ["A-2", null, true],
      ["A-1", "done", false],
    ],
  );
};

export const appliesEachRowOnceThroughCrashes = async (db: Db) => {
  const shop = await seller(db);
  const rows = Array.from({ length: 12 }, (_, index) => row(`A-${index}`));
  const { id } = await check(db, shop, fileOf(...rows));
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => beginImport(db, shop, id, false))), [
    null,
    null,
    null,
  ]);
  const broken = Object.assign(Object.create(db), {
    batch: async (statements: Parameters<Db["batch"]>[0]) => {
      await db.batch(statements);
      throw new Error("The consumer was killed.");
    },
  });
  for (let crash = 0; crash < 3; crash += 1) await workOff(broken, id, settings, 4).catch(() => {});
  await Promise.all([1, 2, 3].map(() => workOff(db, id, settings, 5)));
  while (await workOff(db, id, settings, 5)) {}
  assert.equal(await workOff(db, id, settings), false);
  assert.equal((await ofSeller(db, shop)).length, 12);
  const found = await findImport(db, shop, id);
  assert.equal(found?.state, "applied");
  assert.deepEqual([found?.numbers.applied, found?.numbers.refused], [12, 0]);
  const done = await db.select({ id: listingImportRows.phoneId }).from(listingImportRows);
  assert.equal(new Set(done.map((one) => one.id)).size, 12);
  await beginUndo(db, shop, id);
  for (let crash = 0; crash < 3; crash += 1) await workOff(broken, id, settings, 4).catch(() => {});
  while (await workOff(db, id, settings, 5)) {}
  assert.equal((await ofSeller(db, shop)).length, 0);
  assert.equal((await findImport(db, shop, id))?.numbers.undone, 12);
};

export const stopsAnImportOfASuspendedSeller = async (db: Db) => {
  const shop = await seller(db);
  const { id } = await check(db, shop, fileOf(row("A-1"), row("A-2"), row("A-3")));
  await beginImport(db, shop, id, false);
  assert.equal(await workOff(db, id, settings, 1), true);
  await db.update(users).set({ suspensionId: "x" }).where(eq(users.id, shop.id));
  assert.equal(await workOff(db, id, settings), false);
  assert.equal((await ofSeller(db, shop)).length, 1);
  assert.equal((await findImport(db, shop, id))?.state, "stopped");
  assert.equal(await beginUndo(db, shop, id), "account closed");
  const file = { name: "x", unknownColumns: [] };
  assert.deepEqual(await storeCheckedImport(db, shop, file, []), { refusal: "account closed" });
  await db.update(users).set({ suspensionId: null }).where(eq(users.id, shop.id));
  assert.equal(await beginUndo(db, shop, id), null);
};

export const runsOneImportOfASellerAtATime = async (db: Db) => {
  const [shop, other] = [await seller(db), await seller(db)];
  const replaced = await check(db, shop, fileOf(row("A-0")));
  const { id } = await check(db, shop, fileOf(row("A-1"), row("A-2")));
  assert.equal(await beginImport(db, shop, replaced.id, false), "not found");
  assert.equal(await beginImport(db, other, id, false), "not found");
  assert.equal(await beginImport(db, shop, id, false), null);
  const file = { name: "x", unknownColumns: [] };
  assert.deepEqual(await storeCheckedImport(db, shop, file, []), { refusal: "running" });
  // Undone while it runs.
  await workOff(db, id, settings, 1);
  assert.equal(await beginUndo(db, shop, id), null);
  assert.equal(await beginImport(db, shop, id, false), "undoing");
  while (await workOff(db, id, settings)) {}
  assert.equal(await beginImport(db, shop, id, false), "undone");
  assert.equal((await ofSeller(db, shop)).length, 0);
  assert.equal((await findImport(db, shop, id))?.state, "undone");
  const applied = await apply(db, shop, fileOf(row("A-1")));
  await db.update(listingImports).set({ appliedAt: new Date(Date.now() - dayMs) });
  assert.equal(await beginUndo(db, shop, applied.id), "too late");
  assert.equal((await findImport(db, shop))?.canUndo, false);
  await deleteOldImports(db, new Date(Date.now() + 6 * dayMs));
  assert.ok(await findImport(db, shop));
  await deleteOldImports(db, new Date(Date.now() + 8 * dayMs));
  assert.equal(await findImport(db, shop), null);
  assert.equal((await db.select().from(listingImportRows)).length, 0);
};

export const importsWithinTheLimitsOfPublishing = async (db: Db) => {
  const shop = await addAccount(db, { userType: "Seller", emailVerifiedAt: new Date() });
  const { id } = await check(db, shop, fileOf(row("A-1"), row("A-2"), row("A-3")));
  await beginImport(db, shop, id, false);
  const limits = { ...settings, HOLD_FIRST_LISTINGS: true, MAX_LISTINGS_A_DAY: 2 };
  assert.equal(await listingsLeftToday(db, shop, limits), 2);
  while (await workOff(db, id, limits)) {}
  const listed = await ofSeller(db, shop);
  assert.deepEqual(
    listed.map(({ tab }) => tab),
    ["not listed", "not listed"],
  );
  assert.equal(await listingsLeftToday(db, shop, limits), 0);
  const { rows } = await listImportRows(db, shop, id, {});
  assert.deepEqual(rows.map(({ result, refusal }) => [result, refusal])[0], ["refused", "too many"]);
  // What waits for approval can't be changed.
  assert.deepEqual((await check(db, shop, "Number,Price\nA-1,99")).plans, ["wrong"]);
  // What the undo takes back leaves room for others, also after the next check.
  assert.equal(await beginUndo(db, shop, id), null);
  while (await workOff(db, id, limits)) {}
  assert.equal(await listingsLeftToday(db, shop, limits), 2);
  await db.update(listingImports).set({ appliedAt: new Date(Date.now() - 60 * 60_000) });
  const next = await apply(db, shop, fileOf(row("A-4")));
  assert.equal(await listingsLeftToday(db, shop, limits), 1);
  assert.notEqual(next.id, id);
};

export const whatWasDeletedBeforeTheUndoCountsTowardTheLimit = async (db: Db) => {
  const [shop, admin] = [await seller(db), await addAccount(db, { userType: "Admin" })];
  const limits = { ...settings, MAX_LISTINGS_A_DAY_VERIFIED: 5 };
  const numbers = ["A-1", "A-2", "A-3", "A-4", "A-5"];
  const { id } = await apply(db, shop, fileOf(...numbers.map((number) => row(number))));
  for (const listed of (await ofSeller(db, shop)).slice(0, 3))
    assert.equal((await removeListing(db, admin, listed.id)).refusal, null);
  assert.equal(await listingsLeftToday(db, shop, limits), 0);
  assert.equal(await beginUndo(db, shop, id), null);
  while (await workOff(db, id, settings)) {}
  assert.equal((await ofSeller(db, shop)).length, 0);
  assert.equal(await listingsLeftToday(db, shop, limits), 2);
  const { rows } = await listImportRows(db, shop, id, {});
  assert.deepEqual(
    rows.map(({ result, refusal }) => [result, refusal]),
    [...Array(3).fill(["undone", "deleted before"]), ...Array(2).fill(["undone", null])],
  );
};

export const importsImeisAsHashes = async (db: Db) => {
  const shop = await seller(db);
  const file = "IMEI,".concat(header, "\n490154203237518,", row("A-1"));
  await apply(db, shop, file);
  const [hash] = await imeiHashesOf(secrets, "490154203237518");
  assert.equal((await ofSeller(db, shop))[0]?.imeiHash, hash);
  assert.deepEqual((await check(db, shop, file)).plans, ["unchanged"]);
  assert.ok(!JSON.stringify(await db.select().from(listingImportRows)).includes("490154203237518"));
  const other = await check(db, await seller(db), file);
  assert.deepEqual(
    other.rows[0]?.remarks.map(({ field }) => field),
    ["imei"],
  );
};

export const refusesWhatChangedBetweenCheckAndImport = async (db: Db) => {
  const shop = await seller(db);
  const phone = await addPhone(db, { sellerId: shop.id, ownNumber: "C-1", sellingCents: 20_000 });
  const { id } = await check(db, shop, `Number,Price\nC-1,199`);
  await editPhone(db, phone.id, { sellingCents: 21_000 });
  await beginImport(db, shop, id, false);
  while (await workOff(db, id, settings)) {}
  const { rows } = await listImportRows(db, shop, id, {});
  assert.deepEqual(rows[0]?.refusal, "changed since");
  assert.equal((await ofSeller(db, shop))[0]?.sellingCents, 21_000);
  assert.equal((await db.select().from(phones).where(isNull(phones.tab))).length, 0);
};
