import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);

test("a command says in one sentence that Node is too old", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ringback-node-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp("scripts/node-version.js", join(folder, "scripts/node-version.js"));
  const runWith = async (node: string) => {
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module", engines: { node } }));
    return run(process.execPath, [join(folder, "scripts/node-version.js")]);
  };
  await expect(runWith(">=99.1")).rejects.toMatchObject({
    code: 1,
    stderr: `Ringback needs Node 99.1 or later, and this is Node ${process.versions.node}.\n`,
  });
  expect(await runWith(">=20.20")).toEqual({ stdout: "", stderr: "" });
});

test("each command checks the version of Node", async () => {
  const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
  const scripts = Object.values(manifest.scripts).join("\n");
  expect(scripts).not.toContain("--import tsx");
});
