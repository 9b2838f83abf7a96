import { and, asc, eq, exists, isNull, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { orders, phones, photos } from "#app/db/schema.ts";
import { randomToken, sha256Hex } from "#app/server/config/crypto.server.ts";
import { may } from "../accounts/permissions.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { hasTooManyPixels, maxPhotoBytes, type PhotoRefusal } from "./photo.rules.ts";
import { encodePhoto } from "./photo-encoding.server.ts";
import { deletePhotos, type PhotoStorage, putPhoto } from "./photo-objects.server.ts";
import { checkNewPhoto, insertPhoto } from "./photo-rows.server.ts";
import { readPictureHeader } from "./picture-header.ts";

/** Selects the photos of a listing in order; width and height of the largest size in pixels. */
export function selectPhotos(db: Db, phoneId: string) {
  return db
    .select({ id: photos.id, width: photos.width, height: photos.height })
    .from(photos)
    .where(eq(photos.phoneId, phoneId))
    .orderBy(asc(photos.position), asc(photos.id));
}

/** A listing with its photos, for its seller; null for others. */
export async function findOwnPhotos(db: Db, viewer: Viewer, phoneId: string) {
  const [[phone], listed] = await db.batch([
    db
      .select({
        id: phones.id,
        brandName: phones.brandName,
        model: phones.model,
        image: phones.image,
        deviceType: phones.deviceType,
        status: phones.status,
      })
      .from(phones)
      .where(and(eq(phones.id, phoneId), isNull(phones.removalId), eq(phones.sellerId, viewer.id))),
    selectPhotos(db, phoneId),
  ]);
  return phone ? { phone, photos: listed, editable: phone.status !== "sold" } : null;
}

/** Whether anybody may see a photo: its listing is neither removed nor hidden. */
export async function isPublicPhoto(db: Db, photoId: string): Promise<boolean> {
  const [phone] = await db
    .select({ removalId: phones.removalId })
    .from(photos)
    .innerJoin(phones, eq(phones.id, photos.phoneId))
    .where(eq(photos.id, photoId));
  return phone?.removalId === null;
}

/** Whether a user may see a photo whose listing is removed or hidden: its seller, its buyers and moderators may. */
export async function maySeeHiddenPhoto(db: Db, viewer: Viewer, photoId: string): Promise<boolean> {
  const ordered = db
    .select({ one: sql`1` })
    .from(orders)
    .where(and(eq(orders.phoneId, phones.id), eq(orders.buyerId, viewer.id)));
  const [photo] = await db
    .select({ id: photos.id })
    .from(photos)
    .innerJoin(phones, eq(phones.id, photos.phoneId))
    .where(
      and(
        eq(photos.id, photoId),
        may(viewer, "moderate") ? undefined : or(eq(phones.sellerId, viewer.id), exists(ordered)),
      ),
    );
  return photo !== undefined;
}

/** Adds a photo to a listing that the viewer may change; `existing` if the listing already has this file. */
export async function addPhoto(
  db: Db,
  storage: PhotoStorage,
  viewer: Viewer,
  phoneId: string,
  file: Uint8Array<ArrayBuffer>,
): Promise<{ added: string; existing?: true } | { refusal: PhotoRefusal }> {
  if (file.byteLength > maxPhotoBytes) return { refusal: "too large" };
  const header = readPictureHeader(file);
  if (!header) return { refusal: "not a photo" };
  if (hasTooManyPixels(header)) return { refusal: "too many pixels" };
  const digest = await sha256Hex(file);
  // A check before the expensive work; `insertPhoto` decides.
  const check = await checkNewPhoto(db, viewer, phoneId, digest);
  if (check !== "allowed") return check;

  const photo = await encodePhoto(storage.images, header);
  if (!photo) return { refusal: "unreadable" };
  const id = randomToken();
  await putPhoto(storage, id, photo);
  const { width, height } = photo;
  const added = await insertPhoto(db, viewer, phoneId, { id, width, height, digest });
  if (added) return { added: id };
  await deletePhotos(db, storage, [id]);
  const recheck = await checkNewPhoto(db, viewer, phoneId, digest);
  return recheck === "allowed" ? { refusal: "not editable" } : recheck;
}
