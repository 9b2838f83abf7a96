import { and, asc, count, eq, isNull, ne, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, photos } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { maxPhotos } from "./photo.rules.ts";

/** Checks whether a file can become a photo of a listing; `existing` if the listing already has it. */
export async function checkNewPhoto(db: Db, viewer: Viewer, phoneId: string, digest: string) {
  const [[phone], listed] = await db.batch([
    db.select({ id: phones.id }).from(phones).where(isChangeable(viewer, phoneId)),
    db.select({ id: photos.id, digest: photos.digest }).from(photos).where(eq(photos.phoneId, phoneId)),
  ]);
  if (!phone) return { refusal: "not editable" } as const;
  const same = listed.find((photo) => photo.digest === digest);
  if (same) return { added: same.id, existing: true } as const;
  return listed.length < maxPhotos ? ("allowed" as const) : ({ refusal: "too many" } as const);
}

/**
 * Inserts a photo as the last one of its listing, after its objects are stored.
 *
 * @param photo size in pixels, and SHA-256 in hex of the uploaded file
 * @returns false if the viewer may not change the listing, or it is full or already has this photo
 */
export async function insertPhoto(
  db: Db,
  viewer: Viewer,
  phoneId: string,
  { id, width, height, digest }: { id: string; width: number; height: number; digest: string },
): Promise<boolean> {
  const ofListing = eq(photos.phoneId, phones.id);
  const others = db.select({ count: count() }).from(photos).where(ofListing);
  const next = db.select({ next: sql`coalesce(max(position), 0) + 1` }).from(photos).where(ofListing);
  const [added] = await db.batch([
    db
      .insert(photos)
      .select(
        db
          .select({
            id: sql`${id}`.as("id"),
            phoneId: sql`${phones.id}`.as("phone_id"),
            position: sql`(${next})`.as("position"),
            width: sql`${width}`.as("width"),
            height: sql`${height}`.as("height"),
            digest: sql`${digest}`.as("digest"),
            createdAt: sql`${Date.now()}`.as("created_at"),
          })
          .from(phones)
          .where(and(isChangeable(viewer, phoneId), sql`(${others}) < ${maxPhotos}`)),
      )
      .onConflictDoNothing({ target: [photos.phoneId, photos.digest] })
      .returning({ id: photos.id }),
    updateCover(db, phoneId),
  ]);
  return added.length > 0;
}

/** Condition on `phones`: the viewer may change the photos of this listing. */
export function isChangeable(viewer: Viewer, phoneId: string) {
  return and(
    eq(phones.id, phoneId),
    isNull(phones.removalId),
    ne(phones.status, "sold"),
    eq(phones.sellerId, viewer.id),
  );
}

/** Sets a listing's cover to its first photo. Must be the last statement of each batch that changes photos. */
export function updateCover(db: Db, phoneId: string) {
  const first = db
    .select({ id: photos.id })
    .from(photos)
    .where(eq(photos.phoneId, phoneId))
    .orderBy(asc(photos.position), asc(photos.id))
    .limit(1);
  return db
    .update(phones)
    .set({ cover: sql`(${first})` })
    .where(and(eq(phones.id, phoneId), sql`${phones.cover} is not (${first})`));
}
