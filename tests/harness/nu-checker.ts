import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";

// The package exports the path of its jar.
const jar = String(createRequire(import.meta.url)("vnu-jar"));

/** Whether Java is installed, which the checker needs. */
export const hasJava = spawnSync("java", ["-version"]).status === 0;

/**
 * The errors that the Nu HTML checker (https://validator.github.io) finds, in one run for all documents.
 *
 * @param documents HTML by name
 */
export async function nuErrors(documents: Map<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "ringback-nu-"));
  try {
    const names = [...documents.keys()];
    for (const [place, html] of [...documents.values()].entries()) {
      await mkdir(join(folder, `${place}`));
      await writeFile(join(folder, `${place}`, "page.html"), html);
    }
    const flags = ["--errors-only", "--format", "json", "--stdout", "--exit-zero-always"];
    const { stdout } = await promisify(execFile)("java", ["-jar", jar, ...flags, folder], {
      maxBuffer: 64 * 1024 * 1024,
    });
    const { messages } = JSON.parse(stdout) as {
      messages: { url: string; message: string; extract: string }[];
    };
    return messages.map(
      ({ url, message, extract }) => `${names[Number(basename(join(url, "..")))]}: ${message} (${extract})`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
