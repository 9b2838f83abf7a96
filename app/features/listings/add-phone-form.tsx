import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitBar } from "#app/ui/button.tsx";
import { FormErrors } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { phoneSchema } from "./phone.schema.ts";
import { PhoneFields, phoneLabels } from "./phone-fields.tsx";

/** @param formKey idempotency key: submitting the form twice creates one listing */
export function AddPhoneForm({
  seller,
  formKey,
  today,
  lastResult,
}: {
  seller: { name: string; email: string };
  formKey: string;
  today: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(phoneSchema, {
    id: "phone",
    lastResult,
    defaultValue: { postDate: today },
  });

  return (
    <Form method="post" {...getFormProps(form)} autoComplete="off" className="grid gap-6">
      {/* Autocomplete is off: after a reload some browsers would restore the key of an earlier form. */}
      <input type="hidden" name="formKey" value={formKey} />
      <input type="hidden" name="account" value={seller.email} />
      <FormErrors form={form} labels={phoneLabels} />
      <PhoneFields fields={fields} seller={seller} />
      <SubmitBar>Submit</SubmitBar>
    </Form>
  );
}
