import { and, asc, eq, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, photos } from "#app/db/schema.ts";
import { randomToken, sha256Hex } from "#app/server/config/crypto.server.ts";
import { ownUnlessAdmin } from "../accounts/account-access.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { hasTooManyPixels, mostPhotoBytes, type PhotoRefusal } from "./photo.rules.ts";
import { makePhoto } from "./photo-making.server.ts";
import { dropPhotos, type PhotoStudio, putPhoto } from "./photo-objects.server.ts";
import { insertPhoto, placeFor } from "./photo-rows.server.ts";
import { readPictureHeader } from "./picture-header.ts";

/** The photos of a listing in their order; width and height are of the largest size, in pixels. */
export function photosOf(db: Db, phoneId: string) {
  return db
    .select({ id: photos.id, width: photos.width, height: photos.height })
    .from(photos)
    .where(eq(photos.phoneId, phoneId))
    .orderBy(asc(photos.position), asc(photos.id));
}

/** A listing's photos for who may change them, and whether they still may; null for anybody else. */
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
      .where(and(eq(phones.id, phoneId), isNull(phones.removalId), ownUnlessAdmin(viewer))),
    photosOf(db, phoneId),
  ]);
  return phone ? { phone, photos: listed, open: phone.status !== "sold" } : null;
}

/**
 * Adds a photo, as the last one, to a listing of the viewer's or for an administrator anybody's. The same file sent
 * again is the photo that is there. Of what is refused nothing is stored.
 *
 * @param file as it was sent
 */
export async function addPhoto(
  db: Db,
  studio: PhotoStudio,
  viewer: Viewer,
  phoneId: string,
  file: Uint8Array<ArrayBuffer>,
): Promise<{ added: string } | { refused: PhotoRefusal }> {
  if (file.byteLength > mostPhotoBytes) return { refused: "too large" };
  const header = readPictureHeader(file);
  if (!header) return { refused: "not a photo" };
  if (hasTooManyPixels(header)) return { refused: "too many pixels" };
  const digest = await sha256Hex(file);
  // Before the work, and for the answer; the insertion has the last word.
  const known = await placeFor(db, viewer, phoneId, digest);
  if (known !== "free") return known;

  const made = await makePhoto(studio.images, header);
  if (!made) return { refused: "unreadable" };
  const id = randomToken();
  await putPhoto(studio, id, made);
  const { width, height } = made;
  const added = await insertPhoto(db, viewer, phoneId, { id, width, height, digest });
  if (added) return { added: id };
  await dropPhotos(db, studio, [id]);
  const beaten = await placeFor(db, viewer, phoneId, digest);
  return beaten === "free" ? { refused: "closed" } : beaten;
}
