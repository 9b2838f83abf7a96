/** So many photos a listing may have. */
export const mostPhotos = 8;

/** Of one photo, as it is sent. */
export const mostPhotoBytes = 8 * 1024 * 1024;

/** Of one photo: what it unpacks to is four bytes a pixel, however small the file is. */
export const mostPixels = 50_000_000;
const longestSide = 12_000;

/**
 * The sizes a photo is kept in, each by the pixels of its longer side at most. The shared one is for those who show a
 * link to the listing elsewhere, of whom not all know WebP.
 */
export const photoSizes = { thumbnail: 160, card: 480, gallery: 1200, shared: 1200 } as const;
export type PhotoSize = keyof typeof photoSizes;

/** What a size is kept as, whatever was sent. */
export function photoType(size: PhotoSize): "image/webp" | "image/jpeg" {
  return size === "shared" ? "image/jpeg" : "image/webp";
}

/** What a file chooser offers. What a file is, its bytes tell. */
export const photoTypes = "image/jpeg,image/png,image/webp";

const texts = {
  "not a photo": "This is not a JPEG, PNG or WebP picture.",
  "too large": "This file is larger than 8 MB.",
  "too many pixels": "This picture has more than 50 megapixels, or is longer than 12,000 pixels.",
  unreadable: "This picture could not be read. It may be damaged.",
  "too many": `A listing has ${mostPhotos} photos at most.`,
  closed: "The photos of this listing can no longer be changed.",
} as const;

/** Why a file does not become a photo. */
export type PhotoRefusal = keyof typeof texts;

/** What the sender of a file is told. */
export function refusalText(refusal: PhotoRefusal): string {
  return texts[refusal];
}

/** What the first bytes of a picture say of it. */
export interface PictureHeader {
  format: "JPEG" | "PNG" | "WebP";
  /** As stored, in pixels: of a picture that lies on its side, the other way round. */
  width: number;
  height: number;
  /** How to turn a JPEG so that it stands upright, by the numbers of EXIF; 1 is upright. */
  orientation: number;
  /** The bytes of the picture itself: of a JPEG, all but place, time, camera and comments. */
  picture: Uint8Array<ArrayBuffer>[];
}

/** Whether a picture unpacks to more than is let in. */
export function hasTooManyPixels({ width, height }: { width: number; height: number }): boolean {
  return width * height > mostPixels || Math.max(width, height) > longestSide;
}

/** The width of a picture brought down to a longest side; one that is smaller stays as it is. */
export function fittingWidth({ width, height }: { width: number; height: number }, most: number): number {
  const scale = Math.min(1, most / Math.max(width, height));
  return Math.max(1, Math.round(width * scale));
}

/** Where a photo is served, in one of its sizes. */
export function photoAddress(id: string, size: PhotoSize): string {
  return `/photos/${id}/${size}`;
}

/** The name of a photo's object in the bucket. */
export function objectName(id: string, size: PhotoSize): string {
  return `${id}/${size}`;
}
