import type { SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { reviewDays } from "#app/market.ts";
import { dayLabel } from "#app/ui/date-label.ts";
import { ReportLink } from "#app/ui/report-link.tsx";
import { ReplyForm, ReviewForm } from "./review-form.tsx";
import { Reply, ReviewContent } from "./review-list.tsx";
import type { OrderReviews } from "./reviews.server.ts";

/** The section of the order's page that leads to the reviews. */
export function OrderReviewsLink({
  reviews: { role, own, other, writableUntil, reviewableUntil },
}: {
  reviews: SerializeFrom<OrderReviews>;
}) {
  const otherSide = role === "buyer" ? "seller" : "buyer";
  return (
    <section aria-labelledby="order-reviews" className="max-w-lg print:hidden">
      <h2 id="order-reviews" className="mb-4 text-xl font-semibold">
        Reviews
      </h2>
      <Link to="reviews" className="btn w-full btn-outline">
        {writableUntil && !own ? `Review the ${otherSide}` : "See the reviews"}
      </Link>
      <p className="mt-1.5 text-sm text-quiet">
        {other ? `The ${otherSide} has reviewed you.` : otherReviewText(otherSide, reviewableUntil)}
      </p>
    </section>
  );
}

function otherReviewText(otherSide: string, reviewableUntil: string | null): string {
  return reviewableUntil
    ? `You see the ${otherSide}’s review once both of you have written one, or ${reviewDays.hidden} days after it was written.`
    : `The ${otherSide} has not reviewed you, or did so less than ${reviewDays.hidden} days ago.`;
}

/** The reviews of an order, for one of its sides. @param suspended why the viewer cannot write; null if they can */
export function OrderReviewsView({
  reviews: { role, own, other, writableUntil, reviewableUntil, canReply },
  suspended,
  account,
  result,
}: {
  reviews: SerializeFrom<OrderReviews>;
  suspended: string | null;
  account: string;
  result: SubmissionResult<string[]> | undefined;
}) {
  const otherSide = role === "buyer" ? "seller" : "buyer";
  const resultOf = (intent: string) => (result?.initialValue?.intent === intent ? result : undefined);
  const canWrite = writableUntil !== null && (!suspended || resultOf("review") !== undefined);
  return (
    <div className="grid max-w-2xl gap-12">
      <section>
        <h1 className="text-2xl font-semibold sm:text-3xl">
          {own ? `Your review of the ${otherSide}` : `Review the ${otherSide}`}
        </h1>
        {own && (
          <div className="mt-6">
            <ReviewContent review={own} by="You" />
            {own.reply && <Reply text={own.reply} by="the seller" />}
            {!own.isPublished && (
              <p className="mt-3 text-quiet">
                The {otherSide} sees it once they have reviewed you, or {reviewDays.hidden} days after you
                wrote it.
              </p>
            )}
          </div>
        )}
        {suspended && !result && writableUntil && <p className="mt-4">{suspended}</p>}
        {canWrite && own && (
          // Closed again after each change.
          <details key={`${own.stars} ${own.text}`} className="mt-6" open={resultOf("review") !== undefined}>
            <summary className="btn btn-outline">Edit your review</summary>
            <div className="mt-6">
              <ReviewForm
                account={account}
                review={own}
                hasFinalStars={own.isPublished}
                hint={`Up to 2,000 characters. You can edit it until ${dayLabel(writableUntil)}${role === "buyer" ? ", or until the seller replies" : ""}.`}
                lastResult={resultOf("review")}
              />
            </div>
          </details>
        )}
        {canWrite && !own && (
          <div className="mt-6">
            <ReviewForm
              account={account}
              review={null}
              hint={`${role === "buyer" ? "Was the device as described, and was the handover easy? Everyone can read this" : "Only the buyer can read this"}. Up to 2,000 characters, until ${dayLabel(writableUntil)}. The stars are final once both of you have written a review.`}
              lastResult={resultOf("review")}
            />
          </div>
        )}
        {!writableUntil && !own && (
          <p className="mt-4 text-quiet">The {reviewDays.writable} days to write a review have passed.</p>
        )}
      </section>
      <section aria-labelledby="their-review">
        <h2 id="their-review" className="mb-4 text-xl font-semibold">
          The {otherSide}’s review of you
        </h2>
        {other ? (
          <ReviewContent review={other} by={role === "buyer" ? "The seller" : "The buyer"} />
        ) : (
          <p className="text-quiet">{otherReviewText(otherSide, reviewableUntil)}</p>
        )}
        {other?.reply && <Reply text={other.reply} by="you" />}
        {other && !other.hidden && (
          <p className="mt-2">
            <ReportLink kind="review" id={other.id} label={`Report the ${otherSide}’s review`} />
          </p>
        )}
        {canReply && (!suspended || resultOf("reply")) && (
          <ReplyForm account={account} lastResult={resultOf("reply")} />
        )}
      </section>
    </div>
  );
}
