import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/choice-field.tsx";
import { FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { starsLabel } from "./review.rules.ts";
import { replyFormSchema, reviewFormSchema } from "./review.schema.ts";

const starChoices = [
  { value: "5", label: "5 stars: excellent" },
  { value: "4", label: "4 stars: good" },
  { value: "3", label: "3 stars: okay" },
  { value: "2", label: "2 stars: poor" },
  { value: "1", label: "1 star: bad" },
];

/**
 * @param account the email address of the account that the form is for
 * @param hasFinalStars whether only the text can change
 */
export function ReviewForm({
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
          {starsLabel(review.stars)}. The stars are final, since both reviews have been published.
        </p>
      ) : (
        <ChoiceField field={fields.stars} label="Stars" choices={starChoices} />
      )}
      <TextAreaField field={fields.text} label="Review" rows={5} hint={hint} />
      <SubmitButton pending={{ intent: "review" }} className="btn-primary justify-self-start">
        {review ? "Save changes" : "Send review"}
      </SubmitButton>
    </Form>
  );
}

/** The form to reply once to a review. */
export function ReplyForm({
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
        hint="Everyone can read it below the review. You can reply once and not change it later."
      />
      <SubmitButton pending={{ intent: "reply" }} className="btn-outline justify-self-start">
        Send reply
      </SubmitButton>
    </Form>
  );
}
