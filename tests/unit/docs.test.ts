import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import * as schema from "#app/db/schema.ts";
import { merchantTermsLabels } from "#app/features/listings/merchant.rules.ts";
import { offerTerms, returnDayChoices } from "#app/market.ts";
import { maxProblemsInVain, orderDeadlines, problemDays, rebookingHours, reviewDays } from "#app/terms.ts";

const documents = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"],
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

test.each(documents)("%s has no merge conflict", async (document) => {
  expect(await readFile(document, "utf8")).not.toMatch(/^(?:<{7}|>{7})/m);
});

const folders = ["app", "bench", "docs", "migrations", "public", "scripts", "tests"];
const inFolders = await Promise.all(
  folders.map(async (folder) =>
    (await readdir(folder, { recursive: true })).map((path) => join(folder, path)),
  ),
);
const paths = [...inFolders.flat(), ...(await readdir("."))];

/** What a document has in backticks, with its line and the heading above it. */
function codeIn(markdown: string): { code: string; context: string }[] {
  let heading = "";
  return markdown
    .replace(/^```[\s\S]*?^```/gm, "")
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith("#")) heading = line;
      return quotedIn(line).map((code) => ({ code, context: `${heading} ${line}` }));
    });
}

const quotedIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

const isFile = /^[\w.-][\w./-]*\.(?:ts|tsx|js|json|md|sql|toml|css|webmanifest)$/;
const isInFolder = new RegExp(`^(?:${folders.join("|")})/[\\w./-]*\\w$`);

/**
 * Whether a name is a whole path, or only one path ends with it: one in a directory that the line or the heading names,
 * else one of the product's.
 */
function isFound(name: string, context: string): boolean {
  if (paths.includes(name)) return true;
  const found = paths.filter((path) => path.endsWith(`/${name}`));
  const near = quotedIn(context).filter((code) => code.includes("/"));
  const nearby = found.filter((path) =>
    near.some((code) => dirname(path) === (isFile.test(code) ? dirname(code) : code)),
  );
  return nearby.length === 1 || (found.length === 1 && found.every((path) => path.startsWith("app/")));
}

test.each(documents)("the files that %s names exist", async (document) => {
  const named = codeIn(await readFile(document, "utf8")).filter(
    ({ code }) => isFile.test(code) || isInFolder.test(code),
  );
  expect(named.filter(({ code, context }) => !isFound(code, context)).map(({ code }) => code)).toEqual([]);
});

