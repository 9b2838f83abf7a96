import { and, inArray, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { photos } from "#app/db/schema.ts";
import {
  objectName,
  type PhotoSize,
  type PictureHeader,
  photoSizes,
  photoType,
  scaledWidth,
} from "./photo.rules.ts";
import { readPictureHeader } from "./picture-header.ts";

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

/** Condition on `photos`: removed from its listing or problem. */
export const isDetached = and(isNull(photos.phoneId), isNull(photos.problemId));

/** Deletes objects and rows of up to 90 photos that are detached. Safe to repeat. */
export async function deletePhotos(
  db: Db,
  { bucket }: Pick<PhotoStorage, "bucket">,
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return;
  await bucket.delete(ids.flatMap((id) => sizes.map((size) => objectName(id, size))));
  await db.delete(photos).where(and(inArray(photos.id, ids), isDetached));
}

export interface EncodedPhoto {
  sizes: Record<PhotoSize, Uint8Array<ArrayBuffer>>;
  /** Of the largest size. */
  width: number;
  height: number;
}

/**
 * Encodes a picture in all sizes, without metadata; null if it cannot be decoded. The Images service decodes it outside
 * the Worker's memory.
 */
export async function encodePhoto(
  images: ImagesBinding,
  header: PictureHeader,
): Promise<EncodedPhoto | null> {
  const gallery = await encodeLargest(images, header);
  if (!gallery) return null;
  const encoded = readPictureHeader(gallery);
  if (!encoded) return null;
  const { width, height } = encoded;
  const smaller = (size: PhotoSize) =>
    reencode(streamOf([gallery]), images, photoType(size), (picture) =>
      picture.transform({ width: scaledWidth(encoded, photoSizes[size]), fit: "scale-down" }),
    );
  const sizes = {
    gallery,
    card: await smaller("card"),
    thumbnail: await smaller("thumbnail"),
    shared: await smaller("shared"),
  };
  return { sizes, width, height };
}

async function encodeLargest(images: ImagesBinding, header: PictureHeader) {
  const { rotate, mirrored, sideways } = orientations[header.orientation] ?? {};
  const { width, height } = header;
  const upright = sideways ? { width: height, height: width } : { width, height };
  try {
    return await reencode(streamOf(header.picture), images, photoType("gallery"), (picture) => {
      const rotated = rotate ? picture.transform({ rotate }) : picture;
      const unmirrored = mirrored ? rotated.transform({ flip: "h" }) : rotated;
      return unmirrored.transform({ width: scaledWidth(upright, photoSizes.gallery), fit: "scale-down" });
    });
  } catch {
    // The service reports no reason.
    return null;
  }
}

/** How to make a picture upright, by EXIF orientation: rotate by degrees, then mirror. */
const orientations: Record<number, { rotate?: 90 | 180 | 270; mirrored?: true; sideways?: true }> = {
  2: { mirrored: true },
  3: { rotate: 180 },
  4: { rotate: 180, mirrored: true },
  5: { rotate: 90, mirrored: true, sideways: true },
  6: { rotate: 90, sideways: true },
  7: { rotate: 270, mirrored: true, sideways: true },
  8: { rotate: 270, sideways: true },
};

async function reencode(
  stream: ReadableStream<Uint8Array>,
  images: ImagesBinding,
  format: ReturnType<typeof photoType>,
  change: (picture: ImageTransformer) => ImageTransformer,
): Promise<Uint8Array<ArrayBuffer>> {
  const result = await change(images.input(stream)).output({ format, quality: 80, anim: false });
  return new Uint8Array(await result.response().arrayBuffer());
}

function streamOf(parts: Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array> {
  return new Blob(parts).stream();
}
