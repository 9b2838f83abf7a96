import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { market } from "#app/market.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/choice-field.tsx";
import { Field, FormErrors, SelectField } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { handoverSchema } from "./booking.schema.ts";

/** The seller's form to say that the device is on its way or with the buyer. */
export function HandOverForm({ lastResult }: { lastResult: SubmissionResult<string[]> | undefined }) {
  const [form, fields] = useSchemaForm(handoverSchema, {
    id: "hand-over",
    lastResult,
    defaultValue: { handover: "in person" },
  });
  const labels = { handover: "How", parcelService: "Delivered by", trackingNumber: "Tracking number" };
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-4">
      <input type="hidden" name="intent" value="hand over" />
      <FormErrors form={form} labels={labels} />
      <ChoiceField
        field={fields.handover}
        label="How does the buyer get it?"
        choices={[
          { value: "in person", label: "In person" },
          {
            value: "shipped",
            label: "Shipped",
            fields: (
              <div className="grid gap-4">
                <SelectField
                  field={fields.parcelService}
                  label={labels.parcelService}
                  options={market.parcelServices}
                />
                <Field
                  field={fields.trackingNumber}
                  label={labels.trackingNumber}
                  autoComplete="off"
                  hint="We send it to the buyer."
                />
              </div>
            ),
          },
        ]}
      />
      <SubmitButton pending={{ intent: "hand over" }} className="btn-primary w-full">
        Mark as handed over
      </SubmitButton>
    </Form>
  );
}
