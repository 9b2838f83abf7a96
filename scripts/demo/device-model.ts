import type { KnownModel } from "#app/features/listings/known-models.ts";

/** A known model as it is drawn. */
export interface DrawnModel extends Pick<KnownModel, "brandName" | "model"> {
  /** The name of its drawings, `public/devices/<slug>.svg` and `<slug>-views.svg`: lower-case letters, digits, hyphens. */
  slug: string;
  /** The thickness without the camera bump. */
  depthMm: number;
  /** The month of the first sale: "2023-02". */
  released: string;
  shape: DeviceShape;
}

/** A device model of the demo data: what its listings show, and how it is drawn. */
export interface DeviceModel extends DrawnModel, Omit<KnownModel, "ram" | "rom" | "launchPrices"> {
  ram: string;
  /** The first is the base model. */
  storage: { rom: string; launchPrice: number }[];
}

/** The geometry of a device in portrait orientation, in millimetres. */
export interface DeviceShape {
  widthMm: number;
  heightMm: number;
  cornerMm: number;
  /** The width of the border between body edge and screen. */
  bezelMm: { side: number; top: number; bottom: number };
  screenCornerMm: number;
  /** `hole-*`: punch hole; `drop`: waterdrop notch; `notch`: wide notch; `pill`: floating pill; `none`: camera in the bezel. */
  cutout: "hole-center" | "hole-left" | "hole-right" | "drop" | "notch" | "pill" | "none";
  homeButton: boolean;
  /** The color of the back, and the manufacturer's name for it. */
  color: { hex: string; name: string };
  frameHex: string;
  rear: RearCamera;
}

export interface RearCamera {
  /** The camera bump. `pill`: tall and rounded; `bar`: across the whole width; `visor`: a wide pill; `corner`: joined to the top left corner of the frame. */
  island: "none" | "square" | "pill" | "bar" | "visor" | "circle" | "corner";
  /** Position and size of the island, from the back's top left corner. For `none`, the bounding box of the lenses. */
  xMm: number;
  yMm: number;
  widthMm: number;
  heightMm: number;
  lenses: { xMm: number; yMm: number; radiusMm: number }[];
  flash?: { xMm: number; yMm: number };
}
