import type { DeviceShape, DrawnModel } from "../device-model";
import { at, bezel, body, column, island, lens, lone } from "./shapes";

const homeButton = { cutout: "none", homeButton: true } as const;
const noHomeButton = { cutout: "none", homeButton: false } as const;

/** iPad Air from the 4th generation on. */
const airFront: Omit<DeviceShape, "color" | "frameHex" | "rear"> = {
  ...noHomeButton,
  ...body(178.5, 247.6, 12.5, 3.5),
  bezelMm: bezel(10.35, 10.25),
};

export const ipads: DrawnModel[] = [
  {
    brandName: "Apple",
    slug: "apple-ipad-mini-5",
    depthMm: 6.1,
    model: "iPad mini (5th generation)",
    released: "2019-03",
    shape: {
      ...homeButton,
      ...body(134.8, 203.2, 11, 0),
      bezelMm: bezel(7.6, 21.8),
      color: { hex: "#f2d3bd", name: "Gold" },
      frameHex: "#dfb99f",
      rear: lone([lens(12.6, 12.8, 3.8)]),
    },
  },
  {
    brandName: "Apple",
    slug: "apple-ipad-9",
    depthMm: 7.5,
    model: "iPad (9th generation)",
    released: "2021-09",
    shape: {
      ...homeButton,
      ...body(174.1, 250.6, 12.5, 0),
      bezelMm: bezel(9.1, 21.4),
      color: { hex: "#dfe1e4", name: "Silver" },
      frameHex: "#c5c8cc",
      rear: lone([lens(13.4, 13.6, 3.9)]),
    },
  },
  {
    brandName: "Apple",
    slug: "apple-ipad-10",
    depthMm: 7,
    model: "iPad (10th generation)",
    released: "2022-10",
    shape: {
      ...noHomeButton,
      ...body(179.5, 248.6, 12.5, 3.5),
      bezelMm: bezel(10.85, 10.75),
      color: { hex: "#e5687c", name: "Pink" },
      frameHex: "#cf5168",
      rear: lone([lens(15.2, 15.4, 5.6)]),
    },
  },
  {
    brandName: "Apple",
    slug: "apple-ipad-air-4",
    depthMm: 6.1,
    model: "iPad Air (4th generation)",
    released: "2020-10",
    shape: {
      ...airFront,
      color: { hex: "#cce1c6", name: "Green" },
      frameHex: "#b2c9ab",
      rear: lone([lens(15, 15.2, 5.4)]),
    },
  },
  {
    brandName: "Apple",
    slug: "apple-ipad-air-5",
    depthMm: 6.1,
    model: "iPad Air (5th generation)",
    released: "2022-03",
    shape: {
      ...airFront,
      color: { hex: "#78a8c6", name: "Blue" },
      frameHex: "#6592b0",
      rear: lone([lens(15, 15.2, 5.4)]),
    },
  },
  {
    brandName: "Apple",
    slug: "apple-ipad-mini-6",
    depthMm: 6.3,
    model: "iPad mini (6th generation)",
    released: "2021-09",
    shape: {
      ...noHomeButton,
      ...body(134.8, 195.4, 12, 4),
      bezelMm: bezel(9.45, 9.4),
      color: { hex: "#d5cdea", name: "Purple" },
      frameHex: "#bcb2d6",
      rear: lone([lens(14.6, 14.8, 5.4)], at(14.6, 25.6)),
    },
  },
  {
    brandName: "Apple",
    slug: "apple-ipad-pro-11-3",
    depthMm: 5.9,
    model: "iPad Pro 11-inch (3rd generation)",
    released: "2021-05",
    shape: {
      ...noHomeButton,
      ...body(178.5, 247.6, 12, 3.5),
      bezelMm: bezel(9, 8.9),
      color: { hex: "#75777b", name: "Space Grey" },
      frameHex: "#5e6063",
      rear: island("square", [7, 7, 27, 27], column(14.8, [14.6, 26.4], 5), at(27, 14)),
    },
  },
];
