import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { readPictureHeader } from "#app/features/photos/picture-header.ts";
import { withWhiteBackground } from "#app/features/photos/white-background.server.ts";
import {
  app1,
  chunk,
  exifOrientation,
  exifOutside,
  inserted,
  picture,
  segmentOffsets,
  withOrientation,
} from "../harness/images.ts";

const read = (file: Buffer) => readPictureHeader(new Uint8Array(file));
/** What is decoded of a file. */
const cleaned = (file: Buffer) => Buffer.concat(read(file)?.picture ?? []);
/** A decoder that refuses whatever is not quite right, as that of local servers. */
const decode = async (file: Buffer) => (await sharp(file).raw().toBuffer({ resolveWithObject: true })).info;

const secret = "52.52 N 13.40 E";
const jpeg = await picture("jpeg", { width: 60, height: 40 });
const png = await picture("png", { width: 60, height: 40 });
const webp = await picture("webp", { width: 60, height: 40 });
const firstTable = segmentOffsets(jpeg)[0] ?? 0;
const textChunk = chunk("tEXt", Buffer.from(`place\0${secret}`));
const wrongSum = Buffer.from(textChunk).fill(0, textChunk.length - 4);
const exif = app1(`Exif\0\0${secret}`);

const files: Record<string, Buffer> = {
  "JPEG with an EXIF directory outside of the file": inserted(jpeg, 2, exifOutside),
  "JPEG with EXIF that is no EXIF": inserted(jpeg, 2, exif),
  "JPEG with several application segments": inserted(
    jpeg,
    2,
    Buffer.concat([exif, app1(`http://ns.adobe.com/xap/1.0/\0${secret}`), app1(secret)]),
  ),
  "JPEG with a comment": inserted(jpeg, 2, Buffer.from(`\xff\xfe\x00\x11${secret}`, "latin1")),
  "JPEG with segments of no length": inserted(jpeg, 2, Buffer.from("ffe10000ffe10001", "hex")),
  "JPEG with fill bytes": inserted(jpeg, firstTable, Buffer.from("ffffff", "hex")),
  "JPEG with a stuffed zero, RST and TEM between segments": inserted(
    jpeg,
    firstTable,
    Buffer.from("ff00ffd0ff01", "hex"),
  ),
  "JPEG with bytes behind its end": Buffer.concat([jpeg, Buffer.alloc(9)]),
  "JPEG without its end": jpeg.subarray(0, -2),
  "progressive JPEG": await sharp(jpeg).jpeg({ progressive: true }).toBuffer(),
  "CMYK JPEG": await sharp(jpeg).toColourspace("cmyk").jpeg().toBuffer(),
  "gray JPEG": await sharp(jpeg).greyscale().jpeg().toBuffer(),
  "PNG with text": inserted(png, 33, textChunk),
  "PNG with text of a wrong checksum": inserted(png, 33, wrongSum),
  "PNG with a chunk that nobody knows": inserted(png, 33, chunk("quIz", Buffer.from(secret))),
  "PNG with metadata behind its data": inserted(png, -12, chunk("eXIf", Buffer.from(secret))),
  "PNG with bytes behind its end": Buffer.concat([png, Buffer.from(secret)]),
  "PNG without its end": png.subarray(0, -12),
  "interlaced PNG": await sharp(png).png({ progressive: true }).toBuffer(),
  "PNG with a palette": await sharp(png).png({ palette: true }).toBuffer(),
  "PNG with 16 bits": await sharp(png).toColourspace("rgb16").png().toBuffer(),
  "animated PNG": inserted(
    inserted(png, -12, chunk("fdAT", Buffer.from(secret))),
    33,
    chunk("acTL", Buffer.from("0000000200000000", "hex")),
  ),
  "WebP with EXIF": await sharp(webp)
    .withExif({ IFD0: { ImageDescription: secret } })
    .webp()
    .toBuffer(),
  "WebP with a color profile": await sharp(webp).withIccProfile("p3").webp().toBuffer(),
  "WebP without losses": await sharp(webp).webp({ lossless: true }).toBuffer(),
  "WebP with bytes behind its end": Buffer.concat([webp, Buffer.from(secret)]),
  "WebP that names too large a length": Buffer.from(webp).fill(webp.readUInt8(4) + 90, 4, 5),
};
for (const offset of segmentOffsets(jpeg).slice(1)) {
  files[`JPEG with zero bytes before the segment at ${offset}`] = inserted(jpeg, offset, Buffer.alloc(2));
}

describe("what browsers draw is read, and decoded without its metadata", () => {
  test.each(Object.entries(files))("%s", async (_, file) => {
    expect(read(file)).toMatchObject({ width: 60, height: 40, orientation: 1, isTransparent: false });
    expect(await decode(cleaned(file))).toMatchObject({ width: 60, height: 40 });
    expect(cleaned(file).includes(secret)).toBe(false);
  });
});

