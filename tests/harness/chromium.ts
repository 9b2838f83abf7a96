import { existsSync } from "node:fs";
import { mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import bundled from "@sparticuz/chromium";

/** Where the usual systems keep a Chromium of theirs. */
const systemPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * Where there is a Chromium: what `CHROMIUM_PATH` names, else the one that npm has brought along, else the system's,
 * which `RINGBACK_BROWSER=system` asks for by name.
 */
export async function chromiumPath(): Promise<string> {
  const { CHROMIUM_PATH, RINGBACK_BROWSER } = process.env;
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  // What npm brings runs on this system alone.
  const runsBundled = process.platform === "linux" && process.arch === "x64";
  if (runsBundled && RINGBACK_BROWSER !== "system") return bundledBrowser();
  const found = systemPaths.find((path) => existsSync(path));
  if (!found) throw new Error("There is no Chromium here: name one in CHROMIUM_PATH.");
  return found;
}

/**
 * Unpacks the bundled browser once for each of its versions. Test files that run side by side may all want to
 * be the first, so each unpacks into a folder of its own, and the first to finish gives its folder the name
 * that later runs find.
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
    // Another was first: theirs is as good as ours.
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
