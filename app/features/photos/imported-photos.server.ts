import type { Reader, ZipEntry } from "unzipit";
import { readFile } from "#app/server/forms/files.server.ts";
import { isPublicUrl } from "#app/server/forms/public-url.ts";
import { maxPhotoBytes } from "./photo.rules.ts";
import { photoRefusalText } from "./photo-refusals.ts";

/** A file that may be a photo, or why there is none. */
type ImportedFile = { file: Uint8Array<ArrayBuffer> } | { refusal: string };

const tooLarge = { refusal: photoRefusalText("too large") };

/** Of a ZIP, since its directory is held in memory. */
const maxFiles = 2000;
const maxDirectoryBytes = maxFiles * 512;
const tooManyFiles = { refusal: `A ZIP file can have at most ${maxFiles} photos.` };

export interface PhotoZip {
  /** Why there is no photo of a name, as far as the directory says; null if there may be one. */
  refusalOf: (name: string) => string | null;
  /** Reads the file of a name, in any folder, or of a path. */
  read: (name: string) => Promise<ImportedFile>;
}

/** Opens a ZIP in the bucket, of which only the directory and the files asked for are read. */
export async function openPhotoZip(bucket: R2Bucket, key: string): Promise<PhotoZip | { refusal: string }> {
  const object = await bucket.head(key);
  if (!object) return { refusal: "The ZIP file is no longer here. Upload it again." };
  const { unzipRaw } = await import("unzipit");
  const zip = await unzipRaw(readerOf(bucket, object)).catch((error: Error) => error);
  if (zip instanceof RangeError) return tooManyFiles;
  if (zip instanceof Error) return { refusal: "We can’t read this ZIP file. Make it again." };
  const files = zip.entries.filter(({ isDirectory }) => !isDirectory);
  if (files.length > maxFiles) return tooManyFiles;
  const entryOf = (name: string) => entryNamed(files, nameKey(name));
  return {
    refusalOf: (name) => entryRefusal(entryOf(name)),
    read: (name) => readEntry(entryOf(name)),
  };
}

function readerOf(bucket: R2Bucket, { key, size }: R2Object): Reader {
  async function read(offset: number, length: number) {
    if (length === 0) return new Uint8Array();
    const part = await bucket.get(key, { range: { offset, length } });
    if (!part) throw new Error("The ZIP file is gone.");
    return new Uint8Array(await part.arrayBuffer());
  }
  return {
    getLength: async () => size,
    // Headers, and the whole directory.
    read: async (offset, length) => {
      if (length > maxDirectoryBytes) throw new RangeError("The directory of the ZIP file is too large.");
      return read(offset, length);
    },
    // The compressed content of a file.
    readStream: async (offset, length) => {
      const content = await read(offset, length);
      if (await inflatesBeyond(content, maxPhotoBytes)) throw new RangeError("The file is a bomb.");
      return new Blob([content]).stream();
    },
  };
}

/** Inflates to at most 16 MB, the highest ratio being about a thousand. */
const pieceBytes = 16 * 1024;

/**
 * Whether content inflates to more than some bytes; false for what is not deflated. workerd's `DecompressionStream` holds
 * no writer back, so that a bomb would all be inflated before the first read: each piece waits until nothing is left to read.
 */
async function inflatesBeyond(content: Uint8Array<ArrayBuffer>, maxBytes: number): Promise<boolean> {
  const { writable, readable } = new DecompressionStream("deflate-raw");
  const [writer, reader] = [writable.getWriter(), readable.getReader()];
  let seen = 0;
  let hasEnded = false;
  async function readAll() {
    while (seen <= maxBytes) {
      const { done, value } = await reader.read();
      if (done) break;
      seen += value.byteLength;
    }
  }
  const reading = readAll()
    .catch(() => {})
    .finally(() => {
      hasEnded = true;
    });
  for (let at = 0; at < content.length && !hasEnded; at += pieceBytes) {
    writer.write(content.subarray(at, at + pieceBytes)).catch(() => {});
    for (let before = -1; before !== seen && !hasEnded; ) {
      before = seen;
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  if (!hasEnded) writer.close().catch(() => {});
  await reading;
  reader.cancel().catch(() => {});
  return seen > maxBytes;
}

/** The file of this path or, if there is one only, of this name in a folder. */
function entryNamed(files: ZipEntry[], key: string): ZipEntry | undefined {
  const inFolders = files.filter(
    // What macOS adds to each file is in a folder of its own.
    ({ name }) => nameKey(name).endsWith(`/${key}`) && !name.startsWith("__MACOSX/"),
  );
  const whole = files.find(({ name }) => nameKey(name) === key);
  return whole ?? (inFolders.length === 1 ? inFolders[0] : undefined);
}

/** File systems differ in what they distinguish. */
const nameKey = (name: string) => name.normalize("NFC").toLowerCase();

export const notSentText = "It wasn’t sent with the file.";

function entryRefusal(entry: ZipEntry | undefined): string | null {
  if (!entry) return "The ZIP file has none of this name, or several.";
  if (entry.encrypted) return "It’s locked by a password.";
  return Math.max(entry.size, entry.compressedSize) > maxPhotoBytes ? tooLarge.refusal : null;
}

async function readEntry(entry: ZipEntry | undefined): Promise<ImportedFile> {
  const refusal = entryRefusal(entry);
  if (refusal || !entry) return { refusal: refusal ?? "" };
  try {
    // Ends where the file is longer than its entry says.
    return { file: new Uint8Array(await entry.arrayBuffer()) };
  } catch {
    return { refusal: "It’s damaged in the ZIP file." };
  }
}

const maxRedirects = 3;
const timeoutMs = 10_000;

/**
 * Loads a photo from an address that a seller gave: a public https one, as each it leads to, without cookies, within
 * ten seconds.
 */
export async function fetchPhoto(link: string, fetchFrom: typeof fetch = fetch): Promise<ImportedFile> {
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = { Accept: "image/jpeg, image/png, image/webp" };
  try {
    let address = link;
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      if (!isPublicUrl(address)) return { refusal: "The link must be a public one that starts with https." };
      const response = await fetchFrom(address, { headers, redirect: "manual", signal });
      const location = response.headers.get("Location");
      if (response.status >= 300 && response.status < 400 && location) {
        await response.body?.cancel();
        address = new URL(location, address).href;
      } else return await readAnswer(response);
    }
    return { refusal: "The link leads from one address to the next." };
  } catch {
    return { refusal: signal.aborted ? "The photo took too long to load." : "We couldn’t load the link." };
  }
}

async function readAnswer(response: Response): Promise<ImportedFile> {
  const type = response.headers.get("Content-Type") ?? "";
  const isPicture = /^(image\/|application\/octet-stream\b)/i.test(type);
  const isLarge = Number(response.headers.get("Content-Length")) > maxPhotoBytes;
  if (!response.ok || !isPicture || isLarge || !response.body) {
    await response.body?.cancel();
    if (!response.ok) return { refusal: `The link answers with ${response.status}.` };
    return isLarge ? tooLarge : { refusal: photoRefusalText("not a photo") };
  }
  const file = await readFile(response, maxPhotoBytes, maxPhotoBytes);
  return file ? { file } : tooLarge;
}
