import { StarIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { type Rating, ratingText, reviewCountLabel } from "./review.rules.ts";

/** Fewer sales make a new seller. */
const minSales = 3;

/**
 * A seller's rating with a link to its reviews; "New seller" with too few sales.
 *
 * @param sales null where they are not counted
 */
export function SellerRating({
  sellerId,
  rating,
  sales,
}: {
  sellerId: string;
  rating: Rating;
  sales: number | null;
}) {
  const isNew = sales !== null && sales < minSales;
  const average = ratingText(rating);
  if (rating.count === 0)
    return <span className="text-quiet">{isNew ? "New seller" : reviewCountLabel(0)}</span>;
  return (
    <span className="inline-flex items-center gap-1 tabular-nums">
      {average ? (
        <>
          <StarIcon className="size-4 fill-current" />
          <span className="font-medium">{average}</span>
          <span className="sr-only">out of 5 stars</span>
        </>
      ) : (
        isNew && <span className="text-quiet">New seller</span>
      )}
      <Link to={`/sellers/${sellerId}/reviews`} className="link underline-offset-4">
        {reviewCountLabel(rating.count)}
      </Link>
    </span>
  );
}