test("a color profile is kept", async () => {
  for (const format of ["jpeg", "png", "webp"] as const) {
    const file = await sharp(jpeg).withIccProfile("p3").toFormat(format).toBuffer();
    expect((await sharp(cleaned(file)).metadata()).icc).toBeInstanceOf(Buffer);
  }
});

test("a JPEG and a PNG name their orientation, which the first EXIF decides", () => {
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    for (const file of [withOrientation(jpeg, orientation), withOrientation(png, orientation)]) {
      expect(read(file)?.orientation).toBe(orientation);
      expect(cleaned(file).length).toBeLessThan(file.length);
    }
  }
  for (const none of [0, 9]) expect(read(withOrientation(jpeg, none))?.orientation).toBe(1);
  expect(read(withOrientation(withOrientation(jpeg, 3), 6))?.orientation).toBe(6);
  const littleEndian = Buffer.from("49492a0008000000010012010300010000000800000000000000", "hex");
  expect(read(inserted(jpeg, 2, app1(`Exif\0\0${littleEndian.toString("latin1")}`)))?.orientation).toBe(8);
  // What follows the segment is no part of its EXIF.
  const short = exifOrientation(6).subarray(0, 8).toString("latin1");
  expect(read(inserted(jpeg, 2, app1(`Exif\0\0${short}`)))?.orientation).toBe(1);
});

test("what is none of the three, or ends within its header, is not read", () => {
  const cut = [jpeg.subarray(0, 40), png.subarray(0, 20), webp.subarray(0, 16)];
  const others = [
    Buffer.alloc(0),
    Buffer.from("<!doctype html>"),
    Buffer.from("RIFF    WAVEfmt "),
    jpeg.subarray(1),
  ];
  for (const file of [...cut, ...others]) expect(read(file)).toBe(null);
});

test("transparent pictures are told, and get a white background", async () => {
  const transparent = sharp({
    create: { width: 9, height: 7, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } },
  });
  const formats = {
    png: await transparent.clone().png().toBuffer(),
    palette: await transparent.clone().png({ palette: true }).toBuffer(),
    webp: await transparent.clone().webp().toBuffer(),
    lossless: await transparent.clone().webp({ lossless: true }).toBuffer(),
  };
  for (const file of Object.values(formats)) expect(read(file)?.isTransparent).toBe(true);
  const { data, info } = await sharp(await withWhiteBackground(new Uint8Array(formats.png)))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, info.channels]).toEqual([9, 7, 3]);
  expect(new Set(data)).toEqual(new Set([255, 127]));
});

test("a white background keeps each pixel, whatever the filters of the PNG's lines", async () => {
  const [width, height] = [5, 6];
  for (const [colorType, channels] of [
    [4, 2],
    [6, 4],
  ] as const) {
    const pixels = Buffer.from(
      Array.from({ length: width * height * channels }, (_, index) => (index * 89 + index ** 2) % 256),
    );
    const header = Buffer.from([0, 0, 0, width, 0, 0, 0, height, 8, colorType, 0, 0, 0]);
    const lines = Array.from({ length: height }, (_, y) => filtered(pixels, y, width * channels, channels));
    const file = Buffer.concat([
      png.subarray(0, 8),
      chunk("IHDR", header),
      chunk("IDAT", deflateSync(Buffer.concat(lines))),
      chunk("IEND", Buffer.alloc(0)),
    ]);
    const expected = await sharp(file).flatten({ background: "white" }).raw().toBuffer();
    const white = await sharp(await withWhiteBackground(new Uint8Array(file)))
      .raw()
      .toBuffer();
    expect(white.length).toBe(expected.length);
    for (const [index, byte] of white.entries()) {
      expect(Math.abs(byte - (expected[index] ?? 0))).toBeLessThan(2);
    }
  }
});

/** A line of a PNG with the filter of its number. */
function filtered(pixels: Buffer, y: number, length: number, channels: number): Buffer {
  const at = (x: number, line: number) => (x < 0 || line < 0 ? 0 : (pixels[line * length + x] ?? 0));
  const bytes = Array.from({ length }, (_, x) => {
    const [left, above, aboveLeft] = [at(x - channels, y), at(x, y - 1), at(x - channels, y - 1)];
    const distances = [left, above, aboveLeft].map((one) => Math.abs(left + above - aboveLeft - one));
    const paeth = [left, above, aboveLeft][distances.indexOf(Math.min(...distances))] ?? 0;
    const expected = [0, left, above, Math.floor((left + above) / 2), paeth][y % 5] ?? 0;
    return (at(x, y) - expected + 256) % 256;
  });
  return Buffer.from([y % 5, ...bytes]);
}
