import { brand } from "#app/brand.ts";

/** Our drawings of devices: `public/devices/<model>.svg`, with several views in `<model>-views.svg`. */
const drawingPath = /^\/devices\/[\w-]+\.svg$/;

/** Whether an image link is the path of one of our own drawings. */
export function isDrawing(image: string): boolean {
  return drawingPath.test(image);
}

/** What buyers see of a listing without a picture. */
export const placeholderImage = { "Smart Phone": "/devices/phone.svg", Tablet: "/devices/tablet.svg" };

/** The image link of a listing without photos, or where links are off, a drawing. */
export function shownImage({
  image,
  deviceType,
}: {
  image: string;
  deviceType?: string | null | undefined;
}): string {
  if (brand.imageLinks || isDrawing(image)) return image;
  return placeholderImage[deviceType === "Tablet" ? "Tablet" : "Smart Phone"];
}

/** The views of a drawn device: the fragments of the SVG with all of them. */
const views = {
  screen: "screen on",
  back: "back",
  front: "front",
  side: "left and right side",
} as const;

export type DrawingView = keyof typeof views;

/** The pictures of a drawn device: front and back together, then each view. */
export function drawingViews(drawing: string): { src: string; label: string }[] {
  // A device that we have not drawn.
  if (/\/(phone|tablet)\.svg$/.test(drawing)) return [{ src: drawing, label: "no picture yet" }];
  const file = drawing.replace(/\.svg$/, "-views.svg");
  return [
    { src: drawing, label: "front and back" },
    ...Object.entries(views).map(([view, label]) => ({ src: `${file}#${view}`, label })),
  ];
}
