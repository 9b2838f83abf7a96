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

/** Why a ZIP is not opened. */
export const zipRefusals = {
  "no ZIP": "The ZIP file is no longer here. Upload it again.",
  "unreadable ZIP": "We can’t read this ZIP file. Make it again.",
  "too many photos": `A ZIP file can have at most ${maxFiles} photos.`,
};

export interface PhotoZip {
  /** Why there is no photo of a name, as far as the directory says; null if there may be one. */
  refusalOf: (name: string) => string | null;
  /** Reads the file of a name, in any folder, or of a path. */
  read: (name: string) => Promise<ImportedFile>;
}

/** Opens a ZIP in the bucket, of which only the directory and the files asked for are read. */
export async function openPhotoZip(
  bucket: R2Bucket,
  key: string,
): Promise<PhotoZip | { refusal: keyof typeof zipRefusals }> {
  const object = await bucket.head(key);
  if (!object) return { refusal: "no ZIP" };
  const { unzipRaw } = await import("unzipit");
  const reader = readerOf(bucket, object);
  const zip = await unzipRaw(reader).catch((error: Error) => error);
  reader.maxBytes = maxPhotoBytes;
  if (zip instanceof RangeError) return { refusal: "too many photos" };
  if (zip instanceof Error) return { refusal: "unreadable ZIP" };
  const files = zip.entries.filter(({ isDirectory }) => !isDirectory);
  if (files.length > maxFiles) return { refusal: "too many photos" };
  const byName = filesByName(files);
  const find = (name: string) => readableEntry(byName.get(nameKey(name)));
  return {
    refusalOf(name) {
      const entry = find(name);
      return "refusal" in entry ? entry.refusal : null;
    },
    read: (name) => readEntry(find(name)),
  };
}

/** @returns a reader with the most bytes of one read: at first of the directory, later of a stored file */
function readerOf(bucket: R2Bucket, { key, size }: R2Object): Reader & { maxBytes: number } {
  async function read(offset: number, length: number) {
    if (length === 0) return new Uint8Array();
    const part = await bucket.get(key, { range: { offset, length } });
    if (!part) throw new Error("The ZIP file is gone.");
    return new Uint8Array(await part.arrayBuffer());
  }
  return {
    maxBytes: maxDirectoryBytes,
    getLength: async () => size,
    // Headers, the whole directory, and files that are not compressed.
    async read(offset, length) {
      if (length > this.maxBytes) throw new RangeError("A part of the ZIP file is too large.");
      return read(offset, length);
    },
    // The compressed content of a file.
    readStream: async (offset, length) => piecesOf(await read(offset, length)),
  };
}

/** Deflate expands at most about 1000:1, so a piece gives at most 16 MB. */
const pieceBytes = 16 * 1024;

/**
 * Streams content so that a bomb ends with the piece that exceeds the size of its entry. workerd's `DecompressionStream`
 * would take all of it before the first read, so each piece waits for the next turn of the event loop.
 */
function piecesOf(content: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve));
        if (at < content.length) controller.enqueue(content.subarray(at, at + pieceBytes));
        else controller.close();
        at += pieceBytes;
      },
    },
    { highWaterMark: 0 },
  );
}

/** Of a path, by which a file is found. */
const maxLastParts = 8;

/** The files by their path and by the last parts of it, each where only one has it. */
function filesByName(files: ZipEntry[]): Map<string, ZipEntry | undefined> {
  const byPath = new Map<string, ZipEntry | undefined>();
  const byLastParts = new Map<string, ZipEntry | undefined>();
  for (const file of files) {
    const path = nameKey(file.name);
    byPath.set(path, byPath.has(path) ? undefined : file);
    // What macOS adds to each file is in a folder of its own.
    if (file.name.startsWith("__MACOSX/")) continue;
    const parts = path.split("/");
    for (let from = Math.max(1, parts.length - maxLastParts); from < parts.length; from += 1) {
      const key = parts.slice(from).join("/");
      byLastParts.set(key, byLastParts.has(key) ? undefined : file);
    }
  }
  return new Map([...byLastParts, ...byPath]);
}

/** File systems differ in what they distinguish. */
const nameKey = (name: string) => name.normalize("NFC").toLowerCase();

export const notSentText = "It wasn’t sent with the file.";

/** The entry, or why it is not read. */
function readableEntry(entry: ZipEntry | undefined): ZipEntry | { refusal: string } {
  if (!entry) return { refusal: "The ZIP file has none of this name, or several." };
  if (entry.encrypted) return { refusal: "It’s locked by a password." };
  return Math.max(entry.size, entry.compressedSize) > maxPhotoBytes ? tooLarge : entry;
}

async function readEntry(entry: ReturnType<typeof readableEntry>): Promise<ImportedFile> {
  if ("refusal" in entry) return entry;
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
