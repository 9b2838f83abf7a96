/**
 * Puts a PNG with an alpha channel, as the Images binding encodes it, on a white background; others stay as they are.
 * The binding has an option for this, which does nothing on local servers.
 *
 * @see https://www.w3.org/TR/png-3/#9Filters
 */
export async function withWhiteBackground(png: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const [depth, colorType, interlaced] = [24, 25, 28].map((offset) => view.getUint8(offset));
  if (depth !== 8 || interlaced || (colorType !== 4 && colorType !== 6)) return png;
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const channels = colorType === 4 ? 2 : 4;
  const lineLength = 1 + width * channels;
  const lines = await throughStream(imageDataOf(png, view), new DecompressionStream("deflate"));
  const opaque = new Uint8Array(height * (1 + width * (channels - 1)));
  let written = 0;
  for (let start = 0; start < lines.length; start += lineLength) {
    removeFilter(lines, start, lineLength, channels);
    // The new line has no filter.
    written += 1;
    for (let pixel = start + 1; pixel < start + lineLength; pixel += channels) {
      const alpha = (lines[pixel + channels - 1] ?? 0) / 255;
      for (let color = pixel; color < pixel + channels - 1; color += 1) {
        opaque[written] = Math.round(255 + ((lines[color] ?? 0) - 255) * alpha);
        written += 1;
      }
    }
  }
  const header = png.slice(16, 29);
  header[9] = colorType - 4;
  const data = await throughStream([opaque], new CompressionStream("deflate"));
  const chunks = [chunkOf("IHDR", header), chunkOf("IDAT", data), chunkOf("IEND", new Uint8Array())];
  return new Uint8Array(await new Blob([png.slice(0, 8), ...chunks]).arrayBuffer());
}

function imageDataOf(png: Uint8Array<ArrayBuffer>, view: DataView): Uint8Array<ArrayBuffer>[] {
  const data: Uint8Array<ArrayBuffer>[] = [];
  for (let offset = 8; offset + 12 <= png.length; offset += 12 + view.getUint32(offset)) {
    const isImageData = view.getUint32(offset + 4) === 0x49444154;
    if (isImageData) data.push(png.subarray(offset + 8, offset + 8 + view.getUint32(offset)));
  }
  return data;
}

/** Replaces the differences in a line, which begins with the kind of its filter, by the bytes themselves. */
function removeFilter(lines: Uint8Array, start: number, lineLength: number, channels: number) {
  const expected = predictors[lines[start] ?? 0];
  if (!expected) return;
  for (let index = 1; index < lineLength; index += 1) {
    const at = start + index;
    const hasLeft = index > channels;
    const left = hasLeft ? (lines[at - channels] ?? 0) : 0;
    // Above the first line these are before the array.
    const above = lines[at - lineLength] ?? 0;
    const aboveLeft = hasLeft ? (lines[at - lineLength - channels] ?? 0) : 0;
    lines[at] = (lines[at] ?? 0) + expected(left, above, aboveLeft);
  }
}

/** By the kind of filter: none, Sub, Up, Average and Paeth. */
const predictors: (((left: number, above: number, aboveLeft: number) => number) | undefined)[] = [
  undefined,
  (left) => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  (left, above, aboveLeft) => {
    const toLeft = Math.abs(above - aboveLeft);
    const toAbove = Math.abs(left - aboveLeft);
    const toAboveLeft = Math.abs(left + above - 2 * aboveLeft);
    if (toLeft <= toAbove && toLeft <= toAboveLeft) return left;
    return toAbove <= toAboveLeft ? above : aboveLeft;
  },
];

async function throughStream(
  parts: Uint8Array<ArrayBuffer>[],
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob(parts).stream().pipeThrough(stream)).arrayBuffer());
}

function chunkOf(type: string, content: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(12 + content.length);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, content.length);
  chunk.set(new TextEncoder().encode(type), 4);
  chunk.set(content, 8);
  view.setUint32(8 + content.length, checksumOf(chunk.subarray(4, -4)));
  return chunk;
}

/** CRC-32, for each byte the remainder of the division. */
const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit += 1) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0xedb8_8320 : 0);
  return remainder;
});

function checksumOf(bytes: Uint8Array): number {
  let sum = 0xffff_ffff;
  for (const byte of bytes) sum = (remainders[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  return ~sum >>> 0;
}
