import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

let source: Promise<string> | undefined;

/** Loads axe into a page, which needs JavaScript. A navigation removes it. */
export async function loadAxe(page: Page): Promise<void> {
  source ??= readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(await source);
}

/** The accessibility violations that axe finds in a page. @param runOnly tags of rules, in place of axe's choice */
export function axeViolations(page: Page, runOnly?: string[]): Promise<string[]> {
  return page.evaluate(async (tags) => {
    const { violations } = await window.axe.run(document, {
      resultTypes: ["violations"],
      ...(tags && { runOnly: tags }),
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`);
  }, runOnly);
}
