/** @module-tag slow */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { builtFolder } from "../harness/built-folder.ts";

const { scripts } = JSON.parse(await readFile("package.json", "utf8")) as { scripts: Record<string, string> };
/** Those of our own. */
const commands = Object.keys(scripts).filter((name) => scripts[name]?.includes("./scripts/typescript.js"));
const benchmarks = Object.keys(scripts).filter((name) => /\bbench\/\S+\.ts\b/.test(scripts[name] ?? ""));

test("package.json has benchmarks", () => {
  expect(benchmarks).toContain("bench:http");
});

test.each(commands)(
  "`npm run %s` answers an unknown option with its usage",
  { timeout: 60_000 },
  async (name) => {
    const run = promisify(execFile)("npm", ["run", "--silent", name, "--", "--onyl", "races"]);
    const usage = new RegExp(`^Unknown option '--onyl'.*\\nUsage: npm run ${name}\\b.*\\n$`);
    await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(usage) });
  },
);

test.each(benchmarks)("`npm run %s -- --smoke` succeeds", { timeout: 480_000 }, async (name) => {
  const env = { ...process.env, READY_BUILD: await builtFolder() };
  // Rejects, with the output, if the exit code is not 0.
  await promisify(execFile)("npm", ["run", "--silent", name, "--", "--smoke"], { env });
});
