import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

test("only app/market.ts names a currency, its sign or a locale", async () => {
  expect(
    await linesOfOthers(
      "market.ts",
      /\b(USD|EUR|dollars?|en-US)\b|(?<![\w$}])\$\$\{|[£€]|\$\d+[.,]\d|^\s*\$\s*$/i,
    ),
  ).toEqual([]);
});

test("only app/parcel-services.ts names a parcel service", async () => {
  expect(await linesOfOthers("parcel-services.ts", /\b(USPS|UPS|FedEx|DHL)\b/)).toEqual([]);
});

/** Lines of code that match, in all files of `app` but one. */
async function linesOfOthers(owner: string, pattern: RegExp): Promise<string[]> {
  const files = (await readdir("app", { recursive: true })).filter(
    (file) => /\.tsx?$/.test(file) && file !== owner,
  );
  expect(files.length).toBeGreaterThan(500);
  const named = await Promise.all(
    files.map(async (file) => {
      const lines = (await readFile(`app/${file}`, "utf8")).split("\n");
      // A comment may give an example.
      const code = lines.filter((line) => !/^\s*(\/\/|\/?\*)/.test(line));
      return code.filter((line) => pattern.test(line)).map((line) => `${file}: ${line.trim()}`);
    }),
  );
  return named.flat();
}
