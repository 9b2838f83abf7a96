import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { listingImports, phones, photos, users } from "#app/db/schema.ts";
import { deleteDraft, saveDraft } from "#app/features/listings/drafts.server.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import {
  checkNewPhoto,
  draftForPhotos,
  insertPhoto,
  listingForPhotos,
  movePhoto,
  removePhoto,
} from "#app/features/photos/photo-changes.server.ts";
import { cleanUpPhotos } from "#app/features/photos/photo-cleanup.server.ts";
import { findOwnPhotos, selectDraftPhotos, selectPhotos } from "#app/features/photos/photos.server.ts";
import { closeAccount } from "#app/features/profile/account-closing.server.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";

async function listing(db: Db, { count }: { count: number }) {
  const seller = await addAccount(db, { userType: "Seller" });
  const phone = await addPhone(db, { sellerId: seller.id });
  for (let number = 1; number <= count; number += 1) {
    assert.ok(await insertPhoto(db, listingForPhotos(db, seller, phone.id), photo(phone.id, number)));
  }
  const order = async () =>
    (await selectPhotos(db, phone.id)).map(({ id }) => Number(id.split(" ").at(-1))).join("");
  const cover = async () =>
    (await db.select({ cover: phones.cover }).from(phones).where(eq(phones.id, phone.id)))[0]?.cover;
  return { seller, phone, order, cover };
}

function photo(phoneId: string, number: number) {
  return { id: `${phoneId} ${number}`, width: 1200, height: 900, digest: `digest ${number}` };
}

export const storesEightPhotosInUploadOrder = async (db: Db) => {
  const { seller, phone, order, cover } = await listing(db, { count: 7 });
  const more = [8, 9, 10].map((number) =>
    insertPhoto(db, listingForPhotos(db, seller, phone.id), photo(phone.id, number)),
  );
  assert.equal((await Promise.all(more)).filter(Boolean).length, 1);
  assert.match(await order(), /^1234567(8|9|10)$/);
  assert.equal(await cover(), `${phone.id} 1`);
  assert.deepEqual(await checkNewPhoto(db, listingForPhotos(db, seller, phone.id), "digest 3"), {
    added: `${phone.id} 3`,
    existing: true,
  });
  assert.deepEqual(await checkNewPhoto(db, listingForPhotos(db, seller, phone.id), "digest 99"), {
    refusal: "too many",
  });
};

export const storesAFileOncePerListing = async (db: Db) => {
  const { seller, phone } = await listing(db, { count: 1 });
  const again = { ...photo(phone.id, 1), id: "again" };
  assert.equal(await insertPhoto(db, listingForPhotos(db, seller, phone.id), again), false);
  assert.ok(await removePhoto(db, listingForPhotos(db, seller, phone.id), `${phone.id} 1`));
  assert.ok(await insertPhoto(db, listingForPhotos(db, seller, phone.id), again));
  const other = await listing(db, { count: 1 });
  assert.equal(await other.order(), "1");
};

export const swapsAPhotoWithItsNeighbour = async (db: Db) => {
  const { seller, phone, order, cover } = await listing(db, { count: 4 });
  const move = (number: number, to: "left" | "right") =>
    movePhoto(db, listingForPhotos(db, seller, phone.id), `${phone.id} ${number}`, to);
  assert.deepEqual(await move(3, "left"), { position: 2, count: 4 });
  assert.equal(await order(), "1324");
  assert.deepEqual(await move(1, "right"), { position: 2, count: 4 });
  assert.equal(await order(), "3124");
  assert.equal(await cover(), `${phone.id} 3`);
  await removePhoto(db, listingForPhotos(db, seller, phone.id), `${phone.id} 1`);
  assert.deepEqual(await move(2, "left"), { position: 1, count: 3 });
  assert.equal(await order(), "234");
  assert.deepEqual(await move(2, "left"), { position: 1, count: 3 });
  assert.deepEqual(await move(4, "right"), { position: 3, count: 3 });
  assert.equal(await order(), "234");
  assert.equal(await move(1, "left"), null);
};

export const keepsDistinctPositionsOnConcurrentMoves = async (db: Db) => {
  const { seller, phone, order, cover } = await listing(db, { count: 5 });
  const moves = [5, 4, 3, 2, 1, 5, 4].map((number, index) =>
    movePhoto(
      db,
      listingForPhotos(db, seller, phone.id),
      `${phone.id} ${number}`,
      index % 2 ? "left" : "right",
    ),
  );
  await Promise.all(moves);
  const after = await order();
  assert.equal([...after].toSorted().join(""), "12345");
  assert.equal(await cover(), `${phone.id} ${after[0]}`);
  const rows = await db.select().from(photos).where(eq(photos.phoneId, phone.id));
  assert.deepEqual(rows.map(({ position }) => position).toSorted(), [1, 2, 3, 4, 5]);
};

