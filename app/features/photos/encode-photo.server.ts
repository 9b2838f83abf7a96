import { type PhotoSize, type PictureHeader, photoSizes, photoType, scaledWidth } from "./photo.rules.ts";
import { readPictureHeader } from "./picture-header.ts";

export interface EncodedPhoto {
  sizes: Record<PhotoSize, Uint8Array<ArrayBuffer>>;
  /** Of the largest size. */
  width: number;
  height: number;
}

/**
 * Encodes a picture in all sizes, upright, on white and without metadata; null if it cannot be decoded. The Images
 * service decodes it outside the Worker's memory.
 *
 * @throws Error if the service fails
 */
export async function encodePhoto(
  images: ImagesBinding,
  header: PictureHeader,
): Promise<EncodedPhoto | null> {
  const gallery = await encodeLargest(images, header);
  const encoded = gallery && readPictureHeader(gallery);
  if (!encoded) return null;
  const { width, height } = encoded;
  const smaller = (size: PhotoSize) =>
    reencode([gallery], images, photoType(size), (picture) =>
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

async function encodeLargest(
  images: ImagesBinding,
  { orientation, width, height, picture, isTransparent }: PictureHeader,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const { rotate, mirrored, sideways } = orientations[orientation] ?? {};
  const upright = sideways ? { width: height, height: width } : { width, height };
  const makeUpright = (picture: ImageTransformer) => {
    const rotated = rotate ? picture.transform({ rotate }) : picture;
    const unmirrored = mirrored ? rotated.transform({ flip: "h" }) : rotated;
    return unmirrored.transform({ width: scaledWidth(upright, photoSizes.gallery), fit: "scale-down" });
  };
  try {
    if (!isTransparent) return await reencode(picture, images, photoType("gallery"), makeUpright);
    const png = await reencode(picture, images, "image/png", makeUpright);
    if (png.length === 0) return null;
    const { withWhiteBackground } = await import("./white-background.server.ts");
    return await reencode([await withWhiteBackground(png)], images, photoType("gallery"), (same) => same);
  } catch (error) {
    if (isUndecodable(error)) return null;
    throw error;
  }
}

/**
 * Whether the Images service refuses a picture for what it is.
 *
 * @see https://developers.cloudflare.com/images/reference/troubleshooting/
 */
function isUndecodable(error: unknown): boolean {
  return error instanceof Error && "code" in error && [9412, 9413, 9520, 9523].includes(Number(error.code));
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

/** Tries three times, with pauses: the service may be busy, or connections to it that were kept open be gone. */
async function reencode(
  parts: Uint8Array<ArrayBuffer>[],
  images: ImagesBinding,
  format: ImageOutputOptions["format"],
  change: (picture: ImageTransformer) => ImageTransformer,
): Promise<Uint8Array<ArrayBuffer>> {
  const encode = async () => {
    const picture = change(images.input(new Blob(parts).stream()));
    const result = await picture.output({ format, quality: 80, anim: false });
    return new Uint8Array(await result.response().arrayBuffer());
  };
  for (const pauseMs of [100, 400]) {
    const encoded = await encode().catch((error) => {
      if (isUndecodable(error)) throw error;
    });
    // Local servers answer nothing where they fail.
    if (encoded?.length) return encoded;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return encode();
}
