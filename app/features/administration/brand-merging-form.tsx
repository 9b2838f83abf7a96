import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { ConfirmedValues, Field, FormErrors } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { brandMergingSchema } from "./brand-merging.schema.ts";

/** @param asked the merging that was asked about */
export function BrandMergingForm({
  account,
  lastResult,
  asked,
}: {
  account: string;
  lastResult: SubmissionResult<string[]> | undefined;
  asked: string[] | undefined;
}) {
  const [form, fields] = useSchemaForm(brandMergingSchema, { id: "merge", lastResult });
  return (
    <details className="mb-6" open={lastResult !== undefined}>
      <summary className="link min-h-6 w-fit">Merge two spellings of a brand</summary>
      <Form method="post" {...getFormProps(form)} autoComplete="off" className="mt-4 grid max-w-lg gap-5">
        <input type="hidden" name="account" value={account} />
        <input type="hidden" name="intent" value="merge" />
        <ConfirmedValues asked={asked} />
        <FormErrors form={form} labels={{ brand: "Brand", spelling: "New spelling" }} />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field field={fields.brand} label="Brand" placeholder="Moto" />
          <Field field={fields.spelling} label="New spelling" placeholder="Motorola" />
        </div>
        <p className="text-sm text-quiet">
          All its devices are listed under the new spelling, also those that sellers publish with the old one.
          Their orders have it, too. Links and saved searches keep working.
        </p>
        <SubmitButton className="btn-outline justify-self-start">Merge</SubmitButton>
      </Form>
    </details>
  );
}