export const letsSellersChangePhotosUntilTheSale = async (db: Db) => {
  const { seller, phone, order } = await listing(db, { count: 2 });
  const stranger = await addAccount(db, { userType: "Seller" });
  const admin = await addAccount(db, { userType: "Admin" });
  const second = `${phone.id} 2`;
  async function attempt(by: typeof seller) {
    return [
      await insertPhoto(db, listingForPhotos(db, by, phone.id), photo(phone.id, 3)),
      (await movePhoto(db, listingForPhotos(db, by, phone.id), second, "left")) !== null,
      await removePhoto(db, listingForPhotos(db, by, phone.id), second),
    ];
  }
  assert.equal(await findOwnPhotos(db, stranger, phone.id), null);
  assert.deepEqual(await attempt(stranger), [false, false, false]);
  await db.update(phones).set({ status: "sold" }).where(eq(phones.id, phone.id));
  assert.deepEqual(await attempt(seller), [false, false, false]);
  assert.equal((await findOwnPhotos(db, seller, phone.id))?.editable, false);
  assert.equal(await order(), "12");
  await db.update(phones).set({ status: "available", hiddenById: "r" }).where(eq(phones.id, phone.id));
  assert.deepEqual(await attempt(seller), [false, false, false]);
  assert.equal(await findOwnPhotos(db, seller, phone.id), null);
  await db.update(phones).set({ hiddenById: null }).where(eq(phones.id, phone.id));
  assert.deepEqual(await attempt(admin), [false, false, false]);
  assert.deepEqual(await attempt(seller), [true, true, true]);
  assert.equal(await order(), "13");
};

export const deletesPhotosWithTheAccount = async (db: Db) => {
  const { seller, phone } = await listing(db, { count: 2 });
  const sold = await addPhone(db, { sellerId: seller.id });
  await insertPhoto(db, listingForPhotos(db, seller, sold.id), photo(sold.id, 1));
  await db.update(phones).set({ status: "sold" }).where(eq(phones.id, sold.id));
  const [account] = await db.select().from(users).where(eq(users.id, seller.id));
  const outcome = await closeAccount(db, seller, { passwordHash: account?.passwordHash ?? "" });
  assert.equal(outcome, "closed");
  assert.deepEqual(await selectPhotos(db, phone.id), []);
  assert.equal((await selectPhotos(db, sold.id)).length, 1);
  // For the scheduled deletion of files.
  assert.equal((await db.select().from(photos)).length, 3);
};

/** Runs the clean-up some minutes from now; no file has to be deleted. */
function cleanUpIn(db: Db, minutes: number) {
  const bucket = { delete: async () => {}, list: async () => ({ objects: [] }) };
  return cleanUpPhotos(db, { bucket } as never, new Date(Date.now() + minutes * 60_000));
}

export const theCleanUpWaitsUntilADeletionCannotBeUndone = async (db: Db) => {
  const { seller, phone, order } = await listing(db, { count: 2 });
  await removeListing(db, seller, phone.id);
  await cleanUpIn(db, 11);
  assert.equal(await order(), "12");
  await cleanUpIn(db, 16);
  assert.equal(await order(), "");
};

export const theCleanUpKeepsTheFilesOfImportsThatWait = async (db: Db) => {
  const seller = await addAccount(db);
  const archives = ["checked", "applying", "applied"] as const;
  await db.insert(listingImports).values(
    archives.map((state) => ({
      ...{ id: state, sellerId: seller.id, fileName: "", unknownColumns: [] },
      ...{ state, archive: `imports/${state}.zip` },
    })),
  );
  const keys = ["imports/nobody.zip", ...archives.map((state) => `imports/${state}.zip`)];
  const deleted: string[] = [];
  const bucket = {
    delete: async (names: string[]) => void deleted.push(...names),
    list: async ({ startAfter }: { startAfter?: string }) => ({
      objects: startAfter ? [] : keys.map((key) => ({ key, uploaded: new Date(0) })),
    }),
  };
  await cleanUpPhotos(db, { bucket } as never);
  assert.deepEqual(deleted, ["imports/nobody.zip", "imports/applied.zip"]);
};

export const theCleanUpDetachesPhotosOfFormsThatWereLeft = async (db: Db) => {
  const seller = await addAccount(db);
  for (const id of ["left", "saved"])
    await insertPhoto(db, draftForPhotos(db, seller, id), photo(`${seller.id} ${id}`, 1));
  await saveDraft(db, seller, "saved", {});
  const left = async () => {
    const of = (id: string) => selectDraftPhotos(db, seller, id);
    return [(await of("left")).length, (await of("saved")).length];
  };
  await cleanUpIn(db, 23 * 60);
  assert.deepEqual(await left(), [1, 1]);
  await cleanUpIn(db, 25 * 60);
  assert.deepEqual(await left(), [0, 1]);
  await deleteDraft(db, seller, "saved");
  assert.deepEqual(await left(), [0, 0]);
};

export const theCleanUpKeepsPhotosOfListingsThatMayBeShownAgain = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const decided = { reason: "It is not the device in the pictures.", days: "7" };
  const hidden = await listing(db, { count: 1 });
  await decide(db, moderator, "listing", hidden.phone.id, { decision: "hide", ...decided }, null);
  const suspended = await listing(db, { count: 1 });
  await decide(db, moderator, "seller", suspended.seller.id, { decision: "suspend", ...decided }, null);
  const removed = await listing(db, { count: 1 });
  await decide(db, moderator, "listing", removed.phone.id, { decision: "remove", ...decided }, null);
  await cleanUpIn(db, 60);
  const left = await Promise.all([hidden, suspended, removed].map(({ order }) => order()));
  assert.deepEqual(left, ["1", "1", "1"]);
};
