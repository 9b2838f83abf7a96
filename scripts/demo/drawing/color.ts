/** A color in OKLCH: lightness (0 to 1), chroma (0 to about 0.3) and hue in degrees. */
interface Oklch {
  l: number;
  c: number;
  h: number;
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

export function toOklch(hex: string): Oklch {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const greenRed = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const blueYellow = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return {
    l: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    c: Math.hypot(greenRed, blueYellow),
    h: ((Math.atan2(blueYellow, greenRed) * 180) / Math.PI + 360) % 360,
  };
}

/** Converts OKLCH to `#rrggbb`. Colors outside sRGB lose chroma, but keep lightness and hue. */
export function toHex({ l, c, h }: Oklch): string {
  const greenRed = c * Math.cos((h * Math.PI) / 180);
  const blueYellow = c * Math.sin((h * Math.PI) / 180);
  const long = (l + 0.3963377774 * greenRed + 0.2158037573 * blueYellow) ** 3;
  const medium = (l - 0.1055613458 * greenRed - 0.0638541728 * blueYellow) ** 3;
  const short = (l - 0.0894841775 * greenRed - 1.291485548 * blueYellow) ** 3;
  const rgb = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
  if (c > 0.002 && rgb.some((channel) => channel < -0.001 || channel > 1.001))
    return toHex({ l, c: c * 0.94, h });
  const bytes = rgb.map((channel) => {
    const light = clamp(channel, 0, 1);
    return Math.round(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055));
  });
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Changes the lightness by a step from -1 to 1. */
export function shade(hex: string, step: number): string {
  const color = toOklch(hex);
  return toHex({ ...color, l: clamp(color.l + step, 0.04, 0.985) });
}

export function clampLightness(hex: string, low: number, high: number): string {
  const color = toOklch(hex);
  return toHex({ ...color, l: clamp(color.l, low, high) });
}
