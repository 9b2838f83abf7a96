import type { RearCamera } from "../device-model";

type Lens = RearCamera["lenses"][number];
type Point = NonNullable<RearCamera["flash"]>;

export const body = (widthMm: number, heightMm: number, cornerMm: number, screenCornerMm: number) => ({
  widthMm,
  heightMm,
  cornerMm,
  screenCornerMm,
});

export const bezel = (side: number, top: number, bottom = top) => ({ side, top, bottom });

export const lens = (xMm: number, yMm: number, radiusMm: number): Lens => ({ xMm, yMm, radiusMm });

export const at = (xMm: number, yMm: number): Point => ({ xMm, yMm });

export const column = (xMm: number, ysMm: number[], radiusMm: number): Lens[] =>
  ysMm.map((yMm) => lens(xMm, yMm, radiusMm));

export const row = (xsMm: number[], yMm: number, radiusMm: number): Lens[] =>
  xsMm.map((xMm) => lens(xMm, yMm, radiusMm));

/** Lenses without an island. */
export function lone(lenses: Lens[], flash?: Point): RearCamera {
  const left = Math.min(...lenses.map((l) => l.xMm - l.radiusMm));
  const top = Math.min(...lenses.map((l) => l.yMm - l.radiusMm));
  const right = Math.max(...lenses.map((l) => l.xMm + l.radiusMm));
  const bottom = Math.max(...lenses.map((l) => l.yMm + l.radiusMm));
  return {
    island: "none",
    xMm: left,
    yMm: top,
    widthMm: right - left,
    heightMm: bottom - top,
    lenses,
    ...(flash && { flash }),
  };
}

/** Lenses on an island. Its box is left, top, width and height. */
export function island(
  kind: Exclude<RearCamera["island"], "none">,
  [xMm, yMm, widthMm, heightMm]: [number, number, number, number],
  lenses: Lens[],
  flash?: Point,
): RearCamera {
  return { island: kind, xMm, yMm, widthMm, heightMm, lenses, ...(flash && { flash }) };
}
