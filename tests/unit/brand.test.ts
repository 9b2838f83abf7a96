import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { brand } from "#app/brand.ts";

test("the web app manifest has the brand's name and color", async () => {
  expect(JSON.parse(await readFile("public/manifest.webmanifest", "utf8"))).toMatchObject({
    name: `${brand.name}: ${brand.tagline}`,
    short_name: brand.name,
    theme_color: brand.pageColor.light,
    background_color: brand.pageColor.light,
  });
});

test("the offline page has the brand's name and colors", async () => {
  const script = await readFile("public/service-worker.js", "utf8");
  expect(script).toContain(`<title>You’re offline · ${brand.name}</title>`);
  const colors = ["page", "button", "on-button"].map(
    (name) => script.match(new RegExp(`--${name}: (#\\w+);`))?.[1],
  );
  const { pageColor, buttonColor } = brand;
  expect(colors).toEqual([pageColor.light, buttonColor.background, buttonColor.text]);
});

test("the style sheet's themes have the brand's colors", async () => {
  const styles = await readFile("app/app.css", "utf8");
  const colors = (name: string) =>
    [...styles.matchAll(new RegExp(`--color-${name}: (#\\w+);`, "g"))].map(([, color]) => color);
  expect(colors("base-100").slice(0, 2)).toEqual([brand.pageColor.light, brand.pageColor.dark]);
  expect(colors("primary")[0]).toBe(brand.buttonColor.background);
  expect(colors("primary-content")[0]).toBe(brand.buttonColor.text);
});
