import { getFormProps, getInputProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { Field, FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { ticketFormSchema } from "./ticket.schema.ts";

/** The form to report a problem; name and email address are prefilled for signed-in users. */
export function TicketForm({
  reporter,
  formKey,
  lastResult,
}: {
  reporter: { name: string; email: string } | null;
  formKey: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(ticketFormSchema, {
    id: "report",
    lastResult,
    defaultValue: { name: reporter?.name, email: reporter?.email, details: "", formKey },
  });
  const { key, ...formKeyInput } = getInputProps(fields.formKey, { type: "hidden" });

  return (
    <Form method="post" {...getFormProps(form)} autoComplete="off" className="grid gap-5">
      {/* With autocomplete, a browser could restore an old key after a reload. */}
      <input key={key} {...formKeyInput} />
      <FormErrors form={form} labels={{ name: "Name", email: "Email", details: "Problem" }} />
      <Field field={fields.name} label="Name" autoComplete="name" />
      <Field field={fields.email} label="Email" type="email" autoComplete="email" />
      <TextAreaField field={fields.details} label="Problem" rows={6} hint="What happened, and where?" />
      <SubmitButton>Submit</SubmitButton>
    </Form>
  );
}
