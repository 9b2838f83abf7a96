import type { DrawingView } from "#app/features/listings/drawing.rules.ts";
import type { DeviceModel } from "./device-model";
import { bodyBox, drawBack, drawFrame } from "./drawing/body";
import { drawFallback as drawOutline } from "./drawing/fallback";
import { randomFrom } from "./drawing/random";
import { drawRearCamera } from "./drawing/rear-camera";
import { drawScreen } from "./drawing/screen";
import { drawSide } from "./drawing/side";
import { d, el, roundRect } from "./drawing/svg";

/** All drawings have the same size, so that cards line up. */
const FRAME = { width: 400, height: 360 };

const GROUND = 348;

/** Drawing units per millimetre. */
const SCALE = { "Smart Phone": 2, Tablet: 1.23 };

/** The offset of the front to the right of the back, as a fraction of the body's width. */
const STEP = { "Smart Phone": 0.78, Tablet: 0.62 };

const COATINGS = ["#2c4a86", "#46397f", "#1f5a6b", "#5b3a6a"];

/** Places a drawing in millimeters with its foot at `ground`, with a shadow on the ground. */
function stand(model: DeviceModel, widthMm: number, x: number, ground: number, drawing: string): string {
  const scale = SCALE[model.deviceType];
  const width = widthMm * scale;
  const shadows = [3, -5].map((reach, at) =>
    el("ellipse", {
      cx: x + width / 2 + 6,
      cy: ground - 0.5,
      rx: width / 2 + Math.max(reach, -width / 3),
      ry: 5 - at * 2,
      "fill-opacity": 0.14,
    }),
  );
  const top = ground - model.shape.heightMm * scale;
  return shadows.join("") + el("g", { transform: d`translate(${x} ${top})scale(${scale})` }, drawing);
}

function drawBackSide(model: DeviceModel, hair: number): string {
  const { slug } = model;
  const random = randomFrom(`${slug} back`);
  const glossy = random() < 0.55;
  const coating = COATINGS[Math.floor(random() * COATINGS.length)] ?? "#2c4a86";
  return [
    drawFrame(model, hair, true),
    drawBack(model, hair, `${slug}-back`, glossy),
    drawRearCamera(model, hair, `${slug}-lens`, coating),
  ].join("");
}

/** Draws a device as SVG: its back, overlapped by its front. */
export function drawDevice(model: DeviceModel): string {
  const { slug, shape, deviceType } = model;
  const { widthMm } = shape;
  const scale = SCALE[deviceType];
  const step = STEP[deviceType] * widthMm;
  const hair = 0.75 / scale;
  const left = (FRAME.width - (widthMm + step) * scale) / 2;
  const lift = 10;
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
  const front = drawFrame(model, hair, false) + drawScreen(model, hair, `${slug}-screen`);
  return wholeSvg(
    stand(model, widthMm, left, GROUND - lift, drawBackSide(model, hair) + cast) +
      stand(model, widthMm, left + step * scale, GROUND, front),
  );
}

/** Draws the views of a device side by side in one SVG; a fragment such as `#back` selects one. */
export function drawViews(model: DeviceModel): string {
  const { slug, shape, deviceType, depthMm } = model;
  const scale = SCALE[deviceType];
  const hair = 0.75 / scale;
  const inMiddle = (widthMm: number, at: number, drawing: string) =>
    stand(model, widthMm, FRAME.width * at - (widthMm * scale) / 2, GROUND, drawing);
  const front = (isOn: boolean) =>
    drawFrame(model, hair, false) + drawScreen(model, hair, `${slug}-${isOn ? "on" : "off"}`, isOn);
  const drawings: Record<DrawingView, string> = {
    screen: inMiddle(shape.widthMm, 0.5, front(true)),
    back: inMiddle(shape.widthMm, 0.5, drawBackSide(model, hair)),
    front: inMiddle(shape.widthMm, 0.5, front(false)),
    side:
      inMiddle(depthMm, 0.36, drawSide(model, hair, "left")) +
      inMiddle(depthMm, 0.64, drawSide(model, hair, "right")),
  };
  return wholeSvg(
    Object.entries(drawings)
      .map(([id, drawing], index) => {
        const x = index * FRAME.width;
        return (
          el("view", { id, viewBox: `${x} 0 ${FRAME.width} ${FRAME.height}` }) +
          el("g", { transform: d`translate(${x} 0)` }, drawing)
        );
      })
      .join(""),
  );
}

/** Draws the SVG that replaces a missing picture. */
export const drawFallback = (deviceType: DeviceModel["deviceType"]) =>
  wholeSvg(drawOutline(deviceType, FRAME));

const wholeSvg = (drawing: string) =>
  el("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${FRAME.width} ${FRAME.height}` }, drawing);
