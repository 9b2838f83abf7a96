import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { withDataModel } from "../../scripts/data-model.ts";

const documents = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md"],
  ...(await readdir("docs", { recursive: true }))
    .filter((path) => path.endsWith(".md"))
    .map((path) => join("docs", path)),
];

/** Links and images, without those in code. */
function linksIn(markdown: string): string[] {
  const text = markdown.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
}

/** The fragments of a document's headings, as GitHub makes them. */
function anchorsIn(markdown: string): string[] {
  const headings = markdown.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ +(.+)$/gm);
  return [...headings].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}

test.each(documents)("the links of %s lead to files and headings that exist", async (document) => {
  const broken: string[] = [];
  for (const target of linksIn(await readFile(document, "utf8"))) {
    if (/^[a-z]+:/.test(target)) continue;
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? document : join(dirname(document), path);
    const isFound = !relative(".", file).startsWith("..") && existsSync(file);
    if (!isFound) broken.push(target);
    else if (anchor && !anchorsIn(await readFile(file, "utf8")).includes(anchor)) broken.push(target);
  }
  expect(broken).toEqual([]);
});

const folders = ["app", "bench", "docs", "migrations", "public", "scripts", "tests"];

test.each(documents)("%s has no merge conflict", async (document) => {
  expect(await readFile(document, "utf8")).not.toMatch(/^(?:<{7}|>{7})/m);
});

test.each([...documents, "wrangler.toml"])("the files that %s names exist", async (document) => {
  const text = (await readFile(document, "utf8")).replace(/^```[\s\S]*?^```/gm, "");
  const paths = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true })));
  const names = new Set([...paths.flat(), ...(await readdir("."))].map((path) => basename(path)));
  const quoted = /`([\w./-]+\.(?:ts|tsx|js|json|md|sql|toml|css))`/g;
  const inComments = /^#.*?\b((?:app|docs|scripts)\/[\w./-]+\.(?:ts|tsx|md))/gm;
  const pattern = document.endsWith(".toml") ? inComments : quoted;
  const named = [...text.matchAll(pattern)].map(([, name = ""]) => name);
  const isFound = (name: string) => (name.includes("/") ? existsSync(name) : names.has(name));
  expect(named.filter((name) => !name.startsWith("/") && !isFound(name))).toEqual([]);
});

test("README.md has at most 120 lines", async () => {
  expect((await readFile("README.md", "utf8")).trimEnd().split("\n").length).toBeLessThanOrEqual(120);
});

test("docs/data-model.md is what `npm run docs:data-model` writes", async () => {
  const document = await readFile("docs/data-model.md", "utf8");
  expect(document).toBe(withDataModel(document));
});
