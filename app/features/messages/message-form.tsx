import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { messageSchema } from "./message.schema.ts";

/** @param account the email address of the account that the form is for */
export function MessageForm({
  account,
  formKey,
  lastResult,
}: {
  account: string;
  formKey: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(messageSchema, {
    id: "message",
    lastResult,
    // Not when the field is left: an empty message is no mistake until it is sent.
    shouldValidate: "onSubmit",
  });
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-3">
      <input type="hidden" name="account" value={account} />
      <input type="hidden" name="formKey" value={formKey} />
      <FormErrors form={form} labels={{ text: "Message" }} />
      <TextAreaField
        field={fields.text}
        label="Message"
        rows={3}
        hint="Up to 2,000 characters. Never send passwords or card details."
      />
      <SubmitButton pending={{ formKey }} className="btn-primary justify-self-start">
        Send message
      </SubmitButton>
    </Form>
  );
}
