import type { DeviceModel } from "../device-model";
import { bodyBox, drawHomeButton, frameMm } from "./body";
import { toOklch } from "./color";
import { type Box, circle, d, el, inset, path, roundRect } from "./svg";
import { drawWallpaper } from "./wallpaper";

const GLASS = "#0b0c10";

/** Until the end of 2019, light bodies with a home button had a white front. */
export const hasWhiteFront = ({ shape, released }: DeviceModel) =>
  shape.homeButton && released < "2020" && toOklch(shape.color.hex).l > 0.7;

export function screenBox({ shape }: DeviceModel): Box {
  const { side, top, bottom } = shape.bezelMm;
  return { x: side, y: top, width: shape.widthMm - 2 * side, height: shape.heightMm - top - bottom };
}

/** The camera's position in or above the screen, in millimetres. */
export function drawCutout(model: DeviceModel, screen: Box): string {
  const { cutout, bezelMm, homeButton, widthMm } = model.shape;
  const middle = widthMm / 2;
  const top = screen.y;
  const hole = (x: number) => circle(x, top + 4.3, 2.1, { fill: GLASS }) + eye(x, top + 4.3);
  switch (cutout) {
    case "hole-center":
      return hole(middle);
    case "hole-left":
      return hole(screen.x + 6.5);
    case "hole-right":
      return hole(screen.x + screen.width - 6.5);
    case "pill":
      return (
        roundRect({ x: middle - 10.2, y: top + 2.2, width: 20.4, height: 6 }, 3, { fill: GLASS }) +
        eye(middle + 7, top + 5.2)
      );
    case "drop":
      return (
        path(d`M${middle - 5.4} ${top - 0.2}c2.6 0 2.4 5.6 5.4 5.6s2.8-5.6 5.4-5.6z`, { fill: GLASS }) +
        eye(middle, top + 2.6)
      );
    case "notch": {
      // Notches are 20 % narrower since autumn 2021.
      const half = model.released < "2021-09" ? 17.4 : 13.4;
      return (
        path(
          d`M${middle - half - 1.6} ${top - 0.2}q1.6 0 1.6 1.6v.6q0 3.4 3.4 3.4h${2 * half - 6.8}q3.4 0 3.4-3.4v-.6q0-1.6 1.6-1.6z`,
          { fill: GLASS },
        ) + eye(middle + half - 5, top + 2.7)
      );
    }
    case "none":
      return homeButton || model.deviceType === "Smart Phone"
        ? roundRect({ x: middle - 4.6, y: bezelMm.top / 2 - 0.5, width: 9.2, height: 1 }, 0.5, {
            fill: "#33363e",
          }) + eye(middle - 8, bezelMm.top / 2)
        : eye(middle, bezelMm.top / 2);
  }
}

const eye = (x: number, y: number) =>
  circle(x, y, 0.9, { fill: "#1f2a44" }) + circle(x - 0.25, y - 0.25, 0.28, { fill: "#8fa6d8" });

/** Draws the clock and the battery of the status bar as plain shapes, beside the camera. */
function drawStatus(model: DeviceModel, screen: Box, ink: string): string {
  const { cutout, screenCornerMm } = model.shape;
  const size = signSize(model);
  const y = screen.y + 3.5 * size;
  const margin = Math.max(4, screenCornerMm * 0.62);
  const left = screen.x + margin + (cutout === "hole-left" ? 6 : 0);
  const right = screen.x + screen.width - margin - (cutout === "hole-right" ? 6 : 0);
  const bar = (x: number, width: number, radius: number) =>
    roundRect({ x, y, width: width * size, height: 1.5 * size }, radius * size, {});
  return el(
    "g",
    { fill: ink, "fill-opacity": 0.82 },
    bar(left, 6, 0.75) +
      bar(right - 3.4 * size, 3.4, 0.5) +
      circle(right - 5 * size, y + 0.75 * size, 0.75 * size, {}),
  );
}

function drawSwipeLine(model: DeviceModel, screen: Box, ink: string): string {
  const size = signSize(model);
  const width = screen.width * 0.33;
  const box = {
    x: screen.x + (screen.width - width) / 2,
    y: screen.y + screen.height - 3 * size,
    width,
    height: 0.9 * size,
  };
  return roundRect(box, size, { fill: ink, "fill-opacity": 0.7 });
}

/** Tablets are drawn at a smaller scale, so the symbols on their screens are larger. */
const signSize = ({ deviceType }: DeviceModel) => (deviceType === "Tablet" ? 1.5 : 1);

/** Draws the front: bezel, screen and camera. */
export function drawScreen(model: DeviceModel, hair: number, clip: string, isOn = true): string {
  const { shape } = model;
  const frame = frameMm(model);
  const screen = screenBox(model);
  return [
    roundRect(inset(bodyBox(shape), frame), shape.cornerMm - frame, {
      fill: hasWhiteFront(model) ? "#f5f3ef" : GLASS,
    }),
    el("clipPath", { id: clip }, roundRect(screen, shape.screenCornerMm, {})),
    el("g", { "clip-path": `url(#${clip})` }, isOn ? drawLit(model, screen) : drawDark(screen)),
    drawCutout(model, screen),
    shape.homeButton ? drawHomeButton(shape, hair, hasWhiteFront(model)) : "",
  ].join("");
}

/** A window is reflected in the dark glass. */
function drawDark({ x, y, width, height }: Box): string {
  const band = (from: number, to: number, opacity: number) =>
    path(
      d`M${x + width * from} ${y}H${x + width * to}L${x + width * (to - 0.9)} ${y + height}H${x + width * (from - 0.9)}z`,
      {
        fill: "#fff",
        "fill-opacity": opacity,
      },
    );
  return (
    roundRect({ x, y, width, height }, 0, { fill: "#14161c" }) + band(0.5, 1.15, 0.06) + band(1.25, 1.4, 0.05)
  );
}

function drawLit(model: DeviceModel, screen: Box): string {
  const { slug, shape } = model;
  const wallpaper = drawWallpaper(slug, shape.color.hex, screen.width, screen.height);
  return [
    el("g", { transform: d`translate(${screen.x} ${screen.y})` }, wallpaper.drawing),
    path(d`M${screen.x} ${screen.y}h${screen.width}L${screen.x} ${screen.y + screen.width * 1.1}z`, {
      fill: "#fff",
      "fill-opacity": 0.06,
    }),
    shape.homeButton
      ? ""
      : drawStatus(model, screen, wallpaper.inkTop) + drawSwipeLine(model, screen, wallpaper.inkFoot),
  ].join("");
}
