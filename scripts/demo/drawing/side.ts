import type { DeviceModel } from "../device-model";
import { keys, rim } from "./body";
import { shade, toOklch } from "./color";
import { type Box, roundRect } from "./svg";

/** How far the camera stands out from the back, in millimeters. */
const BUMP = 1.7;

/** Draws one edge of an upright device, in millimeters. The screen faces left on its right edge, and right on its left edge. */
export function drawSide(model: DeviceModel, hair: number, side: "left" | "right"): string {
  const { shape, depthMm } = model;
  const { heightMm, frameHex, color, cornerMm, rear } = shape;
  const edge = rim(frameHex);
  const isDark = toOklch(frameHex).l < 0.5;
  /** A box between two depths, counted from the screen. */
  const strip = (from: number, to: number, y: number, height: number): Box => ({
    x: side === "right" ? from : depthMm - to,
    y,
    width: to - from,
    height,
  });
  const bump =
    rear.island === "none"
      ? ""
      : roundRect(strip(depthMm - 1, depthMm + BUMP * 0.6, rear.yMm, rear.heightMm), 0.8, {
          fill: rear.island === "square" || rear.island === "pill" ? color.hex : frameHex,
          stroke: edge,
          "stroke-width": hair,
        });
  const lensTop = Math.min(...rear.lenses.map(({ yMm, radiusMm }) => yMm - radiusMm));
  const lensEnd = Math.max(...rear.lenses.map(({ yMm, radiusMm }) => yMm + radiusMm));
  const lenses = roundRect(strip(depthMm - 1, depthMm + BUMP, lensTop, lensEnd - lensTop), 0.6, {
    fill: "#14161c",
  });
  const glass = 0.9;
  const inner = strip(glass, depthMm - glass, 0, heightMm);
  const bands = [Math.max(cornerMm * 1.15, 9), heightMm - Math.max(cornerMm * 1.15, 9)].map((y) =>
    roundRect({ ...inner, y: y - 0.5, height: 1 }, 0, { fill: shade(frameHex, isDark ? 0.2 : -0.16) }),
  );
  const buttons = keys(model)
    .filter((key) => key.side === side)
    .map(({ at, long }) =>
      roundRect(
        strip(depthMm / 2 - 1.3, depthMm / 2 + 1.3, (at - long / 2) * heightMm, long * heightMm),
        1.3,
        { fill: shade(frameHex, isDark ? 0.07 : -0.06), stroke: edge, "stroke-width": hair },
      ),
    );
  return [
    lenses,
    bump,
    roundRect(strip(0, depthMm, 0, heightMm), depthMm * 0.28, { fill: edge }),
    roundRect(strip(0.25, glass + 1, 0.8, heightMm - 1.6), depthMm * 0.25, { fill: "#101218" }),
    roundRect(strip(depthMm - glass - 1, depthMm - 0.25, 0.8, heightMm - 1.6), depthMm * 0.25, {
      fill: color.hex,
    }),
    roundRect({ ...inner, y: hair, height: heightMm - 2 * hair }, depthMm * 0.2, { fill: frameHex }),
    roundRect(strip(depthMm * 0.3, depthMm * 0.48, 2, heightMm - 4), 0.8, {
      fill: "#fff",
      "fill-opacity": 0.16,
    }),
    ...bands,
    ...buttons,
  ].join("");
}
