/** Twice what the largest size needs at most, so that nothing is seen of having been shrunk twice. */
const longestSide = 2400;
const previewSide = 160;

/** A picture on its way, as the browser sees it. */
export interface ShrunkPicture {
  /** What is to be sent: a smaller picture, or the file itself where that is no larger. */
  body: Blob;
  preview: HTMLCanvasElement;
}

/**
 * Makes a picture smaller before it is sent, upright and without what the file says beside the picture.
 *
 * @returns null when this browser cannot read it: what it is, is then for the server to say
 */
export async function shrinkPicture(file: File): Promise<ShrunkPicture | null> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return null;
  }
  try {
    const preview = drawn(bitmap, previewSide);
    const smaller = drawn(bitmap, longestSide);
    const shrunk = await new Promise<Blob | null>((resolve) => smaller.toBlob(resolve, "image/jpeg", 0.86));
    return { body: shrunk && shrunk.size < file.size ? shrunk : file, preview };
  } finally {
    bitmap.close();
  }
}

function drawn(bitmap: ImageBitmap, most: number): HTMLCanvasElement {
  const scale = Math.min(1, most / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  // JPEG knows no transparency, and would show black.
  if (context) context.fillStyle = "white";
  context?.fillRect(0, 0, canvas.width, canvas.height);
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}
