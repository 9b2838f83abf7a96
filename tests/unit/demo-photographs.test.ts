import { readdir, readFile, stat } from "node:fs/promises";
import sharp from "sharp";
import { expect, test } from "vitest";
import { demoListings } from "../../scripts/demo/listings.ts";
import { drawFront } from "../../scripts/demo/photographs/front.ts";
import {
  type Photograph,
  photoFiles,
  photographs,
  picturesFolder,
} from "../../scripts/demo/photographs/photographs.ts";
import { describeScene, sizes } from "../../scripts/demo/photographs/scene.ts";

/** What can be checked without Blender. */
const quality = { scale: 1, samples: 1, threshold: 1 };
const files = { front: "front.png", output: "picture.png", folder: "folder", textures: "textures" };
const sceneOf = ({ model, wear, shot, name }: Photograph) =>
  describeScene(model, wear, shot, name, files, quality);

function listingOf({ model, rom }: Photograph) {
  const found = demoListings.filter((listing) => listing.slug === model.slug && listing.rom === rom);
  expect(found, `${model.slug} with ${rom}`).toHaveLength(1);
  return found[0] as (typeof found)[number];
}

test("the repository has the pictures of the list and no others", async () => {
  expect((await readdir(picturesFolder)).sort()).toEqual(photographs.map(({ name }) => `${name}.jpg`).sort());
});

test("all pictures together have at most 7 MB", async () => {
  const stats = await Promise.all(photographs.map(({ name }) => stat(`${picturesFolder}/${name}.jpg`)));
  const bytes = stats.reduce((sum, { size }) => sum + size, 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(7_000_000);
});

test.each(photographs)("$name is a JPEG of its size and at most 120 KB", async ({ name, shot }) => {
  const file = await readFile(`${picturesFolder}/${name}.jpg`);
  const { format, width, height, exif } = await sharp(file).metadata();
  expect({ format, size: [width, height], exif }).toEqual({
    format: "jpeg",
    size: sizes[shot.size ?? "landscape"],
    exif: undefined,
  });
  expect(Math.max(width, height)).toBeLessThanOrEqual(1600);
  expect(file.length).toBeLessThanOrEqual(120_000);
});

/** The things that come with a device, by what its listing says is in the box. */
const accessories: Record<string, string[]> = {
  device: [],
  cable: ["cable"],
  charger: ["cable", "charger"],
  everything: ["cable", "charger", "box"],
};
/** What nobody expects to be sold. */
const furnishings = ["mug", "notebook", "coaster"];

test("photographs fit what their listing says", () => {
  for (const photograph of photographs) {
    const { wear, shot, name } = photograph;
    const { batteryHealth, details, sellingReason } = listingOf(photograph);
    if (typeof shot.screen === "object") expect(shot.screen.batteryHealth, name).toBe(batteryHealth);
    const isWorn = Boolean(wear.marks || wear.wear || wear.scratch || wear.dent);
    if (isWorn) expect(["light", "deep", "cracks"], name).toContain(details?.scratches);
    const withIt = accessories[details?.inTheBox ?? "device"] ?? [];
    for (const { kind } of shot.things ?? []) {
      if (kind === "pen") expect(sellingReason, name).toMatch(/\bpen\b/i);
      else if (!furnishings.includes(kind)) expect(withIt, name).toContain(kind);
    }
  }
});

test("each photograph has a scene, the same each time, of numbers and of things that Blender's script makes", async () => {
  const script = await readFile(
    new URL("../../scripts/demo/photographs/blender/things.py", import.meta.url),
    "utf8",
  );
  const known = /for one in \(([\w, ]+)\)\}/.exec(script)?.[1]?.split(", ");
  const seeds = new Set<number>();
  for (const photograph of photographs) {
    const scene = sceneOf(photograph);
    expect(sceneOf(photograph)).toEqual(scene);
    expect(JSON.stringify(scene)).not.toContain("null");
    for (const { kind } of scene.things) expect(known).toContain(kind);
    seeds.add(scene.seed);
  }
  expect(seeds.size).toBe(photographs.length);
});

test("screens show the clock, and the battery's health where a photograph is of it", () => {
  for (const { model, shot } of photographs) {
    const front = drawFront(model, shot.screen ?? "off", "10:09");
    if (shot.screen === "lock" || typeof shot.screen === "object") expect(front).toContain(">10:09<");
    if (typeof shot.screen === "object") expect(front).toContain(`>${shot.screen.batteryHealth}%<`);
  }
});

test("a listing has its own photographs, in their order", () => {
  const [first] = photographs as [Photograph];
  expect(photoFiles(first.model.slug, first.rom)[0]).toBe(`${picturesFolder}/${first.name}.jpg`);
  expect(photoFiles(first.model.slug, "1 GB")).toEqual([]);
});
