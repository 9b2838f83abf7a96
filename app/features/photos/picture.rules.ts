import { type PhotoSize, photoAddress } from "./photo.rules.ts";

/** The address of a listing's picture: its first photo, or the image link while it has none. */
export function pictureOf(
  { image, cover = null }: { image: string; cover?: string | null },
  size: PhotoSize = "card",
): string {
  return cover === null ? image : photoAddress(cover, size);
}

/** The photo that a picture's address on a card names; null for an image link. */
export function coverAt(address: string): string | null {
  return /^\/photos\/([^/]+)\/card$/.exec(address)?.[1] ?? null;
}
