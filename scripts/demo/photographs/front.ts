import type { DeviceModel } from "../device-model";
import { drawHomeButton } from "../drawing/body";
import { randomFrom } from "../drawing/random";
import { drawCutout, hasWhiteFront, screenBox } from "../drawing/screen";
import { type Box, circle, d, el, path, roundRect } from "../drawing/svg";
import { drawWallpaper } from "../drawing/wallpaper";

/** What a screen shows: its lock screen, its home screen, the health of its battery, or nothing. */
export type Screen = "lock" | "home" | { batteryHealth: number } | "off";

/** Pixels per millimeter. */
export const frontScale = (model: DeviceModel) => (model.deviceType === "Tablet" ? 7 : 13);

/** Draws the front of a device in millimeters as the light that comes from it. */
export function drawFront(model: DeviceModel, screen: Screen, clock: string): string {
  const { widthMm, heightMm, screenCornerMm, homeButton } = model.shape;
  const box = screenBox(model);
  const shown = screen === "off" ? "" : drawShown(model, screen, box, clock);
  return el(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${widthMm} ${heightMm}`, "font-family": "Front" },
    [
      roundRect({ x: 0, y: 0, width: widthMm, height: heightMm }, 0, { fill: "#000" }),
      el("clipPath", { id: "screen" }, roundRect(box, screenCornerMm, {})),
      el("g", { "clip-path": "url(#screen)" }, shown),
      hasWhiteFront(model) ? "" : drawCutout(model, box),
      homeButton && !hasWhiteFront(model) ? drawHomeButton(model.shape, 0.2, false) : "",
    ].join(""),
  );
}

function drawShown(model: DeviceModel, screen: Exclude<Screen, "off">, box: Box, clock: string): string {
  const inside = typeof screen === "object" ? drawBattery(screen.batteryHealth, box) : "";
  const wallpaper = drawWallpaper(model.slug, model.shape.color.hex, box.width, box.height);
  const ink = inside ? "#111" : wallpaper.inkTop;
  const drawn =
    inside ||
    wallpaper.drawing +
      (screen === "lock"
        ? drawLock(model, box, clock, wallpaper.inkTop)
        : drawHome(model, box, wallpaper.inkFoot));
  return el(
    "g",
    { transform: d`translate(${box.x} ${box.y})` },
    drawn + drawStatusBar(model, box, screen === "lock" ? "" : clock, ink) + drawSwipeLine(box, ink),
  );
}

const text = (x: number, y: number, size: number, words: string, more: Parameters<typeof el>[1] = {}) =>
  el("text", { x, y, "font-size": size, "text-anchor": "middle", ...more }, words);

const isTablet = (box: Box) => box.width > 100;

function drawLock(model: DeviceModel, box: Box, clock: string, ink: string): string {
  const { width, height } = box;
  const size = isTablet(box) ? 26 : width * 0.27;
  const top = height * (model.shape.homeButton ? 0.17 : 0.2);
  const foot = height * 0.93;
  const button = (x: number) =>
    circle(x, foot - 3, isTablet(box) ? 5 : 4.4, { fill: "#000", "fill-opacity": 0.28 });
  return el(
    "g",
    { fill: ink },
    [
      text(width / 2, top - size * 0.86, size * 0.22, "Saturday, November 28", { "font-weight": 400 }),
      text(width / 2, top, size, clock, { "font-weight": 600, "letter-spacing": -0.3 }),
      button(width * 0.14),
      button(width * 0.86),
      path(d`M${width * 0.14 - 1} ${foot - 5.2}h2l-.5 1.6v2.8h-1v-2.8z`, { fill: "#fff" }),
      roundRect({ x: width * 0.86 - 1.7, y: foot - 4.2, width: 3.4, height: 2.5 }, 0.6, { fill: "#fff" }),
      circle(width * 0.86, foot - 2.9, 0.75, { fill: "#444" }),
    ].join(""),
  );
}

const ICONS = ["#3b82d6", "#f2f2f0", "#2fae68", "#e6b23c", "#d9534a", "#6c5bc4", "#23262d", "#39a7b8"];

/** Signs of apps: they stand for nothing in particular. */
const SIGNS: ((ink: string) => string)[] = [
  (fill) => circle(5, 5, 2.6, { fill }),
  (fill) => path("M2.2 3h5.6v4.2h-3l-1.6 1.4V7.200h-1z", { fill }),
  (stroke) => path("M2.400 3.200h5.200M2.400 5h5.200M2.400 6.800h3.400", { stroke, "stroke-width": 0.7 }),
  (fill) => path("M5 2.2l2.800 2.500v3H2.200v-3z", { fill }),
  (stroke) => circle(5, 5, 2.2, { fill: "none", stroke, "stroke-width": 0.8 }),
  (fill) => path("M3.600 2.400l4 2.600-4 2.600z", { fill }),
  (fill) =>
    path("M2.400 7.600V5.400h1.300v2.200zM4.400 7.600V2.600h1.300v5zM6.400 7.600V4.200h1.300v3.400z", {
      fill,
    }),
  (stroke) => path("M2.600 5.200l1.800 1.800 3.200-3.900", { stroke, "stroke-width": 0.9, fill: "none" }),
];

function drawHome(model: DeviceModel, { width, height }: Box, ink: string): string {
  const random = randomFrom(`home of ${model.slug}`);
  const columns = width > 100 ? 6 : 4;
  const rows = width > 100 ? 4 : 5;
  const cell = width / (columns + 0.6);
  const side = cell * (width > 100 ? 0.44 : 0.66);
  const icon = (x: number, y: number, label: boolean) => {
    const fill = ICONS[Math.floor(random() * ICONS.length)] as string;
    const sign = SIGNS[Math.floor(random() * SIGNS.length)] as (ink: string) => string;
    const box = { x: x - side / 2, y: y - side / 2, width: side, height: side };
    return [
      roundRect(box, side * 0.27, { fill }),
      el(
        "g",
        { transform: d`translate(${box.x} ${box.y})scale(${side / 10})` },
        sign(fill === "#f2f2f0" ? "#d9534a" : "#fff"),
      ),
      label
        ? roundRect(
            {
              x: x - side * (0.2 + random() * 0.14),
              y: y + side * 0.62,
              width: side * (0.5 + random() * 0.12),
              height: side * 0.1,
            },
            side * 0.05,
            { fill: ink, "fill-opacity": 0.8 },
          )
        : "",
    ].join("");
  };
  const middle = (column: number) => cell * (column + 0.8);
  const step = (height * 0.66) / rows;
  const drawn = Array.from({ length: rows * columns - 2 }, (_, at) =>
    icon(middle(at % columns), height * 0.15 + step * Math.floor(at / columns), true),
  );
  const dock = {
    x: cell * 0.22,
    y: height - cell * 1.28,
    width: width - cell * 0.44,
    height: cell * 1.06,
  };
  const docked = Array.from({ length: 4 }, (_, at) =>
    icon(dock.x + (dock.width * (at + 0.5)) / 4, dock.y + dock.height / 2, false),
  );
  return (
    drawn.join("") + roundRect(dock, cell * 0.34, { fill: "#fff", "fill-opacity": 0.28 }) + docked.join("")
  );
}

/** The page of the settings that sellers like to show. */
function drawBattery(health: number, { width, height }: Box): string {
  const left = width * 0.08;
  const group = (y: number, rows: [string, string][]) =>
    roundRect({ x: width * 0.045, y, width: width * 0.91, height: rows.length * 9.4 }, 2.4, {
      fill: "#fff",
    }) +
    rows
      .map(([name, value], at) => {
        const line = y + at * 9.4;
        return [
          text(left, line + 6, 3.4, name, { "text-anchor": "start", fill: "#111" }),
          text(width - left, line + 6, 3.4, value, { "text-anchor": "end", fill: "#77777c" }),
          at > 0
            ? path(d`M${left} ${line}H${width * 0.955}`, { stroke: "#d5d5da", "stroke-width": 0.15 })
            : "",
        ].join("");
      })
      .join("");
  const note = (y: number, words: string) =>
    text(left, y, 2.5, words, { "text-anchor": "start", fill: "#77777c" });
  return [
    roundRect({ x: 0, y: 0, width, height }, 0, { fill: "#ededf2" }),
    text(width / 2, 17.5, 3.5, "Battery health", { "font-weight": 600, fill: "#111" }),
    path(d`M${left + 1.2} ${14.8}l-1.500 1.600 1.500 1.600`, {
      stroke: "#2f6fd8",
      "stroke-width": 0.5,
      fill: "none",
    }),
    text(left + 2.4, 17.5, 3.2, "Battery", { "text-anchor": "start", fill: "#2f6fd8" }),
    note(29, "Phone batteries, like all batteries, wear with use."),
    group(33, [["Maximum capacity", `${health}%`]]),
    note(46.5, "Compared to when the battery was new."),
    group(53, [
      ["Peak performance", "Normal"],
      ["Optimized charging", "On"],
    ]),
    note(75.8, "To slow aging, the phone learns your routine."),
    group(82, [
      ["Charged today", "7:12 AM"],
      ["Screen on", "3 h 41 min"],
    ]),
  ].join("");
}

/** The clock, the signal and the battery beside the camera. */
function drawStatusBar(model: DeviceModel, { width }: Box, clock: string, ink: string): string {
  const { cutout, screenCornerMm, homeButton } = model.shape;
  const size = width > 100 ? 1.2 : 1;
  const margin = Math.max(4.5, screenCornerMm * 0.7);
  const left = margin + (cutout === "hole-left" ? 7 : 0);
  const right = width - margin - (cutout === "hole-right" ? 7 : 0);
  const y = homeButton || width > 100 ? 2 : 3.2;
  const bars = [0, 1, 2, 3].map((at) =>
    roundRect(
      { x: right - 11 * size + at * 0.85, y: y + 2 - 0.5 * (at + 1), width: 0.55, height: 0.5 * (at + 1) },
      0.1,
      {},
    ),
  );
  return el(
    "g",
    { fill: ink },
    [
      text(left, y + 2.1, 2.9 * size, clock, { "text-anchor": "start", "font-weight": 600 }),
      ...bars,
      roundRect({ x: right - 4.6 * size, y: y + 0.05, width: 4.1 * size, height: 2 * size }, 0.6, {
        "fill-opacity": 0.35,
      }),
      roundRect({ x: right - 4.6 * size, y: y + 0.05, width: 2.9 * size, height: 2 * size }, 0.6, {}),
    ].join(""),
  );
}

function drawSwipeLine({ width, height }: Box, ink: string): string {
  const long = width * 0.33;
  return roundRect({ x: (width - long) / 2, y: height - 2.6, width: long, height: 0.9 }, 0.45, {
    fill: ink,
    "fill-opacity": 0.7,
  });
}
