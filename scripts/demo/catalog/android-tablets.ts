import type { DrawnModel } from "../device-model";
import { at, bezel, body, column, island, lens, lone } from "./shapes";

/** These tablets have no cutout and no home button. */
const plainFront = { cutout: "none", homeButton: false } as const;

export const androidTablets: DrawnModel[] = [
  {
    slug: "samsung-galaxy-tab-s6-lite",
    depthMm: 7,
    brandName: "Samsung",
    model: "Galaxy Tab S6 Lite",
    released: "2020-04",
    shape: {
      ...plainFront,
      ...body(154.3, 244.5, 9, 3),
      bezelMm: bezel(9.2, 9),
      color: { hex: "#8fb1cf", name: "Angora Blue" },
      frameHex: "#7d9cb8",
      rear: lone([lens(15, 15.4, 4.6)]),
    },
  },
  {
    slug: "samsung-galaxy-tab-s8",
    depthMm: 6.3,
    brandName: "Samsung",
    model: "Galaxy Tab S8",
    released: "2022-02",
    shape: {
      ...plainFront,
      ...body(165.3, 253.8, 9.5, 3.5),
      bezelMm: bezel(8.6, 8.45),
      color: { hex: "#eac3b6", name: "Pink Gold" },
      frameHex: "#d6a99a",
      rear: island("pill", [9, 9.4, 11.6, 31], column(14.8, [15.6, 26.6], 4.2), at(14.8, 35.2)),
    },
  },
  {
    slug: "samsung-galaxy-tab-s9-fe",
    depthMm: 6.5,
    brandName: "Samsung",
    model: "Galaxy Tab S9 FE",
    released: "2023-10",
    shape: {
      ...plainFront,
      ...body(165.8, 254.3, 10, 3.5),
      bezelMm: bezel(9.5, 9.7),
      color: { hex: "#c4e3d3", name: "Mint" },
      frameHex: "#aacdbb",
      rear: lone([lens(16, 16.2, 5.6)]),
    },
  },
  {
    slug: "lenovo-tab-p11-pro",
    depthMm: 5.8,
    brandName: "Lenovo",
    model: "Tab P11 Pro",
    released: "2020-11",
    shape: {
      ...plainFront,
      ...body(171.4, 264.3, 8, 3),
      bezelMm: bezel(8.3, 8.3),
      color: { hex: "#767d85", name: "Slate Grey" },
      frameHex: "#5f656c",
      rear: island("pill", [9, 9, 13, 30], column(15.5, [16, 27.4], 4.6), at(15.5, 35)),
    },
  },
  {
    slug: "xiaomi-pad-6",
    depthMm: 6.5,
    brandName: "Xiaomi",
    model: "Pad 6",
    released: "2023-04",
    shape: {
      ...plainFront,
      ...body(165.2, 254, 11, 4),
      bezelMm: bezel(8.5, 8.55),
      color: { hex: "#ead7b7", name: "Champagne" },
      frameHex: "#d3bd98",
      rear: island("square", [8.4, 8.4, 26, 29], [lens(17.4, 17.4, 6.2)], at(17.4, 31)),
    },
  },
  {
    slug: "oneplus-pad",
    depthMm: 6.5,
    brandName: "OnePlus",
    model: "Pad",
    released: "2023-05",
    shape: {
      ...plainFront,
      ...body(189.4, 258, 12, 4.5),
      bezelMm: bezel(9, 9),
      color: { hex: "#6f9180", name: "Halo Green" },
      frameHex: "#5d7c6c",
      // Designed for landscape orientation, so the camera is on the long edge.
      rear: island("circle", [12, 115, 28, 28], [lens(26, 129, 8)], at(26, 140)),
    },
  },
  {
    slug: "google-pixel-tablet",
    depthMm: 8.1,
    brandName: "Google",
    model: "Pixel Tablet",
    released: "2023-06",
    shape: {
      ...plainFront,
      ...body(169, 258, 14, 4.5),
      bezelMm: bezel(10.8, 11.1),
      color: { hex: "#f1d2c9", name: "Rose" },
      frameHex: "#dfb9ae",
      rear: lone([lens(17.4, 17.4, 4.4)]),
    },
  },
];
