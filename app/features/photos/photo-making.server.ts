import { fittingWidth, type PhotoSize, type PictureHeader, photoSizes, photoType } from "./photo.rules.ts";
import { readPictureHeader } from "./picture-header.ts";

/** A photo as it is kept: in each size, without anything but the picture. */
export interface MadePhoto {
  sizes: Record<PhotoSize, Uint8Array<ArrayBuffer>>;
  /** Of the largest size. */
  width: number;
  height: number;
}

/**
 * Makes a photo's sizes of a picture whose header has been looked at. The picture is unpacked by the Images service,
 * outside of the Worker and its memory; what it answers is drawn anew, so that nothing else of the file is left.
 *
 * @returns null when the picture cannot be unpacked
 */
export async function makePhoto(images: ImagesBinding, header: PictureHeader): Promise<MadePhoto | null> {
  const gallery = await largestOf(images, header);
  if (!gallery) return null;
  const drawn = readPictureHeader(gallery);
  if (!drawn) return null;
  const { width, height } = drawn;
  const smaller = (size: PhotoSize) =>
    drawnAnew(streamOf([gallery]), images, photoType(size), (picture) =>
      picture.transform({ width: fittingWidth(drawn, photoSizes[size]), fit: "scale-down" }),
    );
  const sizes = {
    gallery,
    card: await smaller("card"),
    thumbnail: await smaller("thumbnail"),
    shared: await smaller("shared"),
  };
  return { sizes, width, height };
}

async function largestOf(images: ImagesBinding, header: PictureHeader) {
  const { rotate, mirrored, sideways } = turns[header.orientation] ?? {};
  const { width, height } = header;
  const upright = sideways ? { width: height, height: width } : { width, height };
  try {
    return await drawnAnew(streamOf(header.picture), images, photoType("gallery"), (picture) => {
      const turned = rotate ? picture.transform({ rotate }) : picture;
      const unmirrored = mirrored ? turned.transform({ flip: "h" }) : turned;
      return unmirrored.transform({ width: fittingWidth(upright, photoSizes.gallery), fit: "scale-down" });
    });
  } catch {
    // The service says no more to be told: it is damaged, or only looks like a picture.
    return null;
  }
}

/** What makes a picture upright, by the numbers of EXIF: first turned by degrees, then mirrored. */
const turns: Record<number, { rotate?: 90 | 180 | 270; mirrored?: true; sideways?: true }> = {
  2: { mirrored: true },
  3: { rotate: 180 },
  4: { rotate: 180, mirrored: true },
  5: { rotate: 90, mirrored: true, sideways: true },
  6: { rotate: 90, sideways: true },
  7: { rotate: 270, mirrored: true, sideways: true },
  8: { rotate: 270, sideways: true },
};

async function drawnAnew(
  stream: ReadableStream<Uint8Array>,
  images: ImagesBinding,
  format: ReturnType<typeof photoType>,
  change: (picture: ImageTransformer) => ImageTransformer,
): Promise<Uint8Array<ArrayBuffer>> {
  const made = await change(images.input(stream)).output({ format, quality: 80, anim: false });
  return new Uint8Array(await made.response().arrayBuffer());
}

function streamOf(parts: Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array> {
  return new Blob(parts).stream();
}
