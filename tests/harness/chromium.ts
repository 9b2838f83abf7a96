import { existsSync } from "node:fs";
import { mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import bundled from "@sparticuz/chromium";

/** Common paths of a system's Chromium. */
const systemPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * The path of a Chromium: `CHROMIUM_PATH`, else the one in the npm package, else the system's, which
 * `RINGBACK_BROWSER=system` prefers. The packaged one is the same on each machine, and faster without a display.
 */
export async function chromiumPath(): Promise<string> {
  const { CHROMIUM_PATH, RINGBACK_BROWSER } = process.env;
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  // The packaged Chromium runs on Linux x64 only.
  const runsBundled = process.platform === "linux" && process.arch === "x64";
  if (runsBundled && RINGBACK_BROWSER !== "system") return bundledBrowser();
  const found = systemPaths.find((path) => existsSync(path));
  if (!found) throw new Error("No Chromium found. Set CHROMIUM_PATH to one.");
  return found;
}

/**
 * Unpacks the packaged browser once per version. Test files run in parallel, so each unpacks into a directory
 * of its own, and the first to finish renames its directory to the final name.
 */
async function bundledBrowser(): Promise<string> {
  const home = join(tmpdir(), `ringback-chromium-${await bundledVersion()}`);
  const executable = join(home, "chromium");
  if (existsSync(executable)) return executable;

  const ownFolder = await mkdtemp(join(tmpdir(), "ringback-chromium-unpacking-"));
  const outerTmpdir = process.env.TMPDIR;
  process.env.TMPDIR = ownFolder;
  try {
    const unpacked = await bundled.executablePath();
    await rename(dirname(unpacked), home);
  } catch (error) {
    // Another process was first.
    if (!existsSync(executable)) throw error;
  } finally {
    if (outerTmpdir === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = outerTmpdir;
    await rm(ownFolder, { recursive: true, force: true });
  }
  return executable;
}

async function bundledVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const { version } = JSON.parse(await readFile(join(dirname(entry), "../../package.json"), "utf8"));
  return version;
}
