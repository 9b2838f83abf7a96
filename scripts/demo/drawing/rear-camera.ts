import type { DeviceModel, RearCamera } from "../device-model";
import { frameMm } from "./body";
import { shade, toOklch } from "./color";
import { type Box, circle, d, el, path, roundRect } from "./svg";

const boxOf = ({ xMm, yMm, widthMm, heightMm }: RearCamera): Box => ({
  x: xMm,
  y: yMm,
  width: widthMm,
  height: heightMm,
});

function lensBox({ lenses }: RearCamera): Box {
  const x = Math.min(...lenses.map((lens) => lens.xMm - lens.radiusMm));
  const y = Math.min(...lenses.map((lens) => lens.yMm - lens.radiusMm));
  return {
    x,
    y,
    width: Math.max(...lenses.map((lens) => lens.xMm + lens.radiusMm)) - x,
    height: Math.max(...lenses.map((lens) => lens.yMm + lens.radiusMm)) - y,
  };
}

const grow = (box: Box, by: number): Box => ({
  x: box.x - by,
  y: box.y - by,
  width: box.width + 2 * by,
  height: box.height + 2 * by,
});

/** Draws a raised plate: shadow, edge and face. */
function plate(box: Box, radius: number, face: string, hair: number): string {
  const light = toOklch(face).l;
  return [
    roundRect({ ...box, x: box.x + 0.5, y: box.y + 0.9 }, radius, { fill: "#05070c", "fill-opacity": 0.2 }),
    roundRect(box, radius, {
      fill: face,
      stroke: shade(face, light > 0.7 ? -0.13 : 0.15),
      "stroke-width": hair,
    }),
  ].join("");
}

const GLASS = "#101218";

function drawIsland(model: DeviceModel, hair: number): string {
  const { rear, color, frameHex, widthMm, cornerMm } = model.shape;
  const box = boxOf(rear);
  const light = toOklch(color.hex).l;
  const tonal = shade(color.hex, light > 0.85 ? -0.045 : light > 0.5 ? 0.07 : 0.085);
  const pane = grow(lensBox(rear), 1.1);
  const paneOf = () => roundRect(pane, pane.height / 2, { fill: GLASS });
  switch (rear.island) {
    case "none":
      return "";
    case "square":
      return plate(box, Math.min(box.width, box.height) * 0.27, tonal, hair);
    case "pill":
      return plate(box, box.width / 2, tonal, hair);
    case "circle":
      return (
        plate(box, box.width / 2, frameHex, hair) +
        circle(box.x + box.width / 2, box.y + box.height / 2, box.width / 2 - 1.5, { fill: GLASS })
      );
    case "visor":
      return plate(box, box.height / 2, frameHex, hair) + paneOf();
    case "bar": {
      const edge = frameMm(model) * 0.3;
      return plate({ ...box, x: edge, width: widthMm - 2 * edge }, 0.6, frameHex, hair) + paneOf();
    }
    case "corner": {
      // Joined to the frame, so only its inner corner is round.
      const right = box.x + box.width;
      const bottom = box.y + box.height;
      const r = box.width * 0.42;
      const corner = cornerMm - hair;
      const outline = d`M${hair} ${bottom}H${right - r}A${r} ${r} 0 0 0 ${right} ${bottom - r}V${hair}H${cornerMm}A${corner} ${corner} 0 0 0 ${hair} ${cornerMm}z`;
      return path(outline, {
        fill: frameHex,
        stroke: shade(frameHex, toOklch(frameHex).l > 0.7 ? -0.13 : 0.13),
        "stroke-width": hair,
      });
    }
  }
}

/** Draws a lens of radius 1, which `<use>` places and scales. */
function lensSymbol(id: string, ring: string, coating: string): string {
  return el(
    "g",
    { id },
    [
      circle(0, 0, 1, { fill: ring }),
      circle(0, 0, 0.85, { fill: "#08090d" }),
      circle(0, 0, 0.6, { fill: "#1a1f2b" }),
      circle(0, 0, 0.42, { fill: coating }),
      circle(0, 0, 0.24, { fill: "#06070b" }),
      path("M-.62 -.22A.66 .66 0 0 1 -.1 -.65", {
        fill: "none",
        stroke: "#fff",
        "stroke-opacity": 0.28,
        "stroke-width": 0.07,
      }),
      circle(-0.24, -0.27, 0.1, { fill: "#fff", "fill-opacity": 0.9 }),
    ].join(""),
  );
}

/** Draws the rear camera in millimetres from the back's top left corner. */
export function drawRearCamera(model: DeviceModel, hair: number, id: string, coating: string): string {
  const { rear, frameHex } = model.shape;
  const onGlass = rear.island === "circle" || rear.island === "bar" || rear.island === "visor";
  const frameLight = toOklch(frameHex).l;
  const ring = onGlass ? "#3a3e48" : frameLight < 0.64 ? shade(frameHex, 0.16) : shade(frameHex, -0.1);
  const lenses = rear.lenses.map((lens) =>
    el("use", { href: `#${id}`, transform: d`translate(${lens.xMm} ${lens.yMm})scale(${lens.radiusMm})` }),
  );
  const flash =
    rear.flash && drawFlash(rear.flash.xMm, rear.flash.yMm, model.deviceType === "Tablet" ? 1.2 : 1.55, hair);
  return [el("defs", {}, lensSymbol(id, ring, coating)), drawIsland(model, hair), ...lenses, flash].join("");
}

const drawFlash = (x: number, y: number, radius: number, hair: number) =>
  circle(x, y, radius, { fill: "#f4e6c4", stroke: "#8d8266", "stroke-width": hair * 0.8 }) +
  circle(x, y, radius * 0.45, { fill: "#fffaf0" });
