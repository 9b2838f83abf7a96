import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { appealSchema } from "./decision.schema.ts";

/** The owner's appeal against a decision. */
export function AppealForm({
  account,
  lastResult,
}: {
  account: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(appealSchema, {
    id: "appeal",
    lastResult,
  });
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-5">
      <input type="hidden" name="account" value={account} />
      <FormErrors form={form} labels={{ appeal: "Your appeal" }} />
      <TextAreaField
        field={fields.appeal}
        label="Your appeal"
        rows={6}
        hint="A moderator reads it and decides again. You can appeal once."
      />
      <SubmitButton className="btn-primary justify-self-start">Send appeal</SubmitButton>
    </Form>
  );
}
