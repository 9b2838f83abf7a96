import type { DeviceModel } from "../device-model";
import { frameMm, keys } from "../drawing/body";
import { shade, toOklch } from "../drawing/color";
import { randomFrom } from "../drawing/random";
import { hasWhiteFront } from "../drawing/screen";
import type { Screen } from "./front";

/** Lines of a scratch on a face of 1 by 1: x, y upward, angle in degrees, length, width in pixels, strength. */
type ScratchLine = [x: number, y: number, angle: number, length: number, width: number, strength: number];

/** What a device has been through. */
export interface Wear {
  /** Fingerprints and dust, from 0 to 1. */
  dirt?: number;
  marks?: { side: "front" | "back"; lines: ScratchLine[] }[];
  /** Bare metal near the corners, from 0 to 1. */
  wear?: number;
  /** A line on the bottom edge, toward the left of the screen. */
  scratch?: { fromPortMm: number; longMm: number; angle: number };
  dent?: {
    corner: "bottom left" | "bottom right" | "top left" | "top right";
    radiusMm: number;
    depthMm: number;
    fromCornerMm: number;
  };
}

export interface Shot {
  /** Ends the name of its file. */
  name: string;
  /** What it shows, in a few words. */
  shows: string;
  /** In pixels. */
  size?: "landscape" | "portrait";
  table: keyof typeof tables;
  light: keyof typeof lights;
  screen?: Screen;
  clock?: string;
  /** Side up, or leaning on something; degrees and centimeters. */
  pose: {
    side: "front" | "back" | "leaning";
    turn?: number;
    x?: number;
    y?: number;
    z?: number;
    lean?: number;
  };
  /** In a device's half widths and heights and its depth, for what the camera looks at. */
  look: [x: number, y: number, z: number];
  focus?: [x: number, y: number, z: number];
  /** Centimeters on the table from there. */
  off?: [x: number, y: number];
  distance: number;
  elevation: number;
  azimuth?: number;
  tilt?: number;
  /** Its equivalent on 35 mm film. */
  lensMm?: number;
  apertureCm?: number;
  exposure?: number;
  things?: ({ kind: string } & Record<string, unknown>)[];
}

export const sizes = { landscape: [1024, 768], portrait: [768, 1024] } as const;

export const tables = {
  oak: {
    name: "oak",
    pattern: "wood",
    seed: 11,
    light: "#b98a58",
    dark: "#6b3f1c",
    sizeCm: 62,
    planks: 5,
    bump: 0.35,
  },
  walnut: {
    name: "walnut",
    pattern: "wood",
    seed: 23,
    light: "#74492c",
    dark: "#2e180c",
    sizeCm: 70,
    planks: 4,
    bump: 0.3,
  },
  linen: {
    name: "linen",
    pattern: "cloth",
    seed: 3,
    light: "#bfae93",
    sizeCm: 17,
    threads: 300,
    bump: 0.4,
    bumpCm: 0.02,
  },
  stone: {
    name: "stone",
    pattern: "stone",
    seed: 5,
    light: "#a9a39b",
    dark: "#4f4d4c",
    sizeCm: 30,
    specular: 0.5,
    bump: 0.05,
  },
  mat: { name: "mat", pattern: "felt", seed: 7, light: "#4a4f57", sizeCm: 26, bump: 0.5, bumpCm: 0.03 },
  bed: {
    name: "bed",
    pattern: "cloth",
    seed: 9,
    light: "#b9c4cc",
    sizeCm: 15,
    threads: 240,
    bump: 0.5,
    bumpCm: 0.03,
    folds: 1,
  },
  blanket: {
    name: "blanket",
    pattern: "cloth",
    seed: 19,
    light: "#cdbfa8",
    sizeCm: 15,
    threads: 90,
    bump: 0.8,
    bumpCm: 0.04,
    folds: 1.7,
  },
  ash: {
    name: "ash",
    pattern: "wood",
    seed: 31,
    light: "#d3bfa2",
    dark: "#94775a",
    sizeCm: 74,
    planks: 3,
    bump: 0.25,
  },
  quartz: {
    name: "quartz",
    pattern: "stone",
    seed: 17,
    light: "#dedbd5",
    dark: "#a39e97",
    sizeCm: 34,
    specular: 0.5,
    bump: 0.04,
  },
  tablecloth: {
    name: "tablecloth",
    pattern: "cloth",
    seed: 13,
    light: "#84898a",
    sizeCm: 16,
    threads: 280,
    bump: 0.4,
    bumpCm: 0.02,
  },
  slate: {
    name: "slate",
    pattern: "stone",
    seed: 29,
    light: "#66686c",
    dark: "#2a2b2e",
    sizeCm: 36,
    specular: 0.4,
    bump: 0.08,
  },
} as const;

