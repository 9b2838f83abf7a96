import type { Shot, Wear } from "./scene";

/** The photographs of a listing, in their order. They show what it says. */
export interface Photographed {
  slug: string;
  rom: string;
  wear: Wear;
  shots: Shot[];
}

const cable = (x: number, y: number, turn = 0) => ({ kind: "cable", x, y, turn });

/** Newest listings first. */
export const photographed: Photographed[] = [
  {
    slug: "google-pixel-9",
    rom: "128 GB",
    wear: { dirt: 0.2 },
    shots: [
      {
        name: "front",
        shows: "the front, lit",
        table: "oak",
        light: "sun",
        screen: "lock",
        clock: "10:24",
        pose: { side: "front", turn: 8 },
        look: [0.1, 0, 1],
        distance: 26,
        elevation: 50,
      },
      {
        name: "back",
        shows: "the back",
        table: "oak",
        light: "window",
        pose: { side: "back", turn: -14 },
        look: [0, 0, 0],
        distance: 25,
        elevation: 46,
        azimuth: 8,
      },
      {
        name: "cable",
        shows: "with its cable",
        table: "oak",
        light: "window",
        screen: "home",
        clock: "10:31",
        pose: { side: "front", turn: -6, x: -5 },
        look: [0.9, 0, 1],
        distance: 34,
        elevation: 62,
        things: [cable(8, 1.5, 20)],
      },
    ],
  },
  {
    slug: "apple-ipad-air-5",
    rom: "64 GB",
    wear: { dirt: 0.45 },
    shots: [
      {
        name: "front",
        shows: "the front, lit",
        table: "linen",
        light: "window",
        screen: "home",
        clock: "4:12",
        pose: { side: "front", turn: 6 },
        look: [0, 0.05, 1],
        distance: 38,
        elevation: 43,
        things: [
          { kind: "mug", x: -15, y: 17, turn: 200 },
          { kind: "notebook", x: 22.5, y: 13, turn: -24, hex_color: "#a5563f" },
        ],
        lensMm: 32,
      },
    ],
  },
  {
    slug: "samsung-galaxy-s24",
    rom: "128 GB",
    wear: { dirt: 0.4, scratch: { fromPortMm: 9, longMm: 11, angle: 9 } },
    shots: [
      {
        name: "back",
        shows: "the back",
        table: "stone",
        light: "windowRight",
        pose: { side: "back", turn: 22 },
        look: [0, 0.05, 0],
        distance: 25,
        elevation: 48,
      },
      {
        name: "scratch",
        shows: "the hairline scratch near the charging port",
        table: "stone",
        light: "windowRight",
        pose: { side: "back", turn: 10 },
        look: [-0.15, -1, 0.5],
        distance: 9.5,
        elevation: 16,
        azimuth: 8,
        lensMm: 36,
        apertureCm: 0.12,
      },
    ],
  },
  {
    slug: "apple-iphone-12",
    rom: "128 GB",
    wear: { dirt: 0.5 },
    shots: [
      {
        name: "battery",
        shows: "the battery's health",
        size: "portrait",
        table: "walnut",
        light: "evening",
        screen: { batteryHealth: 97 },
        clock: "7:48",
        pose: { side: "front", turn: 4 },
        look: [0, 0, 1],
        distance: 26,
        elevation: 64,
      },
      {
        name: "back",
        shows: "the back",
        table: "walnut",
        light: "evening",
        pose: { side: "back", turn: 14 },
        look: [0, 0.05, 0],
        distance: 25,
        elevation: 46,
        azimuth: -10,
      },
    ],
  },
  {
    slug: "apple-ipad-10",
    rom: "64 GB",
    wear: {
      dirt: 0.6,
      dent: { corner: "bottom right", radiusMm: 7, depthMm: 1.6, fromCornerMm: 2 },
    },
    shots: [
      {
        name: "front",
        shows: "the front, lit",
        table: "bed",
        light: "window",
        screen: "home",
        clock: "2:35",
        pose: { side: "front", turn: -10 },
        look: [0, 0, 1],
        distance: 44,
        elevation: 55,
        lensMm: 32,
      },
      {
        name: "dent",
        shows: "the dent in a corner",
        table: "bed",
        light: "window",
        pose: { side: "back", turn: 0 },
        look: [0.9, -0.95, 0.4],
        distance: 13,
        elevation: 38,
        azimuth: -30,
        apertureCm: 0.13,
      },
    ],
  },
];
