import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, users } from "#app/db/schema.ts";
import { findDraft, saveDraft } from "#app/features/listings/drafts.server.ts";
import type { NewListing } from "#app/features/listings/listing.schema.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { listAllListings, listSellings } from "#app/features/listings/listing-tables.server.ts";
import { findPublishedListing } from "#app/features/listings/listings.server.ts";
import { publishListing } from "#app/features/listings/publishing.server.ts";
import {
  draftForPhotos,
  insertPhoto,
  movePhoto,
  removePhoto,
} from "#app/features/photos/photo-changes.server.ts";
import { selectDraftPhotos, selectPhotos } from "#app/features/photos/photos.server.ts";
import { closeAccount } from "#app/features/profile/account-closing.server.ts";
import { createTicket, listTickets } from "#app/features/support-tickets/tickets.server.ts";
import { dayMs } from "#app/time.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";
import { publish } from "../../harness/publish.ts";
import { browse } from "../../harness/search.ts";

const xperia: NewListing = {
  brandName: "Sony",
  model: "Xperia 5",
  ram: "8 GB",
  rom: "256 GB",
  camera: "12 MP",
  processor: "Snapdragon 865",
  os: "Android",
  deviceType: "Smart Phone",
  image: "https://pictures.example/xperia.jpg",
  battery: "4000 mAh",
  sellingReason: "Too small for me.",
  marketPrice: 94_900,
  sellingPrice: 34_950,
  postDate: "2026-11-20",
  usedTime: "14",
};

export const publishesAFormOnce = async (db: Db) => {
  const [seller, other] = [await addAccount(db), await addAccount(db)];
  const form = "11111111-1111-4111-8111-111111111111";
  await publish(db, seller, xperia, form);
  await publish(db, seller, xperia, form);
  // A form key belongs to one seller.
  await publish(db, other, xperia, form);
  await publish(db, other, xperia, null);
  await publish(db, other, xperia, null);
  assert.equal((await db.select().from(phones)).length, 4);
  const { phones: listed } = await browse(db, "/android");
  const found = await findPublishedListing(db, listed.at(-1)?.id ?? "");
  assert.equal(found?.sellerName, seller.name);
  assert.equal(found?.sellingCents, 34_950);
  assert.equal(found?.marketCents, 94_900);
  assert.equal(found?.status, "available");
};

export const publishesAgainWithAUsedFormKey = async (db: Db) => {
  const seller = await addAccount(db);
  const form = "11111111-1111-4111-8111-111111111111";
  await publish(db, seller, xperia, form);
  await publish(db, seller, { ...xperia, model: "Xperia 1" }, form);
  const models = (await db.select({ model: phones.model }).from(phones)).map(({ model }) => model);
  assert.deepEqual(models.toSorted(), ["Xperia 1", "Xperia 5"]);
};

export const listsASellersOwnAndAllForAdministrators = async (db: Db) => {
  const [seller, other, admin] = [
    await addAccount(db, { userType: "Seller" }),
    await addAccount(db, { userType: "Seller" }),
    await addAccount(db, { userType: "Admin" }),
  ];
  for (let count = 0; count < 55; count += 1) await addPhone(db, { sellerId: seller.id });
  const others = await addPhone(db, { sellerId: other.id });
  const own = await listSellings(db, seller, null);
  assert.equal(own.rows.length, 50);
  const rest = await listSellings(db, seller, { after: own.next ?? "" });
  assert.deepEqual([rest.rows.length, rest.firstNumber, rest.next], [5, 51, null]);
  assert.deepEqual(await listSellings(db, seller, { before: rest.previous ?? "" }), {
    ...own,
    isFirstPage: false,
  });
  assert.ok(own.rows.every(({ sellerName }) => sellerName === seller.name));
  assert.deepEqual((await listSellings(db, admin, null)).rows, []);
  assert.equal((await listAllListings(db, null)).rows[0]?.id, others.id);
};

export const listsReportsNewestFirstEvenBlankOnes = async (db: Db) => {
  await createTicket(
    db,
    {
      name: "Mia",
      email: "mia@example.com",
      details: "The picture is of another phone.",
    },
    null,
  );
  const form = "22222222-2222-4222-8222-222222222222";
  await createTicket(db, { name: "", email: "", details: "" }, form);
  await createTicket(db, { name: "", email: "", details: "" }, form);
  // Changed before it was submitted again.
  await createTicket(db, { name: "", email: "", details: "More" }, form);
  const { rows } = await listTickets(db, null);
  assert.deepEqual(
    rows.map(({ name, details }) => [name, details]),
    [
      ["", "More"],
      ["", ""],
      ["Mia", "The picture is of another phone."],
    ],
  );
};

