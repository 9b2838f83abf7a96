import type { DeviceShape, DrawnModel, RearCamera } from "../device-model";
import { at, bezel, body, column, island, lens, lone } from "./shapes";

type Front = Omit<DeviceShape, "color" | "frameHex" | "rear">;

/** The 4.7-inch body with a home button: iPhone 8 and the SE after it. */
const homeButtonFront: Front = {
  ...body(67.3, 138.4, 10.5, 0),
  bezelMm: bezel(4.4, 17.2),
  cutout: "none",
  homeButton: true,
};

/** The 6.1-inch LCD body: iPhone XR and 11. */
const lcdFront: Front = {
  ...body(75.7, 150.9, 12, 6.5),
  bezelMm: bezel(5.6, 5.65),
  cutout: "notch",
  homeButton: false,
};

/** The flat-sided 6.1-inch body with a notch: iPhone 12, 13, 13 Pro and 14. */
const flatFront: Front = {
  ...body(71.5, 146.7, 11.3, 7.8),
  bezelMm: bezel(3.45, 3.45),
  cutout: "notch",
  homeButton: false,
};

/** The flat-sided 5.4-inch body: iPhone 12 mini and 13 mini. */
const miniFront: Front = {
  ...body(64.2, 131.5, 10.1, 6.8),
  bezelMm: bezel(3.3, 3.3),
  cutout: "notch",
  homeButton: false,
};

const singleLens = lone([lens(12.4, 12.4, 5.2)], at(24.6, 12.4));

/** Two lenses in a column on a square island, the flash beside them. */
const stackedPair = (width: number, height: number, radius: number): RearCamera => {
  const top = 4.2;
  const x = top + 2.2 + radius;
  const y = top + 2.2 + radius;
  const lowerY = top + height - 2.2 - radius;
  return island(
    "square",
    [top, top, width, height],
    column(x, [y, lowerY], radius),
    at(top + width - 6.4, top + height / 2),
  );
};

/** Two lenses in opposite corners of a square island, the flash in a third corner. */
const diagonalPair = (size: number, radius: number): RearCamera => {
  const left = 4.2;
  const near = left + 2 + radius;
  const far = left + size - 2 - radius;
  return island(
    "square",
    [left, left, size, size],
    [lens(near, near, radius), lens(far, far, radius)],
    at(far, near),
  );
};

/** Three lenses in a triangle, the flash above the right one. */
const triangle = (size: number, radius: number): RearCamera => {
  const left = 4.2;
  const near = left + 1.9 + radius;
  const far = left + size - 1.9 - radius;
  const middle = left + size / 2;
  return island(
    "square",
    [left, left, size, size],
    [lens(near, near, radius), lens(near, far, radius), lens(far, middle, radius)],
    at(far + 1, left + 5.4),
  );
};

