import { countLabel } from "#app/market.ts";

/** The result of saving a listing. Unless "saved", nothing has changed. */
export type SaveListingOutcome =
  | "saved"
  | "already saved"
  | "unknown listing"
  | "own listing"
  | "sold"
  | "limit reached";

/** Listings that an account can have saved. */
export const maxSavedListings = 1000;

export const savedMessage = "Saved. We’ll tell you if the price drops, it sells, or it comes back.";

/** Why a listing cannot be saved. */
export const saveRefusals = {
  "unknown listing": "This listing is gone.",
  "own listing": "This is your own listing, so you can’t save it.",
  sold: "This device is sold.",
  "limit reached": `You’ve saved ${countLabel(maxSavedListings)} listings, the most an account can hold. Remove one to save this one.`,
} as const satisfies Partial<Record<SaveListingOutcome, string>>;

/** Beyond this, pages show "1,000+". */
export const maxShownSavers = 1000;

/** How many people have saved a listing, as its seller sees it. */
export function saversLabel(savers: number): string {
  if (savers > maxShownSavers) return `Saved by ${countLabel(maxShownSavers)}+ people`;
  return `Saved by ${countLabel(savers)} ${savers === 1 ? "person" : "people"}`;
}
