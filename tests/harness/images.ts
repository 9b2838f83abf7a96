import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

export function picture(
  format: "jpeg" | "png" | "webp" | "gif" | "avif" = "jpeg",
  { width = 640, height = 480, background = "#336699" } = {},
): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer();
}

/** A text in the EXIF data of `photoWithLocation`. */
export const exifDescription = "Home of Unmistakable Person";

/** A photo with orientation and GPS in EXIF. Upright, its left half is red, its right half blue. */
export async function photoWithLocation(): Promise<Buffer> {
  const half = (background: string) => ({
    create: { width: 900, height: 1600, channels: 3 as const, background },
  });
  const blue = await sharp(half("#0000ff")).png().toBuffer();
  const upright = await sharp({ ...half("#ff0000"), create: { ...half("#ff0000").create, width: 1800 } })
    .composite([{ input: blue, left: 900, top: 0 }])
    .png()
    .toBuffer();
  return (
    sharp(upright)
      // The EXIF orientation below reverses this rotation.
      .rotate(270)
      .jpeg()
      .withExif({
        IFD0: { ImageDescription: exifDescription, Make: "Camera of exifDescription", Orientation: "6" },
        IFD3: { GPSLatitudeRef: "N", GPSLatitude: "52/1 31/1 12/1", GPSLongitude: "13/1 24/1 18/1" },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer()
  );
}

/** A PNG of a few kilobytes that decodes to gigabytes. */
export function decompressionBomb(width = 20_000, height = 20_000): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]);
}

/** A chunk of a PNG. */
export function chunk(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A file with bytes put in at an offset, which counts from the end if it is negative. */
export function inserted(file: Buffer, offset: number, bytes: Buffer): Buffer {
  return Buffer.concat([file.subarray(0, offset), bytes, file.subarray(offset)]);
}

/** An APP1 segment of a JPEG. */
export function app1(content: string): Buffer {
  const bytes = Buffer.from(`\xff\xe1\0\0${content}`, "latin1");
  bytes.writeUInt16BE(bytes.length - 2, 2);
  return bytes;
}

/** EXIF data whose directory is said to be outside of any file. */
export const exifOutside = Buffer.from("ffe100104578696600004d4d002afffffff0", "hex");

export function exifOrientation(orientation: number): Buffer {
  const exif = Buffer.from("4d4d002a00000008000101120003000000010000000000000000", "hex");
  exif.writeUInt16BE(orientation, 18);
  return exif;
}

/** A JPEG or PNG that names how it is turned. */
export function withOrientation(file: Buffer, orientation: number): Buffer {
  const exif = exifOrientation(orientation);
  return file.subarray(1, 4).toString() === "PNG"
    ? inserted(file, 33, chunk("eXIf", exif))
    : inserted(file, 2, app1(`Exif\0\0${exif.toString("latin1")}`));
}

/** Where the segments of a JPEG begin, up to that of its scan. */
export function segmentOffsets(jpeg: Buffer): number[] {
  const offsets = [2];
  for (let offset = 2; jpeg[offset + 1] !== 0xda; ) {
    offset += 2 + jpeg.readUInt16BE(offset + 2);
    offsets.push(offset);
  }
  return offsets;
}
