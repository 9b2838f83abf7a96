import { StarIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { type Rating, ratingText, reviewCountLabel } from "./review.rules.ts";

/** A seller's rating with a link to its reviews; "New seller" with too few reviews. */
export function SellerRating({ sellerId, rating }: { sellerId: string; rating: Rating }) {
  const average = ratingText(rating);
  if (rating.count === 0) return <span className="text-quiet">New seller</span>;
  return (
    <span className="inline-flex items-center gap-1 tabular-nums">
      {average ? (
        <>
          <StarIcon className="size-4 fill-current" />
          <span className="font-medium">{average}</span>
          <span className="sr-only">out of 5 stars</span>
        </>
      ) : (
        <span className="text-quiet">New seller</span>
      )}
      <Link to={`/sellers/${sellerId}/reviews`} className="link underline-offset-4">
        {reviewCountLabel(rating.count)}
      </Link>
    </span>
  );
}
