import type { SerializeFrom } from "@remix-run/cloudflare";
import { useDateLabels } from "#app/ui/date-label.ts";
import { StarIcon } from "#app/ui/icons.tsx";
import { ReportLink } from "#app/ui/report-link.tsx";
import { starsLabel } from "./review.rules.ts";
import type { SellerReview } from "./reviews.server.ts";

/** @param sellerName who the replies are by */
export function ReviewList({
  reviews,
  sellerName,
}: {
  reviews: SerializeFrom<SellerReview>[];
  sellerName: string;
}) {
  return (
    <ul className="max-w-2xl divide-y divide-base-300">
      {reviews.map((review) => (
        <li key={review.id} className="py-6 first:pt-0">
          <ReviewContent review={review} by={review.author} />
          {review.reply && <Reply text={review.reply} by={sellerName} />}
          <p className="mt-2">
            <ReportLink kind="review" id={review.id} label={`Report the review by ${review.author}`} />
          </p>
        </li>
      ))}
    </ul>
  );
}

/** A review: its stars, author, date and text. */
export function ReviewContent({
  review: { stars, text, createdAt, edited, hidden = false },
  by,
}: {
  review: Pick<SerializeFrom<SellerReview>, "stars" | "text" | "createdAt" | "edited"> & { hidden?: boolean };
  by: string;
}) {
  const { dayLabel } = useDateLabels();
  return (
    <>
      <Stars stars={stars} />
      <p className="mt-1 text-sm text-quiet wrap-anywhere">
        {by}, <time dateTime={createdAt}>{dayLabel(createdAt)}</time>
        {edited && " (edited)"}
      </p>
      {hidden && <p className="mt-2 text-quiet">A moderator hid this review. Its stars don’t count.</p>}
      {text && (
        <p dir="auto" className="mt-2 wrap-anywhere whitespace-pre-line">
          {text}
        </p>
      )}
    </>
  );
}

export function Reply({ text, by }: { text: string; by: string }) {
  return (
    <div className="mt-4 border-l-2 border-base-300 pl-4">
      <p className="text-sm text-quiet wrap-anywhere">Reply from {by}</p>
      <p dir="auto" className="mt-1 wrap-anywhere whitespace-pre-line">
        {text}
      </p>
    </div>
  );
}

function Stars({ stars }: { stars: number }) {
  return (
    <span className="inline-flex">
      <span className="sr-only">{starsLabel(stars)}</span>
      {[1, 2, 3, 4, 5].map((star) => (
        <StarIcon key={star} className={`size-5 ${star <= stars ? "fill-current" : "text-quiet"}`} />
      ))}
    </span>
  );
}
