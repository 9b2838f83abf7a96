import { toHex, toOklch } from "./color";
import { randomFrom } from "./random";
import { circle, d, el, path, roundRect } from "./svg";

interface Palette {
  night: string;
  deep: string;
  mid: string;
  soft: string;
  pale: string;
  accent: string;
  glow: string;
}

/** Hues for grey, black and white bodies. */
const BORROWED_HUES = [255, 200, 285, 165, 230, 320];

function paletteFrom(bodyHex: string, random: () => number): Palette {
  const body = toOklch(bodyHex);
  const borrowed = BORROWED_HUES[Math.floor(random() * BORROWED_HUES.length)] ?? 255;
  const neutral = body.c < 0.013;
  const h = neutral ? borrowed : body.h;
  const c = neutral ? 0.065 : Math.min(0.13, 0.055 + body.c * 0.7);
  const warm = h > 26 && h < 126;
  const rosy = h <= 26 || h > 350;
  // Dark shades of warm hues look brown, so warm bodies get blue shadows and a coral accent, and pink ones plum shadows.
  const shadowHue = warm ? 225 : rosy ? 335 : h + 10;
  const shadowChroma = warm ? 0.055 : rosy ? 0.085 : c;
  const accentHue = warm ? 32 : 60 + random() * 14;
  return {
    night: toHex({ l: 0.27, c: shadowChroma * 0.75, h: shadowHue }),
    deep: toHex({ l: 0.4, c: shadowChroma, h: shadowHue }),
    mid: toHex(warm ? { l: 0.6, c: 0.055, h: 215 } : { l: 0.57, c: c * 1.1, h: rosy ? 355 : h }),
    soft: toHex({ l: 0.77, c: c * 0.8, h: h - 6 }),
    pale: toHex({ l: 0.92, c: c * 0.38, h: h - 10 }),
    accent: toHex({ l: warm ? 0.69 : 0.74, c: 0.15, h: accentHue }),
    glow: toHex({ l: 0.87, c: 0.085, h: warm ? 70 : accentHue + 16 }),
  };
}

type Composition = (w: number, h: number, p: Palette, random: () => number) => string;

const ground = (w: number, h: number, fill: string) =>
  roundRect({ x: 0, y: 0, width: w, height: h }, 0, { fill });

const hills: Composition = (w, h, p, random) => {
  const tilt = random() < 0.5 ? 1 : -1;
  const hill = (y: number, rise: number, fill: string) => {
    const left = y + rise * tilt;
    const right = y - rise * tilt;
    return path(
      d`M0 ${left}C${w * 0.35} ${left - rise * 1.6} ${w * 0.6} ${right + rise * 1.6} ${w} ${right}V${h}H0z`,
      { fill },
    );
  };
  return [
    ground(w, h, p.pale),
    circle(w * (0.5 - tilt * 0.16), h * 0.4, w * 0.27, { fill: p.accent }),
    hill(h * 0.5, h * 0.05, p.soft),
    hill(h * 0.63, h * -0.045, p.mid),
    hill(h * 0.75, h * 0.05, p.deep),
    hill(h * 0.89, h * -0.03, p.night),
  ].join("");
};

const arcs: Composition = (w, h, p, random) => {
  const x = random() < 0.5 ? 0 : w;
  const step = h * 0.145;
  const fills = [p.deep, p.mid, p.soft, p.pale, p.accent];
  return ground(w, h, p.night) + fills.map((fill, at) => circle(x, h, step * (5.4 - at), { fill })).join("");
};

const discs: Composition = (w, h, p, random) => {
  const side = random() < 0.5 ? 0.12 : 0.88;
  return [
    ground(w, h, p.deep),
    circle(w * side, h * 0.3, w * 0.62, { fill: p.mid }),
    circle(w * (1 - side), h * 0.56, w * 0.58, { fill: p.accent }),
    circle(w * side, h * 0.86, w * 0.72, { fill: p.night }),
    circle(w * (1 - side), h * 0.56, w * 0.26, { fill: p.glow }),
  ].join("");
};

