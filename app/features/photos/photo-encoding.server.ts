import { type PhotoSize, type PictureHeader, photoSizes, photoType, scaledWidth } from "./photo.rules.ts";
import { readPictureHeader } from "./picture-header.ts";

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
