import { getFormProps, getInputProps, type SubmissionResult, useForm } from "@conform-to/react";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { Field, FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { reportFormSchema } from "./report.schema.ts";

/** The form to report a problem; name and email address are prefilled for signed-in users. */
export function ReportForm({
  reporter,
  formKey,
  lastResult,
}: {
  reporter: { name: string; email: string } | null;
  formKey: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useForm({
    id: "report",
    lastResult,
    defaultValue: { name: reporter?.name, email: reporter?.email, details: "", formKey },
    constraint: getZodConstraint(reportFormSchema),
    onValidate: ({ formData }) => parseWithZod(formData, { schema: reportFormSchema }),
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
  });
  const { key, ...formKeyInput } = getInputProps(fields.formKey, { type: "hidden" });

  return (
    <Form method="post" {...getFormProps(form)} autoComplete="off" className="grid gap-5">
      {/* With autocomplete, a browser could restore an old key after a reload. */}
      <input key={key} {...formKeyInput} />
      <FormErrors form={form} labels={{ name: "Name", email: "Email", details: "Problem" }} />
      <Field field={fields.name} label="Name" autoComplete="name" />
      <Field field={fields.email} label="Email" type="email" autoComplete="email" />
      <TextAreaField
        field={fields.details}
        label="Problem"
        rows={6}
        hint="What happened, and on which page."
      />
      <SubmitButton>Submit</SubmitButton>
    </Form>
  );
}
