import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { getPlatformProxy } from "wrangler";
import { photoType } from "#app/features/photos/photo.rules.ts";
import { isPhotoSize, type PhotoStorage } from "#app/features/photos/photo-objects.server.ts";
import type { LocalState } from "./local-state.ts";

const concurrency = 8;

/** Runs `work` on a bucket that a local server of this state uses. */
export function withBucket<Result>(
  state: LocalState,
  work: (bucket: R2Bucket) => Promise<Result>,
  binding: "PHOTOS" | "BACKUPS" = "PHOTOS",
): Promise<Result> {
  return withBindings(state, (env) => work(env[binding]));
}

/** Runs `work` on what encodes and stores the photos of a local server of this state. */
export function withPhotoStorage<Result>(
  state: LocalState,
  work: (storage: PhotoStorage) => Promise<Result>,
): Promise<Result> {
  return withBindings(state, ({ IMAGES, PHOTOS }) => work({ images: IMAGES, bucket: PHOTOS }));
}

interface LocalBindings extends Record<"PHOTOS" | "BACKUPS", R2Bucket> {
  IMAGES: ImagesBinding;
}

async function withBindings<Result>(
  { persist }: LocalState,
  work: (env: LocalBindings) => Promise<Result>,
): Promise<Result> {
  const { env, dispose } = await getPlatformProxy<LocalBindings & Record<string, unknown>>({
    persist: { path: persist },
  });
  try {
    return await work(env);
  } finally {
    await dispose();
  }
}

/**
 * Copies the objects of all photos into a folder, as `ID/SIZE`. Objects never change, so those that the folder has
 * already are left out, and an export that was cut off can be run again. Its end is a file that counts the others.
 *
 * @returns how many files were written
 */
export async function exportPhotos(bucket: R2Bucket, folder: string, pageSize = 1000): Promise<number> {
  await mkdir(folder, { recursive: true });
  await rm(join(folder, endFile), { force: true });
  let written = 0;
  let cursor: string | undefined;
  do {
    const page = await bucket.list({ cursor, limit: pageSize });
    await eachOf(page.objects, async ({ key, size }) => {
      const file = join(folder, key);
      if (!isObjectName(key) || (await sizeOf(file)) === size) return;
      const object = await bucket.get(key);
      // Deleted since it was listed.
      if (!object) return;
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, Buffer.from(await object.arrayBuffer()));
      written += 1;
    });
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor);
  await writeFile(join(folder, endFile), JSON.stringify(await countFiles(folder)));
  return written;
}

/** Written last, so that only a complete export has it. */
const endFile = "export.json";

async function objectNamesIn(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true });
  return files.map((file) => file.replaceAll("\\", "/")).filter(isObjectName);
}

async function countFiles(folder: string) {
  const names = await objectNamesIn(folder);
  let bytes = 0;
  for (const name of names) bytes += (await sizeOf(join(folder, name))) ?? 0;
  return { files: names.length, bytes };
}

/**
 * Copies an export of photos into a bucket.
 *
 * @returns how many objects were written
 * @throws Error if the folder is no complete export
 */
export async function restorePhotos(bucket: R2Bucket, folder: string): Promise<number> {
  const end = await readFile(join(folder, endFile), "utf8").catch(() => null);
  if (end === null || end !== JSON.stringify(await countFiles(folder)))
    throw new Error(`${folder} is no complete export of photos: export again. Nothing was restored.`);
  const names = await objectNamesIn(folder);
  await eachOf(names, async (name) => {
    const size = name.split("/")[1];
    const httpMetadata = isPhotoSize(size) ? { contentType: photoType(size) } : undefined;
    const { buffer, byteOffset, byteLength } = await readFile(join(folder, name));
    // Miniflare takes no Buffer.
    await bucket.put(name, new Uint8Array(buffer, byteOffset, byteLength), { httpMetadata });
  });
  return names.length;
}

/** Whether a name is one that `objectName` makes, and thus no path out of the folder. */
function isObjectName(name: string): boolean {
  const [id = "", size, ...rest] = name.split("/");
  return /^[\w-]+$/.test(id) && isPhotoSize(size) && rest.length === 0;
}

async function sizeOf(file: string): Promise<number | null> {
  return stat(file).then(
    ({ size }) => size,
    () => null,
  );
}

/** Works on several items at a time. */
async function eachOf<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
