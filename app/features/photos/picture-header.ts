import { readJpegHeader } from "./jpeg-header.ts";
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
