import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
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
  const [form, fields] = useSchemaForm(answerSchema, {
    id: "answer",
    lastResult,
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
