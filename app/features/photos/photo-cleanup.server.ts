import { and, eq, gt, inArray, isNotNull, lt, not, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, isOneOf } from "#app/db/conditions.server.ts";
import {
  decisions,
  listingDrafts,
  listingImports,
  pageVersions,
  phones,
  photos,
  removals,
} from "#app/db/schema.ts";
import { randomToken } from "#app/server/config/crypto.server.ts";
import { undoMinutes } from "#app/terms.ts";
import { hourMs } from "#app/time.ts";
import { isReturned } from "../audit/removals.server.ts";
import { isPagePicture } from "./photo.rules.ts";
import { deletePhotos, isDetachedPhoto, type PhotoStorage } from "./photo-objects.server.ts";

/** Rows per batch; D1 allows 100 bound parameters. */
const batchSize = 90;
const maxBatches = 10;

/** Objects of the bucket that one cleanup checks. */
const maxObjects = 500;
/** Photos of a form are kept so long, since it may still be saved as a draft, or published. */
const unsavedDraftHours = 24;
/** Uploads without a row are kept so long, since the row, or the page's version, may still be saved. */
const orphanAfterMinutes = { photo: 60, "page picture": 24 * 60 };

/**
 * Deletes photos of listings whose removal can no longer be undone, of forms that were left, detached photos, and objects without a row, or that no version of a page shows. Each cleanup does a limited part; the next ones continue.
 */
export async function cleanUpPhotos(
  db: Db,
  storage: Pick<PhotoStorage, "bucket">,
  now = new Date(),
): Promise<void> {
  await detachPhotosOfRemovedListings(db, now);
  await detachPhotosOfUnsavedDrafts(db, now);
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const detached = await db.select({ id: photos.id }).from(photos).where(isDetachedPhoto).limit(batchSize);
    await deletePhotos(
      db,
      storage,
      detached.map(({ id }) => id),
    );
    if (detached.length < batchSize) break;
  }
  await deleteOrphans(db, storage, now);
}

async function detachPhotosOfRemovedListings(db: Db, now: Date): Promise<void> {
  // With a margin for an undo in progress.
  const since = new Date(now.getTime() - (undoMinutes + 5) * 60_000);
  const canBeUndone = hasRow(
    db,
    removals,
    and(eq(removals.id, phones.hiddenById), gt(removals.createdAt, since)),
  );
  // Listings that moderators hide or remove may be shown again, until they are erased.
  const isHidden = hasRow(db, decisions, eq(decisions.id, phones.hiddenById));
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const removed = await db
      .select({ id: phones.id })
      .from(phones)
      .where(
        and(
          isNotNull(phones.hiddenById),
          isNotNull(phones.cover),
          not(canBeUndone),
          not(isHidden),
          // So may devices that came back to their seller.
          not(isReturned(db)),
        ),
      )
      .limit(batchSize);
    const ids = removed.map(({ id }) => id);
    if (ids.length > 0) {
      await db.batch([
        db.update(photos).set({ phoneId: null }).where(inArray(photos.phoneId, ids)),
        db.update(phones).set({ cover: null }).where(inArray(phones.id, ids)),
      ]);
    }
    if (ids.length < batchSize) break;
  }
}

/** Of forms that were neither saved as a draft nor published for a day. */
async function detachPhotosOfUnsavedDrafts(db: Db, now: Date): Promise<void> {
  const { draftId } = photos;
  const slash = sql`instr(${draftId}, '/')`;
  const draft = and(
    eq(listingDrafts.sellerId, sql`substr(${draftId}, 1, ${slash} - 1)`),
    eq(listingDrafts.id, sql`substr(${draftId}, ${slash} + 1)`),
  );
  const isOld = lt(photos.createdAt, new Date(now.getTime() - unsavedDraftHours * hourMs));
  const left = db
    .select({ id: photos.id })
    .from(photos)
    .where(and(isNotNull(draftId), isOld, not(hasRow(db, listingDrafts, draft))))
    .limit(maxBatches * batchSize);
  await db.update(photos).set({ draftId: null }).where(inArray(photos.id, left));
}

/** Checks a part of the bucket from a random key on, so that no cursor has to be stored. */
async function deleteOrphans(db: Db, { bucket }: Pick<PhotoStorage, "bucket">, now: Date): Promise<void> {
  const isOld = ({ key, uploaded }: R2Object) => {
    const minutes = orphanAfterMinutes[isPagePicture(photoIdOf(key)) ? "page picture" : "photo"];
    return uploaded.getTime() < now.getTime() - minutes * 60_000;
  };
  const tail = await bucket.list({ startAfter: randomToken(), limit: maxObjects });
  const remaining = maxObjects - tail.objects.length;
  const head = remaining > 0 ? (await bucket.list({ limit: remaining })).objects : [];
  const isKept = await keepsArchive(
    db,
    [...tail.objects, ...head].map(({ key }) => key),
  );
  const old = [...tail.objects, ...head].filter((object) => isOld(object) && !isKept(object.key));
  const ids = [...new Set(old.map(({ key }) => photoIdOf(key)))];
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    const [rows, shown] = await db.batch([
      db.select({ id: photos.id }).from(photos).where(inArray(photos.id, batch)),
      db
        .select({ id: sql<string>`one.value`.as("id") })
        .from(sql`json_each(${JSON.stringify(batch.filter(isPagePicture))}) as one`)
        .where(sql`exists (select 1 from ${pageVersions} where instr(${pageVersions.body}, one.value))`),
    ]);
    const known = new Set([...rows, ...shown].map(({ id }) => id));
    const orphans = new Set(batch.filter((id) => !known.has(id)));
    const names = old.map(({ key }) => key).filter((name) => orphans.has(photoIdOf(name)));
    if (names.length > 0) await bucket.delete(names);
  }
}

/** Says which ZIP files of photos an import still waits for. */
async function keepsArchive(db: Db, keys: string[]): Promise<(key: string) => boolean> {
  const archives = keys.filter((key) => photoIdOf(key) === "imports");
  if (archives.length === 0) return () => false;
  const { archive, state } = listingImports;
  const waiting = await db
    .select({ archive })
    .from(listingImports)
    .where(and(isOneOf(archive, archives), inArray(state, ["checked", "applying"])));
  return (key) => waiting.some((one) => one.archive === key);
}

function photoIdOf(objectName: string): string {
  return objectName.split("/")[0] ?? "";
}
