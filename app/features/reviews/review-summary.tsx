import { StarIcon } from "#app/ui/icons.tsx";
import {
  minReviewsForRating,
  onePerPairDays,
  type Rating,
  ratingText,
  reviewCountLabel,
  starsLabel,
} from "./review.rules.ts";

/** The rating and how many reviews gave each number of stars, once there are enough for a rating. */
export function ReviewSummary({
  rating,
  distribution,
  shown,
}: {
  rating: Rating;
  /** How many reviews stand below. */
  shown: number;
  distribution: { stars: number; count: number }[];
}) {
  const average = ratingText(rating);
  return (
    <div className="grid max-w-xl items-center gap-6 sm:grid-cols-[auto_1fr]">
      <div>
        {average ? (
          <p className="flex items-center gap-2 text-4xl font-semibold tabular-nums">
            <StarIcon className="size-8 fill-current" />
            {average}
            <span className="sr-only">out of 5 stars</span>
          </p>
        ) : (
          <p className="text-lg font-semibold">No rating yet: it takes {minReviewsForRating} reviews</p>
        )}
        <p className="mt-1 text-quiet tabular-nums">
          {reviewCountLabel(rating.count)}
          {shown > rating.count &&
            ` counted: the latest of each buyer within ${onePerPairDays} days, from a confirmed email address`}
        </p>
      </div>
      {average && (
        <ul className="grid gap-1 text-sm tabular-nums">
          {distribution.map(({ stars, count }) => (
            <li key={stars} className="grid grid-cols-[4rem_1fr_3rem] items-center gap-3">
              <span>{starsLabel(stars)}</span>
              <progress value={count} max={rating.count} aria-hidden="true" />
              <span className="text-right">{count}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