test("the pages and headings that the code names exist", async () => {
  const sources = paths.filter((path) =>
    /^(?:app|bench|public|scripts|tests)\/.*\.(?:ts|tsx|js)$/.test(path),
  );
  const broken: string[] = [];
  for (const source of [...sources, "wrangler.toml"]) {
    const named = (await readFile(source, "utf8")).matchAll(/\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g);
    for (const [target, page = "", anchor] of named) {
      const text = existsSync(page) ? await readFile(page, "utf8") : null;
      if (text === null || (anchor && !anchorsIn(text).includes(anchor))) broken.push(`${source}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

test("the files that wrangler.toml names exist", async () => {
  const text = await readFile("wrangler.toml", "utf8");
  const named = [...text.matchAll(/^#.*?\b((?:app|docs|scripts)\/[\w./-]+\.(?:ts|tsx|md))/gm)];
  expect(named.length).toBeGreaterThan(0);
  expect(named.map(([, path = ""]) => path).filter((path) => !existsSync(path))).toEqual([]);
});

const isName = /^(?:[a-z]+(?:[A-Z][a-z0-9]*)+|(?:[A-Z][a-z0-9]+){2,}|[A-Z]+(?:_[A-Z]+)+)(?:\(\))?$/;
const declaration =
  /\b(?:const|function|class|interface|type) (\w+|\{[^}]*\})|\b(\w+)\??(?=: )|\bprocess\.env\.(\w+)/g;

/** Names that others declare, by who does. */
const othersNames: Record<string, string[]> = {
  browsers: ["postMessage", "HttpOnly"],
  react: ["renderToString", "renderToReadableStream"],
  remix: ["SerializeFrom"],
};

test("the names in the documents are declared in the code", async () => {
  const sources = paths.filter((path) => /^(?:app|bench|scripts|tests)\/.*\.(?:ts|tsx|js)$/.test(path));
  const declared = new Set(Object.values(othersNames).flat());
  for (const source of sources) {
    for (const names of (await readFile(source, "utf8")).matchAll(declaration))
      for (const name of names.slice(1).join(" ").split(/\W+/)) declared.add(name);
  }
  const unknown: string[] = [];
  for (const document of documents) {
    for (const { code } of codeIn(await readFile(document, "utf8")))
      if (isName.test(code) && !declared.has(code.replace("()", ""))) unknown.push(`${document}: ${code}`);
  }
  expect(unknown).toEqual([]);
});

const wordsIn = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
const read = documents.filter((document) => document !== "CHANGELOG.md");

test.each(read)("%s is read in five minutes, and its paragraphs at a glance", async (document) => {
  const text = await readFile(document, "utf8");
  expect(wordsIn(text)).toBeLessThanOrEqual(1100);
  const paragraphs = text.replace(/^ *```[\s\S]*?^ *```/gm, "").split(/\n\s*\n|\n(?=\s*(?:[-|]|\d+\.) )/);
  expect(paragraphs.filter((paragraph) => wordsIn(paragraph) > 90)).toEqual([]);
});

test("README.md has at most 120 lines", async () => {
  expect((await readFile("README.md", "utf8")).trimEnd().split("\n").length).toBeLessThanOrEqual(120);
});

const inWords = ["no", "one", "two", "three", "four", "five", "six", "seven"];

test("docs/orders.md has the limits of problems and offers", async () => {
  const page = await readFile("docs/orders.md", "utf8");
  expect(page).toContain(`either side, or after ${problemDays.answer} days`);
  expect(page).toContain(`They have ${inWords[problemDays.decision]} days`);
  expect(page).toContain(`For ${problemDays.refund} days after an order was cancelled or returned`);
  expect(page).toContain(`After ${inWords[maxProblemsInVain]} problems in vain`);
  const { minPercent, maxPercent, perListing, answerHours, bookingHours } = offerTerms;
  expect(page).toContain(`offers ${minPercent}% to ${maxPercent}% of the price`);
  expect(page).toContain(`makes ${inWords[perListing]} offers for a listing`);
  for (const end of ["pending --> accepted: the other side, within", "pending --> lapsed:"])
    expect(page).toContain(`${end} ${answerHours} hours`);
  for (const end of ["accepted --> booked: buyer, within", "accepted --> unused:"])
    expect(page).toContain(`${end} ${bookingHours} hours`);
});

test("the documents have the deadlines of app/terms.ts", async () => {
  const files = await Promise.all(["docs/domain.md", "docs/orders.md"].map((path) => readFile(path, "utf8")));
  const domain = files.join("\n");
  for (const [stage, { days, reminderDaysBefore, extensionDays }] of Object.entries(orderDeadlines)) {
    const row = domain
      .split("\n")
      .find((line) => line.startsWith(`| ${stage} | `) && line.includes("Ringback"));
    expect(row).toContain(` | ${days} days | day ${days - reminderDaysBefore} | `);
    expect(row).toMatch(new RegExp(`, ${extensionDays} days[ ,]`));
  }
  expect(domain).toContain(`| after ${rebookingHours} hours, or once the seller allows it |`);
  expect(domain).toContain(`within ${reviewDays.writable} days of the receipt`);
  expect(domain).toContain(`change for ${reviewDays.editable} days`);
  expect(domain).toContain(`after ${reviewDays.hidden} days; the stars`);
});

test("docs/personal-data.md says of each table what remains of a person", async () => {
  const page = await readFile("docs/personal-data.md", "utf8");
  const tables = Object.values<unknown>(schema).filter((value) => is(value, SQLiteTable));
  expect(tables.map(getTableName).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test("the document of the product feed names the label of each return policy", async () => {
  const text = await readFile("docs/product-feed.md", "utf8");
  const labels = returnDayChoices.map(
    (returnDays) => merchantTermsLabels({ delivery: null, returnDays }).returns,
  );
  expect(labels.filter((label) => !text.includes(`\`${label}\``))).toEqual([]);
});