export const iphones: DrawnModel[] = [
  {
    brandName: "Apple",
    slug: "apple-iphone-8",
    depthMm: 7.3,
    model: "iPhone 8",
    released: "2017-09",
    shape: {
      ...homeButtonFront,
      color: { hex: "#f1d8c6", name: "Gold" },
      frameHex: "#e0bfa6",
      rear: singleLens,
    },
  },
  {
    brandName: "Apple",
    slug: "apple-iphone-xr",
    depthMm: 8.3,
    model: "iPhone XR",
    released: "2018-10",
    shape: {
      ...lcdFront,
      color: { hex: "#ff6f59", name: "Coral" },
      frameHex: "#ee8472",
      rear: lone([lens(13.6, 14, 6.4)], at(13.6, 27.6)),
    },
  },
  {
    brandName: "Apple",
    slug: "apple-iphone-11",
    depthMm: 8.3,
    model: "iPhone 11",
    released: "2019-09",
    shape: {
      ...lcdFront,
      color: { hex: "#aee1cd", name: "Green" },
      frameHex: "#8fcbb3",
      rear: stackedPair(29, 30.4, 6),
    },
  },
  {
    brandName: "Apple",
    slug: "apple-iphone-11-pro",
    depthMm: 8.1,
    model: "iPhone 11 Pro",
    released: "2019-09",
    shape: {
      ...body(71.4, 144, 11.5, 6.5),
      bezelMm: bezel(4.5, 4.45),
      cutout: "notch",
      homeButton: false,
      color: { hex: "#4f6156", name: "Midnight Green" },
      frameHex: "#5f6b60",
      rear: triangle(30.6, 6.2),
    },
  },
  {
    brandName: "Apple",
    slug: "apple-iphone-se-2",
    depthMm: 7.3,
    model: "iPhone SE (2nd generation)",
    released: "2020-04",
    shape: {
      ...homeButtonFront,
      color: { hex: "#c8102e", name: "Product Red" },
      frameHex: "#a50d26",
      rear: singleLens,
    },
  },
  {
    brandName: "Apple",
    slug: "apple-iphone-12-mini",
    depthMm: 7.4,
    model: "iPhone 12 mini",
    released: "2020-11",
    shape: {
      ...miniFront,
      color: { hex: "#1f4f82", name: "Blue" },
      frameHex: "#2f5f8f",
      rear: stackedPair(27, 29.2, 5.8),
    },
  },
  {
    brandName: "Apple",
    slug: "apple-iphone-12",
    depthMm: 7.4,
    model: "iPhone 12",
    released: "2020-10",
    shape: {
      ...flatFront,
      color: { hex: "#b7afe6", name: "Purple" },
      frameHex: "#9d95d0",
      rear: stackedPair(28, 30, 6),
    },
  },
  {
    brandName: "Apple",
    slug: "apple-iphone-13-mini",
    depthMm: 7.7,
    model: "iPhone 13 mini",
    released: "2021-09",
    shape: {
      ...miniFront,
      color: { hex: "#42604a", name: "Green" },
      frameHex: "#4f6c56",
      rear: diagonalPair(28.4, 6.3),
    },
  },
  {
    brandName: "Apple",
    slug: "apple-iphone-13",
    depthMm: 7.7,
    model: "iPhone 13",
    released: "2021-09",
    shape: {
      ...flatFront,
      color: { hex: "#fadad3", name: "Pink" },
      frameHex: "#ecbfb6",
      rear: diagonalPair(28.8, 6.4),
    },
  },
  {
    brandName: "Apple",
    slug: "apple-iphone-13-pro",
    depthMm: 7.7,
    model: "iPhone 13 Pro",
    released: "2021-09",
    shape: {
      ...flatFront,
      color: { hex: "#a3c2de", name: "Sierra Blue" },
      frameHex: "#b7cee2",
      rear: triangle(35.6, 7.6),
    },
  },
  {
    brandName: "Apple",
    slug: "apple-iphone-14",
    depthMm: 7.8,
    model: "iPhone 14",
    released: "2022-09",
    shape: {
      ...flatFront,
      color: { hex: "#f9e479", name: "Yellow" },
      frameHex: "#e6cd5c",
      rear: diagonalPair(29.4, 6.6),
    },
  },
  {
    brandName: "Apple",
    slug: "apple-iphone-14-pro",
    depthMm: 7.9,
    model: "iPhone 14 Pro",
    released: "2022-09",
    shape: {
      ...body(71.5, 147.5, 12.2, 9.1),
      bezelMm: bezel(3.2, 3.2),
      cutout: "pill",
      homeButton: false,
      color: { hex: "#5d4f6b", name: "Deep Purple" },
      frameHex: "#6f617c",
      rear: triangle(37.4, 8.1),
    },
  },
  {
    brandName: "Apple",
    slug: "apple-iphone-15",
    depthMm: 7.8,
    model: "iPhone 15",
    released: "2023-09",
    shape: {
      ...body(71.6, 147.6, 12.3, 9.1),
      bezelMm: bezel(3.25, 3.25),
      cutout: "pill",
      homeButton: false,
      color: { hex: "#cfe0e8", name: "Blue" },
      frameHex: "#b5cad4",
      rear: diagonalPair(29.8, 6.8),
    },
  },
  {
    brandName: "Apple",
    slug: "apple-iphone-15-pro",
    depthMm: 8.3,
    model: "iPhone 15 Pro",
    released: "2023-09",
    shape: {
      ...body(70.6, 146.6, 11.9, 9.1),
      bezelMm: bezel(2.75, 2.75),
      cutout: "pill",
      homeButton: false,
      color: { hex: "#b3aa9b", name: "Natural Titanium" },
      frameHex: "#948b7d",
      rear: triangle(36.4, 7.9),
    },
  },
];
