import type { PictureHeader } from "./photo.rules.ts";

/** Reads format and size of a JPEG, PNG or WebP from its content, without decoding it. */
export function readPictureHeader(bytes: Uint8Array<ArrayBuffer>): PictureHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const header = readJpegHeader(bytes, view) ?? readPng(bytes, view) ?? readWebp(bytes, view);
    return header && header.width > 0 && header.height > 0 ? header : null;
  } catch (error) {
    // The file ends within its header.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** @see https://www.w3.org/TR/png-3/#11IHDR */
function readPng(bytes: Uint8Array<ArrayBuffer>, view: DataView): PictureHeader | null {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return null;
  if (fourCharactersAt(view, 12) !== "IHDR") return null;
  return headerOf("PNG", bytes, view.getUint32(16), view.getUint32(20));
}

/** @see https://www.rfc-editor.org/rfc/rfc9649#section-2 */
function readWebp(bytes: Uint8Array<ArrayBuffer>, view: DataView): PictureHeader | null {
  if (fourCharactersAt(view, 0) !== "RIFF" || fourCharactersAt(view, 8) !== "WEBP") return null;
  const at = (offset: number) => view.getUint16(offset, true);
  switch (fourCharactersAt(view, 12)) {
    case "VP8 ":
      return headerOf("WebP", bytes, at(26) & 0x3fff, at(28) & 0x3fff);
    case "VP8L": {
      const packed = view.getUint32(21, true);
      return headerOf("WebP", bytes, (packed & 0x3fff) + 1, ((packed >> 14) & 0x3fff) + 1);
    }
    case "VP8X": {
      const threeBytes = (offset: number) => at(offset) + view.getUint8(offset + 2) * 0x1_0000;
      return headerOf("WebP", bytes, threeBytes(24) + 1, threeBytes(27) + 1);
    }
    default:
      return null;
  }
}

function headerOf(
  format: PictureHeader["format"],
  bytes: Uint8Array<ArrayBuffer>,
  width: number,
  height: number,
): PictureHeader {
  return { format, width, height, orientation: 1, picture: [bytes] };
}

function fourCharactersAt(view: DataView, offset: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(offset + index)));
}

/**
 * Reads a JPEG's size and orientation, and removes its metadata except for the color profile.
 *
 * @returns null if it is not a JPEG
 * @throws RangeError if it ends too early
 * @see https://www.w3.org/Graphics/JPEG/itu-t81.pdf annex B
 */
function readJpegHeader(bytes: Uint8Array<ArrayBuffer>, view: DataView): PictureHeader | null {
  if (view.getUint16(0) !== 0xffd8) return null;
  const picture = [bytes.subarray(0, 2)];
  let [width, height, orientation] = [0, 0, 1];
  let offset = 2;
  while (view.getUint8(offset) === 0xff) {
    const marker = view.getUint8(offset + 1);
    // Start of scan: the image data goes on to the end of the file.
    if (marker === 0xda) {
      picture.push(bytes.subarray(offset));
      return { format: "JPEG", width, height, orientation, picture };
    }
    // Padding before a marker.
    if (marker === 0xff) {
      offset += 1;
      continue;
    }
    const end = offset + 2 + view.getUint16(offset + 2);
    if (isFrame(marker)) [height, width] = [view.getUint16(offset + 5), view.getUint16(offset + 7)];
    if (marker === 0xe1) orientation = orientationIn(view, offset + 4) ?? orientation;
    if (isNeeded(marker, view, offset + 4)) picture.push(bytes.subarray(offset, end));
    offset = end;
  }
  return null;
}

/** SOF0 to SOF15. DHT, JPG and DAC are numbered among them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function isNeeded(marker: number, view: DataView, content: number): boolean {
  const isComment = marker === 0xfe;
  const isApplicationData = marker >= 0xe0 && marker <= 0xef;
  if (isComment) return false;
  if (!isApplicationData) return true;
  return marker === 0xe0 || marker === 0xee || (marker === 0xe2 && startsWith(view, content, "ICC_PROFILE"));
}

/**
 * Reads the orientation from EXIF, 1 to 8.
 *
 * @see https://www.cipa.jp/std/documents/e/DC-X008-Translation-2019-E.pdf section 4.6
 */
function orientationIn(view: DataView, content: number): number | undefined {
  if (!startsWith(view, content, "Exif\0\0")) return undefined;
  const start = content + 6;
  const littleEndian = view.getUint16(start) === 0x4949;
  const directory = start + view.getUint32(start + 4, littleEndian);
  const entries = Math.min(view.getUint16(directory, littleEndian), 200);
  for (let index = 0; index < entries; index += 1) {
    const entry = directory + 2 + index * 12;
    if (view.getUint16(entry, littleEndian) !== 0x0112) continue;
    const value = view.getUint16(entry + 8, littleEndian);
    return value >= 1 && value <= 8 ? value : undefined;
  }
  return undefined;
}

function startsWith(view: DataView, offset: number, text: string): boolean {
  return [...text].every((letter, index) => view.getUint8(offset + index) === letter.charCodeAt(0));
}
