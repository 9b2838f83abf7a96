import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DrizzleQueryError } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { messageOf } from "../../scripts/run-command.ts";

const failure = (attempt: Promise<unknown>) => attempt.then(() => "no failure", messageOf);

test("a command says in a sentence which file stopped it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ringback-command-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "file");
  await writeFile(file, "");
  const at = (...names: string[]) => join(folder, ...names);
  expect({
    missing: await failure(readFile(at("none"))),
    "missing folder": await failure(writeFile(at("none", "file"), "")),
    existing: await failure(writeFile(file, "", { flag: "wx" })),
    "a file for a folder": await failure(mkdir(file)),
    "below a file": await failure(readFile(join(file, "below"))),
    "a folder for a file": await failure(readFile(folder)),
    "a folder to write": await failure(writeFile(folder, "")),
  }).toEqual({
    missing: `There is no ${at("none")}.`,
    "missing folder": `There is no ${at("none", "file")}.`,
    existing: `${file} exists already: choose another name, or delete it first.`,
    "a file for a folder": `${file} exists already: choose another name, or delete it first.`,
    "below a file": `${join(file, "below")} is below a file: choose another name.`,
    "a folder for a file": "This is a folder, not a file: choose another name.",
    "a folder to write": `${folder} is a folder, not a file: choose another name.`,
  });
});

test("a command without the right to a file says so", () => {
  const error = Object.assign(new Error("EACCES: permission denied, open '/a'"), {
    code: "EACCES",
    path: "/a",
  });
  expect(messageOf(error)).toBe("/a can’t be read or written by this account (EACCES).");
});

test("a failed query says what the database said", () => {
  expect(messageOf(new DrizzleQueryError("select 1", [], new Error("no such table")))).toBe("no such table");
});
