import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

test("only app/market.ts names a currency, its sign or a locale", async () => {
  const files = (await readdir("app", { recursive: true })).filter(
    (file) => /\.tsx?$/.test(file) && file !== "market.ts",
  );
  expect(files.length).toBeGreaterThan(500);
  const named = await Promise.all(
    files.map(async (file) => {
      const lines = (await readFile(`app/${file}`, "utf8")).split("\n");
      // A comment may give an example.
      const code = lines.filter((line) => !/^\s*(\/\/|\/?\*)/.test(line));
      const found = code.filter((line) =>
        /\b(USD|EUR|dollars?|en-US)\b|(?<![\w$}])\$\$\{|[£€]|\$\d+[.,]\d|^\s*\$\s*$/i.test(line),
      );
      return found.map((line) => `${file}: ${line.trim()}`);
    }),
  );
  expect(named.flat()).toEqual([]);
});