/** Where the light comes from: the room is turned by degrees. */
export const lights = {
  window: { evening: false, turn: 20, balance: [0.97, 1, 1.06] },
  windowLeft: { evening: false, turn: 75, balance: [0.98, 1, 1.03] },
  windowRight: { evening: false, turn: -60, balance: [1.01, 1, 1] },
  windowWarm: { evening: false, turn: -60, balance: [1.04, 1, 0.9] },
  windowBehind: { evening: false, turn: 165, balance: [1, 1, 1.02] },
  sun: {
    evening: false,
    turn: 60,
    balance: [0.98, 1, 1.03],
    sun: { strength: 5.5, elevation: 38, azimuth: 118, paneCm: [13, 24], at: [2, 3] },
  },
  evening: { evening: true, turn: 0, balance: [1.0, 0.98, 1.02] },
  eveningLeft: { evening: true, turn: 95, balance: [1.02, 1, 0.96] },
} as const;

/** Whose sides are flat. Catalogs do not say it. */
const flatSides = ({ os, deviceType, released, shape, slug }: DeviceModel) =>
  deviceType === "Tablet" ||
  (os === "Ios" && released >= "2020-10" && !shape.homeButton) ||
  ["google-pixel-9", "samsung-galaxy-s24", "nothing-phone-1", "asus-zenfone-9", "fairphone-5"].includes(slug);

const mattBacks = /-pro$|galaxy-s2[134]$|motorola|zenfone|pixel-5|fairphone|oneplus-11/;

function describeDevice(model: DeviceModel, wear: Wear) {
  const { shape, depthMm, deviceType, os, slug } = model;
  const isTablet = deviceType === "Tablet";
  const back = isTablet ? "metal" : mattBacks.test(slug) ? "matt" : "gloss";
  const light = toOklch(shape.color.hex).l;
  const isSoft = /15(-pro)?$/.test(slug);
  const hasUsbC = os === "Android" || /iphone-15|ipad-(air|mini-6|10|pro)/.test(slug);
  return {
    ...shape,
    depthMm,
    rimMm: frameMm(model),
    edge: flatSides(model) ? "flat" : "round",
    edgeMm: isSoft ? 1.1 : 0.45,
    back,
    finish: /iphone-1[134]-pro$/.test(slug) ? "polished" : "matt",
    antenna: !isTablet,
    backHex: shape.color.hex,
    frameHex: isTablet ? shape.color.hex : shape.frameHex,
    islandHex: shade(shape.color.hex, light > 0.85 ? -0.04 : light > 0.5 ? 0.03 : 0.05),
    port: hasUsbC
      ? { widthMm: 8.9, heightMm: 3.1, tongue: true }
      : { widthMm: 7.4, heightMm: 2.4, tongue: false },
    holes: isTablet ? { left: 8, right: 8, gapMm: 30 } : { left: os === "Ios" ? 3 : 1, right: 6, gapMm: 7.5 },
    bumpCm: shape.rear.island === "none" ? 0.12 : shape.rear.island === "square" ? 0.26 : 0.2,
    keys: keys(model),
    dirt: 0.45,
    ...wear,
  };
}

/** Describes a picture for `blender/picture.py`. */
export function describeScene(
  model: DeviceModel,
  wear: Wear,
  shot: Shot,
  name: string,
  files: { front: string; output: string; folder: string; textures: string },
  quality: { scale: number; samples: number; threshold: number },
) {
  const random = randomFrom(name);
  const light = lights[shot.light];
  const between = (low: number, high: number) => low + random() * (high - low);
  return {
    seed: Math.floor(random() * 100_000),
    output: files.output,
    folder: files.folder,
    textures: files.textures,
    quality,
    light,
    table: { ...tables[shot.table], turn: between(-7, 7), at: [between(-14, 14), between(8, 14)] },
    device: describeDevice(model, wear),
    pose: shot.pose,
    screen: {
      file: files.front,
      brightness: shot.screen === "off" ? 0 : light.evening ? 0.6 : 0.9,
      border: hasWhiteFront(model) ? "#efede9" : "#07080a",
    },
    things: shot.things ?? [],
    camera: {
      size: sizes[shot.size ?? "landscape"],
      look: shot.look,
      focus: shot.focus ?? shot.look,
      off: shot.off ?? [0, 0],
      distance: shot.distance,
      elevation: shot.elevation,
      azimuth: shot.azimuth ?? 0,
      tilt: shot.tilt ?? between(-3.5, 3.5),
      lensMm: shot.lensMm ?? 34,
      apertureCm: shot.apertureCm ?? 0.17,
      exposure: (shot.exposure ?? 0) + (light.evening ? 0.9 : 0.35) + between(-0.12, 0.12),
      balance: light.balance.map((value) => value * between(0.98, 1.02)),
      vignette: between(0.1, 0.2),
      grain: light.evening ? 0.02 : 0.011,
    },
  };
}
