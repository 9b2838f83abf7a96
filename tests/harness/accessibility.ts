import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type axeCore from "axe-core";
import type { Page } from "playwright-core";

declare global {
  var axe: typeof axeCore;
}

const path = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** The pages whose documents load axe. */
const withAxe = new WeakSet<Page>();

/** The violations that axe finds on a page, each with its rule and its elements. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  if (!withAxe.has(page)) {
    withAxe.add(page);
    await page.addInitScript({ path });
    await page.evaluate(await readFile(path, "utf8"));
  }
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`);
}
