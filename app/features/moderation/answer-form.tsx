import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { answerSchema } from "./decision.schema.ts";

/** The owner's answer to a decision, or the appeal against a suspension. */
export function AnswerForm({
  account,
  isAppeal,
  lastResult,
}: {
  account: string;
  isAppeal: boolean;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useForm({
    id: "answer",
    lastResult,
    constraint: getZodConstraint(answerSchema),
    onValidate: ({ formData }) => parseWithZod(formData, { schema: answerSchema }),
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
  });
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-5">
      <input type="hidden" name="account" value={account} />
      <FormErrors form={form} labels={{ answer: "Your answer" }} />
      <TextAreaField
        field={fields.answer}
        label="Your answer"
        rows={6}
        hint="A moderator reads it and decides again. You can answer once."
      />
      <SubmitButton className="btn-primary justify-self-start">
        {isAppeal ? "Send appeal" : "Send answer"}
      </SubmitButton>
    </Form>
  );
}
