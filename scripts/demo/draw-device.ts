import type { DeviceModel } from "./device-model";
import { bodyBox, drawBack, drawFrame } from "./drawing/body";
import { drawFallback as drawOutline } from "./drawing/fallback";
import { randomFrom } from "./drawing/random";
import { drawRearCamera } from "./drawing/rear-camera";
import { drawScreen } from "./drawing/screen";
import { d, el, roundRect } from "./drawing/svg";

/** All drawings have the same size, so that cards line up. */
export const FRAME = { width: 400, height: 360 };

const GROUND = 348;

/** Drawing units per millimetre. */
const SCALE = { "Smart Phone": 2, Tablet: 1.23 };

/** The offset of the front to the right of the back, as a fraction of the body's width. */
const STEP = { "Smart Phone": 0.78, Tablet: 0.62 };

const COATINGS = ["#2c4a86", "#46397f", "#1f5a6b", "#5b3a6a"];

/** Draws a device as SVG: its back, overlapped by its front. */
export function drawDevice(model: DeviceModel): string {
  const { slug, shape, deviceType } = model;
  const scale = SCALE[deviceType];
  const step = STEP[deviceType] * shape.widthMm;
  const hair = 0.75 / scale;
  const random = randomFrom(`${slug} back`);
  const glossy = random() < 0.55;
  const coating = COATINGS[Math.floor(random() * COATINGS.length)] ?? "#2c4a86";
  const left = (FRAME.width - (shape.widthMm + step) * scale) / 2;
  const width = shape.widthMm * scale;
  const lift = 10;

  const place = (x: number, ground: number, drawing: string) =>
    el("g", { transform: d`translate(${x} ${ground - shape.heightMm * scale})scale(${scale})` }, drawing);
  const shadow = (x: number, ground: number) =>
    [3, -5]
      .map((reach, at) =>
        el("ellipse", {
          cx: x + width / 2 + 6,
          cy: ground - 0.5,
          rx: width / 2 + reach,
          ry: 5 - at * 2,
          "fill-opacity": 0.14,
        }),
      )
      .join("");

  const cast = el(
    "g",
    { "clip-path": `url(#${slug}-back)`, fill: "#05070c" },
    [5, 2.4]
      .map((by) =>
        roundRect({ ...bodyBox(shape), x: step - by, y: lift / scale + 1 }, shape.cornerMm, {
          "fill-opacity": 0.13,
        }),
      )
      .join(""),
  );
  const back = [
    drawFrame(model, hair, true),
    drawBack(model, hair, `${slug}-back`, glossy),
    drawRearCamera(model, hair, `${slug}-lens`, coating),
    cast,
  ].join("");
  const front = drawFrame(model, hair, false) + drawScreen(model, hair, `${slug}-screen`);

  return wholeSvg(
    [
      shadow(left, GROUND - lift),
      place(left, GROUND - lift, back),
      shadow(left + step * scale, GROUND),
      place(left + step * scale, GROUND, front),
    ].join(""),
  );
}

/** Draws the SVG that replaces a missing picture. */
export const drawFallback = (deviceType: DeviceModel["deviceType"]) =>
  wholeSvg(drawOutline(deviceType, FRAME));

const wholeSvg = (drawing: string) =>
  el("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${FRAME.width} ${FRAME.height}` }, drawing);
