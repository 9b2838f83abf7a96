/** @module-tag slow */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const title = "the script %s refuses a folder without a database, and creates nothing";

test.each([["export", "backup.sql"]])(title, refusesMissingState);

// Each starts a process, which takes seconds.
test.each([
  ["photos-export", "photos"],
  ["admin", "someone@example.com"],
  ["jobs", ""],
  ["backup-test", ""],
])(title, { tags: ["slow"] }, refusesMissingState);

async function refusesMissingState(script: string, argument: string) {
  const parent = await mkdtemp(join(tmpdir(), "ringback-missing-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const [folder, target] = [join(parent, "typo"), argument.includes("@") ? argument : join(parent, argument)];
  const { LIBSQL_URL: _, ...inherited } = process.env;
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    const command = [
      "--import",
      "./scripts/typescript.js",
      `scripts/${script}.ts`,
      ...(argument ? [target] : []),
    ];
    const env = { ...inherited, STATE_DIR: folder };
    execFile(process.execPath, command, { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
  expect([code, output]).toEqual([
    1,
    `There is no local database in ${folder}: set STATE_DIR to the folder of one, or run \`npm start\` first.\n`,
  ]);
  expect(existsSync(folder)).toBe(false);
  expect(argument !== "" && existsSync(target)).toBe(false);
}
