import { fileURLToPath } from "node:url";
import { catalog } from "../catalog";
import type { DeviceModel } from "../device-model";
import type { Shot, Wear } from "./scene";
import { photographed } from "./shots";

/** A photograph of the demo data. It is rendered: see docs/decisions/0014-rendered-photographs.md. */
export interface Photograph {
  /** Of its file, without `.jpg`. */
  name: string;
  model: DeviceModel;
  rom: string;
  wear: Wear;
  shot: Shot;
}

export const picturesFolder = fileURLToPath(new URL("pictures", import.meta.url));

/** The name of a listing's photographs, without what they show. */
const nameOf = (slug: string, rom: string) => `${slug}-${rom.replace(" ", "").toLowerCase()}`;

export const photographs: Photograph[] = photographed.flatMap(({ slug, rom, wear, shots }) => {
  const model = catalog.find((one) => one.slug === slug);
  if (!model) throw new Error(`The catalog has no ${slug}`);
  return shots.map((shot) => ({ name: `${nameOf(slug, rom)}-${shot.name}`, model, rom, wear, shot }));
});

/** The files of a listing's photographs, in their order. */
export function photoFiles(slug: string, rom: string): string[] {
  const start = `${nameOf(slug, rom)}-`;
  return photographs
    .filter(({ name }) => name.startsWith(start))
    .map(({ name }) => `${picturesFolder}/${name}.jpg`);
}
