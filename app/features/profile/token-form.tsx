import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/choice-field.tsx";
import { Field, FormErrors } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { personalAccessTokenSchema } from "../accounts/account.schema.ts";

const scopes = [
  {
    value: "read",
    label: "Read",
    description: "Sees what you see: your listings, your orders and your role.",
  },
  {
    value: "write",
    label: "Read and write",
    description: "Also acts in your name: publishes, deletes, books, cancels and reviews.",
  },
];

const lifetimes = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
];

/** @param formKey idempotency key: submitting the form twice creates one token */
export function TokenForm({
  email,
  formKey,
  lastResult,
}: {
  email: string;
  formKey: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(personalAccessTokenSchema, {
    id: "new-token",
    lastResult,
    defaultValue: { scope: "read", days: "90" },
  });
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-5">
      <input type="hidden" name="intent" value="create" />
      <input type="hidden" name="account" value={email} />
      <input type="hidden" name="formKey" value={formKey} />
      <FormErrors form={form} labels={{ name: "Name", scope: "Access", days: "Valid for" }} />
      <Field
        field={fields.name}
        label="Name"
        autoComplete="off"
        hint="The program that will use it, such as “Price updates”."
      />
      <ChoiceField field={fields.scope} label="Access" choices={scopes} />
      <ChoiceField field={fields.days} label="Valid for" choices={lifetimes} />
      <SubmitButton pending={{ intent: "create" }} className="btn-primary justify-self-start">
        Create token
      </SubmitButton>
    </Form>
  );
}
