import { type FieldMetadata, getFormProps, type SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form, Link } from "@remix-run/react";
import { reviewDays } from "#app/terms.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { AlertIcon, StarIcon } from "#app/ui/icons.tsx";
import { MissingFormError } from "#app/ui/missing-form-error.tsx";
import { ReportLink } from "#app/ui/report-link.tsx";
import { resultOfForm } from "#app/ui/result-of.ts";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { reviewRefusals, starsLabel } from "./review.rules.ts";
import { replyFormSchema, reviewFormSchema } from "./review.schema.ts";
import { Reply, ReviewContent } from "./review-list.tsx";
import type { OrderReviews } from "./reviews.server.ts";

/** The section of the order's page that leads to the reviews. */
export function OrderReviewsLink({
  reviews: { role, own, other, refusal, writableUntil, ...dates },
}: {
  reviews: SerializeFrom<OrderReviews>;
}) {
  const canWrite = canWriteReview({ own, writableUntil });
  // The other side's may still come after the last day.
  if (refusal && !own && !other && !(refusal === "too late" && dates.otherMayCome)) return null;
  const otherSide = role === "buyer" ? "seller" : "buyer";
  return (
    <section aria-labelledby="order-reviews" className="max-w-lg print:hidden">
      <h2 id="order-reviews" className="mb-4 text-xl font-semibold">
        Reviews
      </h2>
      <Link to="reviews" className={`btn w-full ${canWrite ? "btn-primary" : "btn-outline"}`}>
        {canWrite ? `Review the ${otherSide}` : "See the reviews"}
      </Link>
      <p className="mt-1.5 text-sm text-quiet">
        {other ? `The ${otherSide} has reviewed you.` : otherReviewText(otherSide, dates)}
      </p>
    </section>
  );
}

export function canWriteReview({
  own,
  writableUntil,
}: Pick<SerializeFrom<OrderReviews>, "own" | "writableUntil">): boolean {
  return writableUntil !== null && !own;
}

function otherReviewText(
  otherSide: string,
  { reviewableUntil, otherMayCome }: { reviewableUntil: string | null; otherMayCome: boolean },
): string {
  if (!otherMayCome) return `The ${otherSide} didn’t write one.`;
  return reviewableUntil
    ? `You’ll see the ${otherSide}’s review once you’ve both written one, or after ${reviewDays.hidden} days.`
    : `Nothing from the ${otherSide} yet. A review stays hidden for up to ${reviewDays.hidden} days.`;
}

/** The reviews of an order, for one of its sides. @param suspended why the viewer cannot write; null if they can */
export function OrderReviewsView({
  reviews: { role, own, other, refusal, writableUntil, canReply, ...dates },
  suspended,
  account,
  result,
}: {
  reviews: SerializeFrom<OrderReviews>;
  suspended: string | null;
  account: string;
  result: SubmissionResult<string[]> | undefined;
}) {
  const { dayLabel } = useDateLabels();
  const otherSide = role === "buyer" ? "seller" : "buyer";
  const sent = result?.initialValue;
  /** Why a refused form is not shown again. */
  const gone = sent && (sent.intent === "review" ? refusal : !canReply && "nothing to reply to");
  const canWrite = writableUntil !== null && (!suspended || resultOfForm(result, "review") !== undefined);
  return (
    <div className="grid max-w-2xl gap-12">
      {gone && <MissingFormError errors={[reviewRefusals[gone]]} text={sent?.reply ?? sent?.text} />}
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
                The {otherSide} sees it once they’ve reviewed you, or {reviewDays.hidden} days after you wrote
                it.
              </p>
            )}
          </div>
        )}
        {suspended && !result && writableUntil && <p className="mt-4">{suspended}</p>}
        {canWrite && own && (
          // Closed again after each change.
          <details
            key={`${own.stars} ${own.text}`}
            className="mt-6"
            open={resultOfForm(result, "review") !== undefined}
          >
            <summary className="btn btn-outline">Edit your review</summary>
            <div className="mt-6">
              <ReviewForm
                account={account}
                review={own}
                hasFinalStars={own.isPublished}
                hint={`Up to 2,000 characters. You can edit it until ${dayLabel(writableUntil)}${role === "buyer" ? ", or until the seller replies" : ""}.`}
                lastResult={resultOfForm(result, "review")}
              />
            </div>
          </details>
        )}
        {canWrite && !own && (
          <div className="mt-6">
            <ReviewForm
              account={account}
              review={null}
              hint={`${role === "buyer" ? "Was the device as described, and was the handover easy? Everyone can read this" : "Only the buyer can read this"}. Up to 2,000 characters. You can write it until ${dayLabel(writableUntil)}. The stars are final once you’ve both written one.`}
              lastResult={resultOfForm(result, "review")}
            />
          </div>
        )}
        {refusal && !gone && <p className="mt-4 text-quiet">{reviewRefusals[refusal]}</p>}
      </section>
      <section aria-labelledby="their-review">
        <h2 id="their-review" className="mb-4 text-xl font-semibold">
          The {otherSide}’s review of you
        </h2>
        {other ? (
          <ReviewContent review={other} by={role === "buyer" ? "The seller" : "The buyer"} />
        ) : (
          <p className="text-quiet">{otherReviewText(otherSide, dates)}</p>
        )}
        {other?.reply && <Reply text={other.reply} by="you" />}
        {other && !other.hidden && (
          <p className="mt-2">
            <ReportLink kind="review" id={other.id} label={`Report the ${otherSide}’s review`} />
          </p>
        )}
        {canReply && (!suspended || resultOfForm(result, "reply")) && (
          <ReplyForm account={account} lastResult={resultOfForm(result, "reply")} />
        )}
      </section>
    </div>
  );
}

