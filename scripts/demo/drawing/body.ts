import type { DeviceModel, DeviceShape } from "../device-model";
import { clampLightness, shade, toOklch } from "./color";
import { type Box, circle, d, el, inset, path, roundRect } from "./svg";

export const bodyBox = ({ widthMm, heightMm }: DeviceShape): Box => ({
  x: 0,
  y: 0,
  width: widthMm,
  height: heightMm,
});

/** The visible width of the frame around the glass. */
export const frameMm = (model: DeviceModel) =>
  Math.min(model.deviceType === "Tablet" ? 1.5 : 1.15, model.shape.bezelMm.side * 0.45);

/** The outline's color. It contrasts with the body, since cards are light or dark depending on the theme. */
export function rim(frameHex: string): string {
  const { l } = toOklch(frameHex);
  return l < 0.55 ? clampLightness(shade(frameHex, 0.2), 0.5, 0.6) : shade(frameHex, -0.2);
}

interface Key {
  side: "left" | "right";
  /** Center and length as fractions of the body's height. */
  at: number;
  long: number;
}

export function keys({ os, deviceType, brandName, shape }: DeviceModel): Key[] {
  if (deviceType === "Tablet") {
    return [
      { side: "right", at: 0.1, long: 0.045 },
      { side: "right", at: 0.16, long: 0.045 },
    ];
  }
  if (os === "Ios") {
    return [
      { side: "right", at: shape.homeButton ? 0.2 : 0.3, long: shape.homeButton ? 0.07 : 0.115 },
      { side: "left", at: 0.17, long: 0.035 },
      { side: "left", at: 0.26, long: 0.065 },
      { side: "left", at: 0.345, long: 0.065 },
    ];
  }
  if (brandName === "OnePlus") {
    return [
      { side: "right", at: 0.24, long: 0.05 },
      { side: "right", at: 0.34, long: 0.075 },
      { side: "left", at: 0.3, long: 0.135 },
    ];
  }
  return [
    { side: "right", at: 0.25, long: 0.13 },
    { side: "right", at: 0.385, long: 0.075 },
  ];
}

/** Draws keys, frame and antenna lines. `mirrored` is the view from behind. */
export function drawFrame(model: DeviceModel, hair: number, mirrored: boolean): string {
  const { shape } = model;
  const body = bodyBox(shape);
  const edge = rim(shape.frameHex);
  const proud = 0.55;
  const drawnKeys = keys(model).map(({ side, at, long }) => {
    const atLeft = (side === "left") !== mirrored;
    const length = long * body.height;
    const box = {
      x: atLeft ? -proud : body.width - 1,
      y: at * body.height - length / 2,
      width: 1 + proud,
      height: length,
    };
    return roundRect(box, 0.5, {});
  });
  const line = toOklch(shape.frameHex).l < 0.5 ? shade(shape.frameHex, 0.22) : shade(shape.frameHex, -0.17);
  const wide = frameMm(model);
  const from = Math.max(shape.cornerMm * 1.15, 9);
  const bands = [from, body.height - from].map((y) => d`M0 ${y}h${wide}M${body.width - wide} ${y}h${wide}`);
  return [
    el("g", { fill: edge }, drawnKeys.join("")),
    roundRect(body, shape.cornerMm, { fill: edge }),
    roundRect(inset(body, hair), shape.cornerMm - hair, { fill: shape.frameHex }),
    path(bands.join(""), { stroke: line, "stroke-width": 1.1 }),
  ].join("");
}

/** Draws the back, lit from the upper left. `clip` is the id of its clip path. */
export function drawBack(model: DeviceModel, hair: number, clip: string, glossy: boolean): string {
  const { shape } = model;
  const { hex } = shape.color;
  const glass = inset(bodyBox(shape), frameMm(model));
  const radius = shape.cornerMm - frameMm(model);
  const { x, y, width, height } = glass;
  const light = toOklch(hex).l;
  const lit = shade(hex, light > 0.8 ? 0.035 : glossy ? 0.055 : 0.035);
  const dim = shade(hex, light > 0.8 ? -0.035 : -0.02);
  const slant = width * 0.85;
  const across = (from: number, to: number) =>
    path(d`M${x} ${y + from}L${x + width} ${y + from - slant}V${y + to - slant}L${x} ${y + to}z`, {
      fill: lit,
    });
  // Sharp reflections on a glossy back, a soft gradient on a frosted one.
  const planes = glossy
    ? across(-slant, height * 0.56) + across(height * 0.6, height * 0.64)
    : path(d`M${x} ${y}H${x + width}L${x} ${y + height * 0.92}z`, { fill: lit });
  return [
    el("clipPath", { id: clip }, roundRect(glass, radius, {})),
    el("g", { "clip-path": `url(#${clip})` }, roundRect(glass, 0, { fill: dim }) + planes),
    roundRect(inset(glass, hair / 2), radius - hair / 2, {
      fill: "none",
      stroke: shade(hex, light > 0.72 ? -0.1 : 0.13),
      "stroke-width": hair * 0.8,
    }),
  ].join("");
}

export function drawHomeButton(shape: DeviceShape, hair: number, white: boolean): string {
  const radius = Math.min(5.4, shape.bezelMm.bottom * 0.36);
  const x = shape.widthMm / 2;
  const y = shape.heightMm - shape.bezelMm.bottom / 2;
  return circle(x, y, radius, {
    fill: white ? "#ece9e4" : "#15171c",
    stroke: white ? shade(shape.frameHex, -0.12) : "#6d7078",
    "stroke-width": hair * 1.2,
  });
}
