/** In pixels: twice the largest stored size, so that shrinking twice is not visible. */
const maxSide = 2400;
const previewSide = 160;

export interface ShrunkPicture {
  /** The smaller picture, or the file itself if that is smaller. */
  body: Blob;
  preview: HTMLCanvasElement;
}

/** Shrinks a picture before its upload, upright and without metadata. Returns null if this browser cannot decode it. */
export async function shrinkPicture(file: File): Promise<ShrunkPicture | null> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return null;
  }
  try {
    const preview = draw(bitmap, previewSide);
    const smaller = draw(bitmap, maxSide);
    const shrunk = await new Promise<Blob | null>((resolve) => smaller.toBlob(resolve, "image/jpeg", 0.86));
    return { body: shrunk && shrunk.size < file.size ? shrunk : file, preview };
  } finally {
    bitmap.close();
  }
}

function draw(bitmap: ImageBitmap, maxLength: number): HTMLCanvasElement {
  const scale = Math.min(1, maxLength / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  // JPEG has no transparency: it would become black.
  if (context) context.fillStyle = "white";
  context?.fillRect(0, 0, canvas.width, canvas.height);
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}
