import { countLabel } from "#app/market.ts";
import { reviewDays } from "#app/terms.ts";
import { dayMs } from "#app/time.ts";

/** Of the reviews that one person writes of another within so many days, only the latest counts in the rating. */
export const onePerPairDays = 90;

/** Fewer reviews than this give no rating. */
export const minReviewsForRating = 3;

/** When a review is published if the other side writes none. */
export function publicationDate(createdAt: Date): Date {
  return new Date(createdAt.getTime() + reviewDays.hidden * dayMs);
}

export interface Rating {
  /** The mean of all stars, 1 to 5. */
  average: number;
  count: number;
}

/** The rating as one decimal ("4.8"); null with too few reviews. */
export function ratingText({ average, count }: Rating): string | null {
  return count < minReviewsForRating ? null : average.toFixed(1);
}

export function reviewCountLabel(count: number): string {
  if (count === 0) return "No reviews yet";
  return count === 1 ? "1 review" : `${countLabel(count)} reviews`;
}

export function starsLabel(stars: number): string {
  return stars === 1 ? "1 star" : `${stars} stars`;
}

/** Why a review or a reply is not saved. */
export const reviewRefusals = {
  "order ended": "This order ended before the handover, so there’s nothing to review.",
  "not received": "You can review an order once the device has arrived.",
  "problem open": "There’s an open problem with this order. Settle it first, then write your review.",
  "stars are final": "Both reviews are out, so you can change the text, but not the stars.",
  "too late": `It’s too late: you can write a review for ${reviewDays.writable} days after the device arrived or the order ended, and edit it for ${reviewDays.editable} days.`,
  "replied to": "The seller has replied, so you can’t change your review anymore.",
  "nothing to reply to": "There’s no review you can reply to.",
};
