import { and, eq, gt, inArray, isNotNull, isNull, notExists, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, photos, removals } from "#app/db/schema.ts";
import { randomToken } from "#app/server/config/crypto.server.ts";
import { undoMinutes } from "../audit/removals.server.ts";
import { dropPhotos, type PhotoStudio } from "./photo-objects.server.ts";

/** So many rows are named in one statement, and so many times one sweep asks for more. */
const portion = 90;
const rounds = 10;

/** So many objects are looked at in one sweep for those that nothing names. */
const objectsLookedAt = 500;
/** A photo is stored before its row is written: younger objects may still get theirs. */
const strayAfterMinutes = 60;

/**
 * Deletes what is left of photos that nobody can see any more: those of listings that were removed and can no longer
 * be put back, those taken off their listing, and objects without a row, which a crash leaves behind. A sweep does a
 * bounded part of it; the next ones do the rest.
 */
export async function sweepPhotos(
  db: Db,
  studio: Pick<PhotoStudio, "bucket">,
  now = new Date(),
): Promise<void> {
  await takeOffRemovedListings(db, now);
  for (let round = 0; round < rounds; round += 1) {
    const loose = await db
      .select({ id: photos.id })
      .from(photos)
      .where(isNull(photos.phoneId))
      .limit(portion);
    await dropPhotos(
      db,
      studio,
      loose.map(({ id }) => id),
    );
    if (loose.length < portion) break;
  }
  await deleteStrays(db, studio, now);
}

async function takeOffRemovedListings(db: Db, now: Date): Promise<void> {
  // Some minutes more than undoing has: an undo may be under way.
  const mayComeBack = db
    .select({ one: sql`1` })
    .from(removals)
    .where(
      and(
        eq(removals.id, phones.removalId),
        gt(removals.createdAt, new Date(now.getTime() - (undoMinutes + 5) * 60_000)),
      ),
    );
  for (let round = 0; round < rounds; round += 1) {
    const gone = await db
      .select({ id: phones.id })
      .from(phones)
      .where(and(isNotNull(phones.removalId), isNotNull(phones.cover), notExists(mayComeBack)))
      .limit(portion);
    const ids = gone.map(({ id }) => id);
    if (ids.length > 0) {
      await db.batch([
        db.update(photos).set({ phoneId: null }).where(inArray(photos.phoneId, ids)),
        db.update(phones).set({ cover: null }).where(inArray(phones.id, ids)),
      ]);
    }
    if (ids.length < portion) break;
  }
}

/**
 * Looks at a stretch of the bucket for objects whose photo has no row. Keys are random, so a stretch that begins
 * anywhere is as good as any other, and no mark has to be kept of how far the last sweep came.
 */
async function deleteStrays(db: Db, { bucket }: Pick<PhotoStudio, "bucket">, now: Date): Promise<void> {
  const before = now.getTime() - strayAfterMinutes * 60_000;
  const tail = await bucket.list({ startAfter: randomToken(), limit: objectsLookedAt });
  const left = objectsLookedAt - tail.objects.length;
  const head = left > 0 ? (await bucket.list({ limit: left })).objects : [];
  const old = [...tail.objects, ...head].filter(({ uploaded }) => uploaded.getTime() < before);
  const ids = [...new Set(old.map(({ key }) => photoOf(key)))];
  for (let start = 0; start < ids.length; start += portion) {
    const asked = ids.slice(start, start + portion);
    const rows = await db.select({ id: photos.id }).from(photos).where(inArray(photos.id, asked));
    const known = new Set(rows.map(({ id }) => id));
    const strays = new Set(asked.filter((id) => !known.has(id)));
    const names = old.map(({ key }) => key).filter((name) => strays.has(photoOf(name)));
    if (names.length > 0) await bucket.delete(names);
  }
}

/** Whose object it is, by its name. */
function photoOf(objectName: string): string {
  return objectName.split("/")[0] ?? "";
}