const ribbons: Composition = (w, h, p, random) => {
  const turn = random() < 0.5;
  const band = (y: number, fill: string) =>
    path(
      turn
        ? d`M0 ${y}C${w * 0.5} ${y} ${w * 0.45} ${y - h * 0.3} ${w} ${y - h * 0.34}V${h}H0z`
        : d`M0 ${y - h * 0.34}C${w * 0.55} ${y - h * 0.3} ${w * 0.5} ${y} ${w} ${y}V${h}H0z`,
      { fill },
    );
  const bands = [p.soft, p.accent, p.mid, p.deep, p.night];
  return ground(w, h, p.pale) + bands.map((fill, at) => band(h * (0.5 + at * 0.155), fill)).join("");
};

const arches: Composition = (w, h, p) => {
  const fills = [p.mid, p.soft, p.pale, p.accent];
  return (
    ground(w, h, p.night) +
    fills
      .map((fill, at) => {
        const half = w * (0.46 - at * 0.11);
        return path(
          d`M${w / 2 - half} ${h}V${h * 0.3 + w * 0.46}a${half} ${half} 0 0 1 ${half * 2} 0V${h}z`,
          { fill },
        );
      })
      .join("")
  );
};

const quarters: Composition = (w, h, p, random) => {
  const cell = w / 2;
  const leaves = [p.mid, p.soft, p.accent, p.mid, p.pale, p.soft, p.mid, p.glow];
  let drawn = ground(w, h, p.deep);
  // From the bottom up, so that only the top row is cut off.
  const cells = 2 * Math.ceil(h / cell);
  for (let at = 0; at < cells; at++) {
    const x = (at % 2) * cell;
    const y = h - cell * (1 + Math.floor(at / 2));
    const fill = at < cells - 2 ? leaves[at % leaves.length] : p.mid;
    if (Math.floor(at / 2) % 2 !== at % 2)
      drawn += roundRect({ x, y, width: cell, height: cell }, 0, { fill: p.night });
    drawn += path(
      random() < 0.5
        ? d`M${x} ${y}h${cell}a${cell} ${cell} 0 0 1 ${-cell} ${cell}z`
        : d`M${x + cell} ${y}v${cell}h${-cell}a${cell} ${cell} 0 0 1 ${cell} ${-cell}z`,
      { fill },
    );
  }
  return drawn;
};

const folds: Composition = (w, h, p, random) => {
  const flip = random() < 0.5;
  const at = (share: number) => (flip ? 1 - share : share) * w;
  const sheet = (points: [number, number][], fill: string) =>
    path(`M${points.map(([x, y]) => d`${at(x)} ${y * h}`).join("L")}z`, { fill });
  return [
    ground(w, h, p.soft),
    circle(at(0.66), h * 0.24, w * 0.17, { fill: p.glow }),
    sheet(
      [
        [0, 0.22],
        [1, 0.58],
        [1, 1],
        [0, 1],
      ],
      p.accent,
    ),
    sheet(
      [
        [1, 0.36],
        [0, 0.74],
        [0, 1],
        [1, 1],
      ],
      p.mid,
    ),
    sheet(
      [
        [0, 0.56],
        [1, 0.88],
        [1, 1],
        [0, 1],
      ],
      p.deep,
    ),
    sheet(
      [
        [1, 0.72],
        [0, 1],
        [1, 1],
      ],
      p.night,
    ),
  ].join("");
};

const sunset: Composition = (w, h, p, random) => {
  const r = w * 0.36;
  const y = h * 0.44;
  const x = w * (0.42 + random() * 0.16);
  const bars = [0.1, 0.34, 0.56, 0.76].map((from, at) =>
    roundRect({ x: 0, y: y + r * from, width: w, height: r * (0.05 + at * 0.035) }, 0, { fill: p.deep }),
  );
  return [
    ground(w, h, p.deep),
    circle(x, y, r * 1.85, { fill: p.mid, "fill-opacity": 0.35 }),
    circle(x, y, r, { fill: p.accent }),
    ...bars,
    path(
      d`M0 ${h * 0.7}L${w * 0.32} ${h * 0.57}L${w * 0.62} ${h * 0.7}L${w * 0.8} ${h * 0.63}L${w} ${h * 0.72}V${h}H0z`,
      { fill: p.mid },
    ),
    path(d`M0 ${h * 0.8}L${w * 0.22} ${h * 0.74}L${w * 0.66} ${h * 0.88}L${w} ${h * 0.76}V${h}H0z`, {
      fill: p.night,
    }),
  ].join("");
};