export const anAccountPublishesSoManyListingsADay = async (db: Db) => {
  const limits = { MAX_LISTINGS_A_DAY: 3, MAX_LISTINGS_A_DAY_UNCONFIRMED: 2, MAX_LISTINGS_A_DAY_VERIFIED: 4 };
  const seller = await addAccount(db);
  const add = (formKey: string | null = null, model = "Xperia 5") =>
    publishListing(db, seller, { ...xperia, model }, { formKey, limits });
  const key = crypto.randomUUID();
  const first = await add(key);
  assert.ok("id" in first);
  const both = await Promise.all([add(), add()]);
  assert.equal(both.filter((outcome) => "id" in outcome).length, 1);
  const refusal = {
    status: 429,
    retryAfter: 86_400,
    formErrors: ["You’ve listed a lot today. Save this as a draft, and list it tomorrow."],
  };
  assert.deepEqual(await add(), { refusal });
  // The same form submitted again is no new listing, another one with its key is.
  const again = await add(key);
  assert.equal("id" in again && again.id, first.id);
  assert.deepEqual(await add(key, "Xperia 1"), { refusal });
  // Who deletes one has still published it.
  await removeListing(db, seller, first.id);
  assert.deepEqual(await add(), { refusal });
  for (const trust of [{ emailVerifiedAt: new Date() }, { verified: true }]) {
    await db.update(users).set(trust).where(eq(users.id, seller.id));
    assert.ok("id" in (await add()));
    assert.deepEqual(await add(), { refusal });
  }
  await db.update(phones).set({ createdAt: new Date(Date.now() - dayMs) });
  assert.ok("id" in (await add()));
};

export const anImeiIsListedOnce = async (db: Db) => {
  const [seller, other] = [await addAccount(db), await addAccount(db)];
  const imeiHashes = ["newest", "older"];
  const add = (by: typeof seller, formKey: string | null, hashes = imeiHashes) =>
    publishListing(db, by, xperia, { formKey, imeiHashes: hashes });
  const key = crypto.randomUUID();
  const first = await add(seller, key);
  assert.ok("id" in first);
  const refusal = { status: 409, fieldErrors: { imei: ["A device with this IMEI is already listed."] } };
  assert.deepEqual(await add(other, null), { refusal });
  // Under the key of an older secret.
  assert.deepEqual(await add(other, null, ["other", "newest"]), { refusal });
  const again = await add(seller, key);
  assert.equal("id" in again && again.id, first.id);
  await removeListing(db, seller, first.id);
  assert.ok("id" in (await add(other, null)));
};

export const aDraftKeepsAllTextsButTheImei = async (db: Db) => {
  const seller = await addAccount(db);
  const id = crypto.randomUUID();
  await saveDraft(db, seller, id, { model: "Xperia 5", imei: "490154203237518" });
  assert.deepEqual(await findDraft(db, seller, id), { id, typed: { model: "Xperia 5" } });
};

export const photosOfADraftBecomeThoseOfItsListing = async (db: Db) => {
  const [seller, other] = [await addAccount(db), await addAccount(db)];
  const id = crypto.randomUUID();
  const add = (by: typeof seller, number: number) =>
    insertPhoto(db, draftForPhotos(db, by, id), {
      ...{ id: `${by.id} ${number}`, width: 1200, height: 900, digest: `${number}` },
    });
  const { image: _, ...withoutLink } = xperia;
  const submit = () => publishListing(db, seller, withoutLink, { formKey: id, needsPhoto: true });
  const refused = await submit();
  assert.ok("refusal" in refused && refused.refusal.fieldErrors?.photos);
  // Another seller's draft may have the same id.
  for (const by of [seller, other]) assert.ok((await add(by, 1)) && (await add(by, 2)));
  assert.equal(await add(seller, 2), false);
  const mine = draftForPhotos(db, seller, id);
  assert.deepEqual(await movePhoto(db, mine, `${seller.id} 2`, "left"), { position: 1, count: 2 });
  assert.equal(await movePhoto(db, mine, `${other.id} 2`, "left"), null);
  assert.equal(await removePhoto(db, mine, `${other.id} 2`), false);

  const outcomes = await Promise.all([submit(), submit(), submit()]);
  const ids = outcomes.map((outcome) => ("id" in outcome ? outcome.id : outcome));
  const [listed] = ids;
  assert.deepEqual(ids, [listed, listed, listed]);
  const order = (await selectPhotos(db, String(listed))).map((photo) => photo.id);
  assert.deepEqual(order, [`${seller.id} 2`, `${seller.id} 1`]);
  const [phone] = await db.select().from(phones).where(eq(phones.sellerId, seller.id));
  assert.equal(phone?.cover, `${seller.id} 2`);
  assert.equal((await selectDraftPhotos(db, other, id)).length, 2);

  await closeAccount(db, other, { passwordHash: other.passwordHash ?? "" });
  assert.equal(await add(other, 3), false);
  assert.deepEqual(await selectDraftPhotos(db, other, id), []);
};
