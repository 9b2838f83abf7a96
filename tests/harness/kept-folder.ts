import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

const cache = resolve("node_modules/.cache/ringback-tests");

/**
 * A folder made from sources, which later runs use again until one of them changes.
 *
 * @param name names the kind of folder; of each kind the last one is kept
 * @param sources files and directories below the project's root
 */
export async function keep(
  name: string,
  sources: string[],
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const kept = join(cache, `${name}-${await hashOf(sources)}`);
  if (existsSync(kept)) return kept;
  await mkdir(cache, { recursive: true });
  const older = (await readdir(cache)).filter((entry) => entry.startsWith(`${name}-`));
  const making = await mkdtemp(join(cache, "making-"));
  try {
    await make(making);
    await rename(making, kept);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    // Another run may have made the same folder first.
    if (!existsSync(kept)) throw error;
  }
  await Promise.all(older.map((entry) => rm(join(cache, entry), { recursive: true, force: true })));
  return kept;
}

async function hashOf(sources: string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const source of sources) {
    const isDirectory = (await stat(source)).isDirectory();
    const entries = isDirectory ? await readdir(source, { recursive: true, withFileTypes: true }) : [];
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    for (const file of isDirectory ? files.sort() : [source]) {
      hash
        .update(`${file}\0`)
        .update(await readFile(file))
        .update("\0");
    }
  }
  return hash.digest("hex").slice(0, 16);
}
