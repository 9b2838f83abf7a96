import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { Field, FormErrors } from "#app/ui/field.tsx";
import { Section } from "#app/ui/section.tsx";
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
  const [form, fields] = useForm({
    id: "rename",
    lastResult,
    defaultValue: { name },
    constraint: getZodConstraint(nameSchema),
    onValidate: ({ formData }) => parseWithZod(formData, { schema: nameSchema }),
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
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