const starLabels = ["1 star: bad", "2 stars: poor", "3 stars: okay", "4 stars: good", "5 stars: excellent"];

/** A row of radio buttons, of which the chosen one fills its star and those before. */
function StarsField({ field }: { field: FieldMetadata<number | undefined> }) {
  const error = field.errors?.[0];
  return (
    <fieldset aria-describedby={error && field.errorId} className="relative pb-8">
      <legend className="font-medium">Stars</legend>
      <div className="-ml-2 flex">
        {starLabels.map((label, index) => (
          <label key={label} className="group">
            <span className="relative grid size-11 place-items-center">
              <StarIcon className="size-8" />
              <input
                // The error summary links to the first choice.
                id={index === 0 ? field.id : undefined}
                type="radio"
                name={field.name}
                value={index + 1}
                defaultChecked={field.initialValue === String(index + 1)}
                aria-label={label}
                className="absolute size-full cursor-pointer appearance-none rounded-field"
              />
            </span>
            <span
              aria-hidden="true"
              className="absolute bottom-0 left-0 hidden group-has-[input:checked]:block"
            >
              {label}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={field.errorId} className="absolute bottom-0 flex gap-1.5 text-sm font-medium text-error">
          <AlertIcon className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
    </fieldset>
  );
}

/**
 * @param account the email address of the account that the form is for
 * @param hasFinalStars whether only the text can change
 */
function ReviewForm({
  account,
  review,
  hasFinalStars = false,
  hint,
  lastResult,
}: {
  account: string;
  review: { stars: number; text: string } | null;
  hasFinalStars?: boolean;
  hint: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(reviewFormSchema, {
    id: "review",
    lastResult,
    defaultValue: review ? { stars: String(review.stars), text: review.text } : {},
  });
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-5">
      <input type="hidden" name="intent" value="review" />
      <input type="hidden" name="account" value={account} />
      <FormErrors form={form} labels={{ stars: "Stars", text: "Review" }} />
      {review && hasFinalStars ? (
        <p>
          <input type="hidden" name="stars" value={review.stars} />
          {starsLabel(review.stars)}. The stars are final: both reviews are out.
        </p>
      ) : (
        <StarsField field={fields.stars} />
      )}
      <TextAreaField field={fields.text} label="Review" rows={5} hint={hint} />
      <SubmitButton pending={{ intent: "review" }} className="btn-primary justify-self-start">
        {review ? "Save changes" : "Send review"}
      </SubmitButton>
    </Form>
  );
}

/** The form to reply once to a review. */
function ReplyForm({
  account,
  lastResult,
}: {
  account: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(replyFormSchema, {
    id: "reply",
    lastResult,
  });
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="mt-6 grid gap-5">
      <input type="hidden" name="intent" value="reply" />
      <input type="hidden" name="account" value={account} />
      <FormErrors form={form} labels={{ reply: "Reply" }} />
      <TextAreaField
        field={fields.reply}
        label="Your reply"
        rows={4}
        hint="Everyone can read it below the review. You can reply once, and you can’t change it later."
      />
      <SubmitButton pending={{ intent: "reply" }} className="btn-outline justify-self-start">
        Send reply
      </SubmitButton>
    </Form>
  );
}
