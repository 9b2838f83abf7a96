import { and, inArray, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { photos } from "#app/db/schema.ts";
import type { EncodedPhoto } from "./encode-photo.server.ts";
import { objectName, type PhotoSize, photoSizes, photoType } from "./photo.rules.ts";

/** The bindings that encode and store photos. */
export interface PhotoStorage {
  images: ImagesBinding;
  bucket: R2Bucket;
}

/** Ids are shorter, see `randomToken`. */
const maxIdLength = 100;

const sizes = Object.keys(photoSizes) as PhotoSize[];

export function isPhotoSize(text: string | undefined): text is PhotoSize {
  return sizes.includes(text as PhotoSize);
}

/** Stores the objects of a photo. Call it before inserting the row: the cleanup deletes objects without a row. */
export async function putPhoto({ bucket }: PhotoStorage, id: string, photo: EncodedPhoto): Promise<void> {
  await Promise.all(
    sizes.map((size) =>
      bucket.put(objectName(id, size), photo.sizes[size], { httpMetadata: { contentType: photoType(size) } }),
    ),
  );
}

export async function getPhoto(bucket: R2Bucket, id: string, size: PhotoSize): Promise<R2ObjectBody | null> {
  // R2 refuses object names of more than 1,024 bytes.
  if (id.length > maxIdLength) return null;
  return bucket.get(objectName(id, size));
}

/** Condition on `photos`: removed from its listing, draft or problem. */
export const isDetachedPhoto = and(isNull(photos.phoneId), isNull(photos.problemId), isNull(photos.draftId));

/** Deletes objects and rows of up to 90 photos that are detached. Safe to repeat. */
export async function deletePhotos(
  db: Db,
  { bucket }: Pick<PhotoStorage, "bucket">,
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return;
  await bucket.delete(ids.flatMap((id) => sizes.map((size) => objectName(id, size))));
  await db.delete(photos).where(and(inArray(photos.id, ids), isDetachedPhoto));
}
