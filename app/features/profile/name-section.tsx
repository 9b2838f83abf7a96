import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { Field, FormErrors } from "#app/ui/field.tsx";
import { Section } from "#app/ui/section.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { nameSchema } from "../accounts/account.schema.ts";

export function NameSection({
  name,
  email,
  lastResult,
}: {
  name: string;
  email: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(nameSchema, {
    id: "rename",
    lastResult,
    defaultValue: { name },
  });
  return (
    <Section title="Name" intro="Your listings show your new name. Existing orders keep the old one.">
      <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-5">
        <input type="hidden" name="intent" value="name" />
        <input type="hidden" name="account" value={email} />
        <FormErrors form={form} labels={{ name: "Name" }} />
        <Field field={fields.name} label="Name" autoComplete="name" />
        <SubmitButton pending={{ intent: "name" }} className="btn-primary justify-self-start">
          Change name
        </SubmitButton>
      </Form>
    </Section>
  );
}
