import type { DeviceModel } from "../device-model";
import { circle, el, inset, roundRect } from "./svg";

const LINE = "#8b8780";

/** Draws the outline of a device, front and back, for listings whose picture fails to load. */
export function drawFallback(
  deviceType: DeviceModel["deviceType"],
  frame: { width: number; height: number },
): string {
  const phone = deviceType === "Smart Phone";
  const behind = phone ? "phone-behind" : "tablet-behind";
  const width = phone ? 142 : 214;
  const height = phone ? 296 : 300;
  const radius = phone ? 23 : 17;
  const step = width * (phone ? 0.78 : 0.62);
  const left = (frame.width - width - step) / 2;
  const front = { x: left + step, y: 348 - height, width, height };
  const back = { ...front, x: left, y: front.y - 10 };
  const bezel = phone ? 8 : 13;
  const screen = inset(front, bezel);
  const lens = (y: number) =>
    circle(back.x + 27, back.y + y, 11, {}) + circle(back.x + 27, back.y + y, 4.5, {});
  // The drawing is transparent, so the back is masked where the front covers it.
  const hidden = [
    el("rect", { width: frame.width, height: frame.height, fill: "#fff" }),
    roundRect(front, radius, { fill: "#000" }),
  ].join("");
  return [
    el("mask", { id: behind }, hidden),
    el(
      "g",
      { fill: "none", stroke: LINE, "stroke-width": 2.5, "stroke-linecap": "round" },
      [
        el(
          "g",
          { mask: `url(#${behind})` },
          roundRect(back, radius, { fill: LINE, "fill-opacity": 0.14 }) + lens(29) + lens(phone ? 59 : 57),
        ),
        roundRect(front, radius, { fill: LINE, "fill-opacity": 0.06 }),
        roundRect(screen, radius - bezel, { "stroke-opacity": 0.55, fill: LINE, "fill-opacity": 0.1 }),
        circle(front.x + width / 2, phone ? screen.y + 12 : front.y + bezel / 2, phone ? 3.5 : 1, {
          fill: LINE,
        }),
        el("path", {
          d: `M${front.x + width / 2 - 20} ${screen.y + screen.height - 9}h40`,
          "stroke-opacity": 0.7,
        }),
      ].join(""),
    ),
  ].join("");
}
