import type { PictureHeader } from "./photo.rules.ts";

/**
 * Reads the size of a JPEG, PNG or WebP without decoding it, and removes its metadata. As tolerant as browsers: what is
 * wrong in data that the picture does not need is passed over.
 *
 * @returns null if it is none of these
 */
export function readPictureHeader(bytes: Uint8Array<ArrayBuffer>): PictureHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const header = readJpeg(bytes, view) ?? readPng(bytes, view) ?? readWebp(bytes, view);
    return header && header.width > 0 && header.height > 0 ? header : null;
  } catch (error) {
    // The file ends within its header.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Decoders take a JPEG without it for a part of one. Behind the end of any picture it is passed over. */
export const endOfJpeg = new Uint8Array([0xff, 0xd9]);

/** @see https://www.w3.org/Graphics/JPEG/itu-t81.pdf annex B */
function readJpeg(bytes: Uint8Array<ArrayBuffer>, view: DataView): PictureHeader | null {
  if (view.getUint16(0) !== 0xffd8) return null;
  const picture = [bytes.subarray(0, 2)];
  let [width, height] = [0, 0];
  let orientation: number | undefined;
  let offset = 2;
  while (true) {
    // Stray bytes between segments.
    while (view.getUint8(offset) !== 0xff || hasNoSegment(view.getUint8(offset + 1))) offset += 1;
    const marker = view.getUint8(offset + 1);
    // Start of scan: the image data goes on to the end of the file.
    if (marker === 0xda) {
      picture.push(bytes.subarray(offset), endOfJpeg);
      return { width, height, orientation: orientation ?? 1, isTransparent: false, picture };
    }
    const end = offset + 2 + Math.max(2, view.getUint16(offset + 2));
    const segment = bytes.subarray(offset, end);
    const says = (text: string) => textAt(segment, 4, text.length) === text;
    if (isFrame(marker)) [height, width] = [view.getUint16(offset + 5), view.getUint16(offset + 7)];
    if (marker === 0xe1 && says("Exif\0")) orientation ??= orientationIn(segment.subarray(10));
    // Of application data and comments, what the colors depend on: JFIF, Adobe and the color profile.
    const isNeeded =
      marker < 0xe0 || [0xe0, 0xee].includes(marker) || (marker === 0xe2 && says("ICC_PROFILE"));
    if (isNeeded) picture.push(segment);
    offset = end;
  }
}

/** Fill bytes, a stuffed zero, and markers without content: TEM, RST0 to RST7 and SOI. */
function hasNoSegment(marker: number): boolean {
  return marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8) || marker === 0xff;
}

/** SOF0 to SOF15. DHT, JPG and DAC are numbered among them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** The chunks of a PNG that its look depends on; others, also of animations, are left out. */
const neededChunks = ["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "sBIT"];

/** @see https://www.w3.org/TR/png-3/#5DataRep */
function readPng(bytes: Uint8Array<ArrayBuffer>, view: DataView): PictureHeader | null {
  if (textAt(bytes, 0, 8) !== "\x89PNG\r\n\x1a\n" || textAt(bytes, 12, 4) !== "IHDR") return null;
  const picture = [bytes.subarray(0, 8)];
  let orientation: number | undefined;
  let isTransparent = view.getUint8(25) >= 4;
  for (let offset = 8, end = 0; offset + 8 <= bytes.length; offset = end) {
    end = offset + 12 + view.getUint32(offset);
    const type = textAt(bytes, offset + 4, 4);
    if (type === "eXIf") orientation ??= orientationIn(bytes.subarray(offset + 8, end - 4));
    if (type === "tRNS") isTransparent = true;
    if (neededChunks.includes(type)) picture.push(bytes.subarray(offset, end));
    if (type === "IEND") break;
  }
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  return { width, height, orientation: orientation ?? 1, isTransparent, picture };
}

/**
 * Browsers show a WebP as it is stored, whatever orientation it names.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9649#section-2
 */
function readWebp(bytes: Uint8Array<ArrayBuffer>, view: DataView): PictureHeader | null {
  if (textAt(bytes, 0, 4) !== "RIFF" || textAt(bytes, 8, 4) !== "WEBP") return null;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const length = Math.min(bytes.length, 8 + view.getUint32(4, true));
  for (let offset = 12, end = 0; offset + 8 <= length; offset = end) {
    // Chunks have an even length.
    end = offset + 8 + 2 * Math.ceil(view.getUint32(offset + 4, true) / 2);
    if (!["EXIF", "XMP "].includes(textAt(bytes, offset, 4))) chunks.push(bytes.subarray(offset, end));
  }
  const start = bytes.slice(0, 12);
  const contentLength = chunks.reduce((sum, chunk) => sum + chunk.length, 4);
  new DataView(start.buffer).setUint32(4, contentLength, true);
  const size = webpSize(bytes, view);
  return size && { ...size, orientation: 1, picture: [start, ...chunks] };
}

/** The size and the alpha flag, which stand in its first chunk. */
function webpSize(bytes: Uint8Array, view: DataView) {
  const at = (offset: number) => view.getUint16(offset, true);
  const threeBytes = (offset: number) => at(offset) + view.getUint8(offset + 2) * 0x1_0000;
  const packed = view.getUint32(21, true);
  switch (textAt(bytes, 12, 4)) {
    case "VP8 ":
      return { width: at(26) & 0x3fff, height: at(28) & 0x3fff, isTransparent: false };
    case "VP8L":
      return {
        width: (packed & 0x3fff) + 1,
        height: ((packed >> 14) & 0x3fff) + 1,
        isTransparent: (packed & 0x1000_0000) !== 0,
      };
    case "VP8X": {
      const isTransparent = (view.getUint8(20) & 0x10) !== 0;
      return { width: threeBytes(24) + 1, height: threeBytes(27) + 1, isTransparent };
    }
    default:
      return null;
  }
}

/**
 * Reads the orientation, 1 to 8, from EXIF.
 *
 * @see https://www.cipa.jp/std/documents/e/DC-X008-Translation-2019-E.pdf section 4.6
 */
function orientationIn(exif: Uint8Array<ArrayBuffer>): number | undefined {
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength);
  try {
    const littleEndian = view.getUint16(0) === 0x4949;
    const directory = view.getUint32(4, littleEndian);
    for (
      let left = view.getUint16(directory, littleEndian), entry = directory + 2;
      left > 0;
      left -= 1, entry += 12
    ) {
      if (view.getUint16(entry, littleEndian) !== 0x0112) continue;
      const value = view.getUint16(entry + 8, littleEndian);
      return value >= 1 && value <= 8 ? value : undefined;
    }
  } catch (error) {
    // It names a place outside.
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

function textAt(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length));
}
