/** Draws the raster images in `public` with a browser, from `icon.svg` and the device drawings. */

import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { brand } from "#app/brand.ts";
import { launchBrowser } from "../tests/harness/browser.ts";
import { parseArguments } from "./arguments.ts";

parseArguments("icons", {});

const require = createRequire(import.meta.url);
const folder = fileURLToPath(new URL("../public/", import.meta.url));
const read = (path: string) => readFile(folder + path, "utf8");
const dataUrl = (svg: string) => `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;

const icon = await read("icon.svg");
/** For systems that crop icons to their own shape. The symbol lies within the inner 80 %. */
const fullBleed = icon.replace(/ rx="[\d.]+"/, "");

const iconPage = (svg: string) =>
  `<img src="${dataUrl(svg)}" style="display:block;width:100vw;height:100vh">`;

/** The product's own font, since those of the system differ. */
async function fontFace(weight: 400 | 600): Promise<string> {
  const path = require.resolve(
    `@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-${weight}-normal.woff2`,
  );
  const data = (await readFile(path)).toString("base64");
  return `@font-face { font-family: Bricolage; font-weight: ${weight}; src: url(data:font/woff2;base64,${data}); }`;
}

/** The Open Graph image of pages without a picture of their own. */
async function shareImage(): Promise<string> {
  const devices = ["nothing-phone-1", "apple-iphone-15-pro", "google-pixel-9"];
  const fonts = await Promise.all([fontFace(400), fontFace(600)]);
  const [left, front, right] = await Promise.all(devices.map((name) => read(`devices/${name}.svg`)));
  const device = (svg = "", style: string) =>
    `<img src="${dataUrl(svg)}" style="position:absolute;${style}">`;
  return `
    <style>
      ${fonts.join("")}
      body { background: ${brand.pageColor.light}; color: #1c1b24; font-family: Bricolage; overflow: hidden; }
      .rings i { position: absolute; border: 2px solid #ddd3bf; border-radius: 50%; }
    </style>
    <div class="rings">${[300, 430, 560, 690, 820, 950]
      .map(
        (radius) =>
          `<i style="left:${860 - radius}px;top:${520 - radius}px;width:${2 * radius}px;height:${2 * radius}px"></i>`,
      )
      .join("")}</div>
    ${device(left, "left:490px;top:190px;width:460px")}
    ${device(right, "left:800px;top:190px;width:460px")}
    ${device(front, "left:560px;top:70px;width:620px")}
    <div style="position:absolute;left:72px;top:72px;width:520px">
      <div style="display:flex;align-items:center;gap:16px;font-size:44px;font-weight:600">
        <img src="${dataUrl(icon)}" style="width:60px;height:60px">${brand.name}
      </div>
      <div style="margin-top:104px;font-size:72px;line-height:1.04;font-weight:600;letter-spacing:-0.02em">
        A good phone rings twice.
      </div>
      <div style="margin-top:36px;font-size:30px;line-height:1.35;color:#5a5566;width:460px">
        Used phones and tablets, from the person who used them.
      </div>
    </div>`;
}

/**
 * Wraps a PNG image of 48 by 48 pixels into an ICO file.
 *
 * @see https://learn.microsoft.com/en-us/previous-versions/ms997538(v=msdn.10)
 */
function asIco(png: Buffer): Buffer {
  const header = Buffer.alloc(22);
  // Type (icon) and number of images.
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  // Width, height, color planes, bits per pixel, size in bytes, offset.
  header.writeUInt8(48, 6);
  header.writeUInt8(48, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

const images = [
  { file: "favicon.ico", width: 48, height: 48, content: iconPage(icon), transparent: true },
  { file: "icon-192.png", width: 192, height: 192, content: iconPage(icon), transparent: true },
  { file: "icon-512.png", width: 512, height: 512, content: iconPage(icon), transparent: true },
  {
    file: "icon-maskable-512.png",
    width: 512,
    height: 512,
    content: iconPage(fullBleed),
    transparent: false,
  },
  { file: "apple-touch-icon.png", width: 180, height: 180, content: iconPage(fullBleed), transparent: false },
  { file: "ringback.png", width: 1200, height: 630, content: await shareImage(), transparent: false },
];

const browser = await launchBrowser();
const page = await browser.newPage();
for (const { file, width, height, content, transparent } of images) {
  await page.setViewportSize({ width, height });
  await page.setContent(`<!doctype html><style>body { margin: 0 }</style>${content}`);
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode()));
  });
  const png = await page.screenshot({ omitBackground: transparent });
  await writeFile(folder + file, file.endsWith(".ico") ? asIco(png) : png);
}
await browser.close();
console.log(`${images.length} images written.`);
