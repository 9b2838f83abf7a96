/**
 * Writes the drawings of each demo device model to `public/devices` and removes the others. Browsers cache a drawing
 * for a year (`public/_headers`), so one that changes needs a new name.
 */
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArguments } from "./arguments.ts";
import { catalog } from "./demo/catalog";
import { drawDevice, drawFallback, drawViews } from "./demo/draw-device";

parseArguments("draw", {});

const folder = fileURLToPath(new URL("../public/devices/", import.meta.url));

const drawings = new Map([
  ["phone.svg", drawFallback("Smart Phone")],
  ["tablet.svg", drawFallback("Tablet")],
  ...catalog.map((model) => [`${model.slug}.svg`, drawDevice(model)] as const),
  ...catalog.map((model) => [`${model.slug}-views.svg`, drawViews(model)] as const),
]);

await mkdir(folder, { recursive: true });
const stale = (await readdir(folder)).filter((name) => name.endsWith(".svg") && !drawings.has(name));
await Promise.all(stale.map((name) => rm(folder + name)));
await Promise.all([...drawings].map(([name, svg]) => writeFile(folder + name, `${svg}\n`)));
console.log(`${drawings.size} drawings written, ${stale.length} removed.`);
