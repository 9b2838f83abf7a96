/** What the demo data knows about one model: the facts a listing shows, and the geometry its drawing is made from. */
export interface DeviceModel {
  /** Name of its drawing: `public/devices/<slug>.svg`. Lower-case letters, digits and hyphens. */
  slug: string;
  brandName: string;
  model: string;
  os: "Android" | "Ios";
  deviceType: "Smart Phone" | "Tablet";
  /** As a listing says it: "8 GB". */
  ram: string;
  /** Storage sizes on sale with the price at launch, in whole US dollars; the first is the base model. */
  storage: { rom: string; launchPrice: number }[];
  /** Rear camera in a few words: "50 MP wide, 12 MP ultrawide". */
  camera: string;
  /** Chipset: "Qualcomm Snapdragon 8 Gen 2". */
  processor: string;
  /** "4355 mAh"; for Apple devices where capacity is known from teardowns or regulators, "3279 mAh". */
  battery: string;
  /** Year and month of the first sale, "2023-02". */
  released: string;
  shape: DeviceShape;
}

/** The body as measured in millimetres, seen upright. Drawings are made from these numbers alone. */
export interface DeviceShape {
  widthMm: number;
  heightMm: number;
  /** Radius of the body's corners. */
  cornerMm: number;
  /** Dark border between body edge and lit screen: sides, top, bottom. */
  bezelMm: { side: number; top: number; bottom: number };
  /** Radius of the lit screen's corners; 0 for square ones. */
  screenCornerMm: number;
  /** What interrupts the screen. `hole-*`: punch hole; `drop`: waterdrop notch; `notch`: wide notch; `pill`: floating pill; `none`: camera in the bezel. */
  cutout: "hole-center" | "hole-left" | "hole-right" | "drop" | "notch" | "pill" | "none";
  /** A round home button with a ring below the screen (older iPhones and iPads). */
  homeButton: boolean;
  /** The back's finish as a hex colour, and its maker's name for it in plain words. */
  colour: { hex: string; name: string };
  /** The frame's colour as hex. */
  frameHex: string;
  rear: RearCamera;
}

export interface RearCamera {
  /** `none`: lenses sit straight on the back. `square`: rounded square island. `pill`: tall rounded island. `bar`: a bar across the whole width. `visor`: a floating pill across most of the width. `circle`: one round island. `corner`: an island that melts into the top left corner. */
  island: "none" | "square" | "pill" | "bar" | "visor" | "circle" | "corner";
  /** Island's left top and size in mm from the back's left top corner as seen from behind. For `none`, the box around the lenses. */
  xMm: number;
  yMm: number;
  widthMm: number;
  heightMm: number;
  /** Lenses: centre in mm from the back's left top corner as seen from behind, and outer radius in mm. */
  lenses: { xMm: number; yMm: number; radiusMm: number }[];
  /** Flash: centre in mm, when there is one. */
  flash?: { xMm: number; yMm: number };
}
