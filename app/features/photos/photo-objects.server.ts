import { and, inArray, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { photos } from "#app/db/schema.ts";
import { objectName, type PhotoSize, photoSizes, photoType } from "./photo.rules.ts";
import type { MadePhoto } from "./photo-making.server.ts";

/** Where photos are made and kept. */
export interface PhotoStudio {
  images: ImagesBinding;
  bucket: R2Bucket;
}

const sizes = Object.keys(photoSizes) as PhotoSize[];

/** Whether an address names a size that photos are kept in. */
export function isPhotoSize(text: string | undefined): text is PhotoSize {
  return sizes.includes(text as PhotoSize);
}

/** Stores a photo's objects. They come before its row: one without the other is then an object the sweep finds. */
export async function putPhoto({ bucket }: PhotoStudio, id: string, made: MadePhoto): Promise<void> {
  await Promise.all(
    sizes.map((size) =>
      bucket.put(objectName(id, size), made.sizes[size], { httpMetadata: { contentType: photoType(size) } }),
    ),
  );
}

/** One size of a photo, or what tells that the asker has it; null when there is none. */
export function getPhoto(bucket: R2Bucket, id: string, size: PhotoSize): Promise<R2ObjectBody | null> {
  return bucket.get(objectName(id, size));
}

/**
 * Deletes the objects of photos that have been taken off their listings, and then what is left of them in the
 * database. May be done again.
 *
 * @param ids no more than 90, which a statement can name
 */
export async function dropPhotos(
  db: Db,
  { bucket }: Pick<PhotoStudio, "bucket">,
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return;
  await bucket.delete(ids.flatMap((id) => sizes.map((size) => objectName(id, size))));
  await db.delete(photos).where(and(inArray(photos.id, ids), isNull(photos.phoneId)));
}
