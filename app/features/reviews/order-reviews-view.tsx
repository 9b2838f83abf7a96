import type { SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { dayLabel } from "#app/ui/date-label.ts";
import { ReplyForm, ReviewForm } from "./review-form.tsx";
import { Reply, ReviewText } from "./review-list.tsx";
import type { OrderReviews } from "./reviews.server.ts";

/** The reviews of an order, for one of its sides. */
export function OrderReviewsView({
  reviews: { role, own, other, writableUntil, canReply },
  account,
  result,
}: {
  reviews: SerializeFrom<OrderReviews>;
  account: string;
  result: SubmissionResult<string[]> | undefined;
}) {
  const otherSide = role === "buyer" ? "seller" : "buyer";
  const resultOf = (intent: string) => (result?.initialValue?.intent === intent ? result : undefined);
  return (
    <div className="grid max-w-2xl gap-12">
      <section>
        <h1 className="text-2xl font-semibold sm:text-3xl">
          {own ? `Your review of the ${otherSide}` : `Review the ${otherSide}`}
        </h1>
        {own && (
          <div className="mt-6">
            <ReviewText review={own} by="You" />
            {own.reply && <Reply text={own.reply} by="the seller" />}
            {!own.isPublished && (
              <p className="mt-3 text-quiet">
                The {otherSide} sees it once they have reviewed you, or 14 days after you wrote it.
              </p>
            )}
          </div>
        )}
        {writableUntil ? (
          <div className="mt-6">
            {own && <h2 className="mb-4 text-xl font-semibold">Edit your review</h2>}
            <ReviewForm
              // A saved review resets the form.
              key={own && `${own.stars} ${own.text}`}
              account={account}
              review={own}
              hint={`${role === "buyer" ? "Was the device as described, and was the handover easy? Everyone can read this" : "Only the buyer can read this"}. You can ${own ? "edit" : "write"} it until ${dayLabel(writableUntil)}.`}
              lastResult={resultOf("review")}
            />
          </div>
        ) : (
          !own && (
            <p className="mt-4 text-quiet">
              A review can be written for 60 days after the phone was received. That time is over.
            </p>
          )
        )}
      </section>
      <section aria-labelledby="their-review">
        <h2 id="their-review" className="mb-4 text-xl font-semibold">
          The {otherSide}’s review of you
        </h2>
        {other ? (
          <ReviewText review={other} by={role === "buyer" ? "The seller" : "The buyer"} />
        ) : (
          <p className="text-quiet">You will see it here once both of you have written one.</p>
        )}
        {other?.reply && <Reply text={other.reply} by="you" />}
        {canReply && <ReplyForm account={account} lastResult={resultOf("reply")} />}
      </section>
    </div>
  );
}
