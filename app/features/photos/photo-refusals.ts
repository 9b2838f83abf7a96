import { maxUploadMegabytes } from "#app/server/forms/upload-limit.ts";
import { type PhotoOwner, photoLimits, photoLimitTexts } from "./photo.rules.ts";

const { bytes, pixels, side, types } = photoLimitTexts;

const saveSmaller = "Save it smaller, then add that.";

const refusalTexts = {
  empty: "This file is empty. Choose the photo again.",
  "not a photo": `This isn’t a ${types} picture. If it’s another kind of photo, such as HEIC, save it as a JPEG or add a screenshot of it.`,
  "too large": `This file is larger than ${bytes}. ${saveSmaller}`,
  "too many pixels": `This picture has more than ${pixels}, or a side longer than ${side}. ${saveSmaller}`,
  unreadable:
    "We can’t read this picture. It may be damaged. Save it again as a JPEG, or add a screenshot of it.",
  unavailable: "You can’t add photos right now. Try again later.",
} as const;

export const noStorageText = refusalTexts.unavailable;

const notEditableTexts: Record<PhotoOwner, string> = {
  listing: "You can’t change this listing’s photos anymore.",
  draft: "Your account has been closed.",
  problem: "This problem is closed.",
};

export type PhotoRefusal = keyof typeof refusalTexts | "too many" | "not editable";

export function photoRefusalText(refusal: PhotoRefusal, owner: PhotoOwner = "listing"): string {
  if (refusal === "too many")
    return `A ${owner === "draft" ? "listing" : owner} can have at most ${photoLimits[owner]} photos.`;
  return refusal === "not editable" ? notEditableTexts[owner] : refusalTexts[refusal];
}

export const uploadTooLargeText = `These photos are larger than ${maxUploadMegabytes} MB in total. Add fewer at a time.`;

/** Without JavaScript a browser loses the files of a refused form. */
export const choosePhotosAgainText = "Choose your photos again: your browser doesn’t keep them.";

/** @param existing the number of photos that the listing had before */
export function addedText(added: number, existing: number): string {
  const photos = (count: number) => (count === 1 ? "1 photo" : `${count} photos`);
  if (existing === 0) return `${photos(added)} added`;
  return added > 0
    ? `${photos(added)} added, ${existing} already added`
    : `${photos(existing)} already added`;
}
