/** Formats a coordinate with at most two decimals. */
export const n = (value: number) => String(Math.round(value * 100) / 100 + 0);

/** Formats an element. Undefined attributes are omitted, numbers rounded. */
export function el(
  name: string,
  attributes: Record<string, string | number | undefined>,
  children?: string,
): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === "number" ? n(value) : value}"`)
    .join("");
  return children === undefined ? `<${name}${written}/>` : `<${name}${written}>${children}</${name}>`;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const inset = (box: Box, by: number): Box => ({
  x: box.x + by,
  y: box.y + by,
  width: box.width - 2 * by,
  height: box.height - 2 * by,
});

type Paint = Record<string, string | number | undefined>;

/** A rectangle with rounded corners; the radius is at most half the shorter side. */
export function roundRect(box: Box, radius: number, paint: Paint): string {
  const rx = Math.max(0, Math.min(radius, box.width / 2, box.height / 2));
  return el("rect", { ...box, ...(rx > 0 && { rx }), ...paint });
}

export const circle = (cx: number, cy: number, r: number, paint: Paint) =>
  el("circle", { cx, cy, r, ...paint });

export const path = (d: string, paint: Paint) => el("path", { d, ...paint });

/** A template tag for path data that rounds numbers: d`M${x} ${y}h${w}`. */
export function d(parts: TemplateStringsArray, ...values: number[]): string {
  return parts.reduce((text, part, at) => text + n(values[at - 1] ?? 0) + part);
}