const orbits: Composition = (w, h, p, random) => {
  const x = w * 0.5;
  const y = h * 0.5;
  const turn = random() * 6.28;
  const ring = (r: number) =>
    circle(x, y, r * w, { fill: "none", stroke: p.soft, "stroke-width": w * 0.008 });
  const planet = (r: number, angle: number, size: number, fill: string) =>
    circle(x + Math.cos(turn + angle) * r * w, y + Math.sin(turn + angle) * r * w, size * w, { fill });
  return [
    ground(w, h, p.night),
    circle(x, y, w * 0.92, { fill: p.deep }),
    ring(0.66),
    ring(0.42),
    circle(x, y, w * 0.22, { fill: p.accent }),
    planet(0.42, 0.7, 0.075, p.pale),
    planet(0.66, 2.5, 0.11, p.soft),
    planet(0.66, 5.2, 0.045, p.glow),
  ].join("");
};

const scales: Composition = (w, h, p, random) => {
  const r = w / 4;
  const fills = [p.soft, p.mid, p.accent, p.deep, p.night];
  const rowHeight = h * 0.135;
  const turn = random() < 0.5 ? 0 : 1;
  const rows = fills.map((fill, at) => {
    const y = h * 0.4 + at * rowHeight;
    const start = (at + turn) % 2 === 0 ? 0 : -r;
    return path(`${d`M${start} ${h}V${y}`}${d`a${r} ${r} 0 0 1 ${2 * r} 0`.repeat(3)}${d`V${h}z`}`, { fill });
  });
  return ground(w, h, p.pale) + rows.join("");
};

const pebbles: Composition = (w, h, p, random) => {
  const lean = random() < 0.5 ? 1 : -1;
  const stone = (y: number, half: number, high: number, off: number, fill: string) =>
    el("ellipse", { cx: w * (0.5 + off * lean), cy: h * y, rx: w * half, ry: h * high, fill });
  return [
    ground(w, h, p.soft),
    circle(w * (0.5 + 0.2 * lean), h * 0.24, w * 0.2, { fill: p.pale }),
    path(d`M0 ${h * 0.8}H${w}V${h}H0z`, { fill: p.mid }),
    stone(0.8, 0.44, 0.1, 0, p.night),
    stone(0.64, 0.34, 0.075, 0.04, p.accent),
    stone(0.515, 0.25, 0.06, -0.03, p.deep),
    stone(0.422, 0.15, 0.04, 0.03, p.glow),
  ].join("");
};

const eclipse: Composition = (w, h, p, random) => {
  const lean = (random() - 0.5) * 0.2;
  return [
    ground(w, h, p.night),
    circle(w * (0.5 + lean), h * 0.62, w * 0.86, { fill: p.deep }),
    circle(w * (0.5 + lean), h * 0.65, w * 0.64, { fill: p.mid }),
    circle(w * (0.5 + lean), h * 0.68, w * 0.42, { fill: p.accent }),
    path(d`M0 ${h * 0.7}Q${w / 2} ${h * 0.62} ${w} ${h * 0.7}V${h}H0z`, { fill: p.soft }),
    path(d`M0 ${h * 0.84}Q${w / 2} ${h * 0.76} ${w} ${h * 0.84}V${h}H0z`, { fill: p.pale }),
  ].join("");
};

const compositions: { draw: Composition; paleTop?: true; paleFoot?: true }[] = [
  { draw: hills, paleTop: true },
  { draw: arcs },
  { draw: discs },
  { draw: ribbons, paleTop: true },
  { draw: arches, paleFoot: true },
  { draw: quarters },
  { draw: eclipse, paleFoot: true },
  { draw: folds, paleTop: true },
  { draw: sunset },
  { draw: orbits },
  { draw: scales, paleTop: true },
  { draw: pebbles, paleTop: true },
];

interface Wallpaper {
  drawing: string;
  /** Colors of the icons at the top and bottom of the screen. */
  inkTop: string;
  inkFoot: string;
}

/** Draws an abstract wallpaper in shades of the body's color. */
export function drawWallpaper(slug: string, bodyHex: string, width: number, height: number): Wallpaper {
  const random = randomFrom(`screen of ${slug}`);
  const { draw, paleTop, paleFoot } = compositions[Math.floor(random() * compositions.length)] ?? {
    draw: hills,
  };
  const palette = paletteFrom(bodyHex, random);
  return {
    drawing: draw(width, height, palette, random),
    inkTop: paleTop ? palette.night : "#fff",
    inkFoot: paleFoot ? palette.night : "#fff",
  };
}
