import { countLabel } from "#app/market.ts";

/** Photos per listing, also while it is a draft, and per problem with an order. */
export const photoLimits = { listing: 8, draft: 8, problem: 6 } as const;
export type PhotoOwner = keyof typeof photoLimits;
export const maxPhotos = photoLimits.listing;

/** Limit of the files in one form, since each takes a database query and possibly decoding. */
export const maxPhotosPerUpload = 2 * maxPhotos;

/** Limit of one uploaded file. */
const maxPhotoMegabytes = 8;
export const maxPhotoBytes = maxPhotoMegabytes * 1024 * 1024;

/** A decoded picture takes four bytes per pixel. */
const maxMegapixels = 50;
const maxSide = 12_000;

/** The limits and types of a photo, as texts say them. */
export const photoLimitTexts = {
  bytes: `${maxPhotoMegabytes} MB`,
  pixels: `${maxMegapixels} megapixels`,
  side: `${countLabel(maxSide)} pixels`,
  types: "JPEG, PNG or WebP",
};

/** The stored sizes by the length of the longer side in pixels. "shared" is for link previews on other sites. */
export const photoSizes = { thumbnail: 160, card: 480, gallery: 1200, shared: 1200 } as const;
export type PhotoSize = keyof typeof photoSizes;

/** The stored format of a size. Not all sites that show link previews support WebP. */
export function photoType(size: PhotoSize): "image/webp" | "image/jpeg" {
  return size === "shared" ? "image/jpeg" : "image/webp";
}

/** For `accept` of the file input; the server checks the content. */
export const photoTypes = "image/jpeg,image/png,image/webp";

/** The size of a file in whole KB, or in MB with one decimal. */
export function fileSizeLabel(bytes: number): string {
  const kilobytes = Math.ceil(bytes / 1024);
  return kilobytes < 1024 ? `${kilobytes} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

export interface PictureHeader {
  /** In pixels, before rotation. */
  width: number;
  height: number;
  /** EXIF orientation, 1 to 8; 1 is upright. */
  orientation: number;
  /** Whether it may show what is behind it. */
  isTransparent: boolean;
  /** The parts of the file to encode: without metadata, and whole where a decoder wants more than browsers. */
  picture: Uint8Array<ArrayBuffer>[];
}

export function hasTooManyPixels({ width, height }: { width: number; height: number }): boolean {
  return width * height > maxMegapixels * 1_000_000 || Math.max(width, height) > maxSide;
}

/** The width of a picture scaled down to a maximum length of the longer side. */
export function scaledWidth({ width, height }: { width: number; height: number }, maxLength: number): number {
  const scale = Math.min(1, maxLength / Math.max(width, height));
  return Math.max(1, Math.round(width * scale));
}

export function photoUrl(id: string, size: PhotoSize): string {
  return `/photos/${id}/${size}`;
}

/** The key of a photo's object in the bucket. */
export function objectName(id: string, size: PhotoSize): string {
  return `${id}/${size}`;
}

const problemSuffix = "-problem";
const pageSuffix = "-page";

/** The id of a photo of a problem. It shows what the photo is, so that an outage opens it to nobody. */
export function problemPhotoId(token: string): string {
  return token + problemSuffix;
}

export function isProblemPhoto(id: string): boolean {
  return id.endsWith(problemSuffix);
}

/** The id of a picture in the text of pages. It says its size, since it has no row. */
export function pagePictureId(token: string, { width, height }: { width: number; height: number }): string {
  return `${token}-${width}x${height}${pageSuffix}`;
}

export function isPagePicture(id: string): boolean {
  return id.endsWith(pageSuffix);
}

/** The size of the picture in pages that is at this address; null if it is none of ours. */
export function pagePictureSize(address: string): { width: string; height: string } | null {
  const [, width, height] = /^\/photos\/[\w-]+-(\d{1,5})x(\d{1,5})-page\/gallery$/.exec(address) ?? [];
  return width && height ? { width, height } : null;
}
