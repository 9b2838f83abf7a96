import type { FieldMetadata } from "@conform-to/react";
import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { Field, FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { bookingSchema } from "./booking.schema.ts";

/** The form to change where an order is sent. */
export function DeliveryForm({
  delivery,
  lastResult,
}: {
  delivery: { address: string; phone: string; email: string };
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(bookingSchema, {
    id: "delivery",
    lastResult,
    defaultValue: { address: delivery.address, phone: delivery.phone },
  });

  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-5">
      <input type="hidden" name="intent" value="delivery" />
      <input type="hidden" name="account" value={delivery.email} />
      <FormErrors form={form} labels={{ address: "Address", phone: "Phone" }} />
      <DeliveryFields address={fields.address} phone={fields.phone} />
      <p>
        <SubmitButton pending={{ intent: "delivery" }} className="btn-outline">
          Save delivery details
        </SubmitButton>
      </p>
    </Form>
  );
}

/** Address and phone number, when booking and on the order. */
export function DeliveryFields({
  address,
  phone,
}: {
  address: FieldMetadata<string | undefined>;
  phone: FieldMetadata<string | undefined>;
}) {
  return (
    <div className="grid gap-5">
      <TextAreaField
        field={address}
        label="Address"
        rows={2}
        autoComplete="street-address"
        hint="Where the device should go. You can change it until the handover."
      />
      <Field field={phone} label="Phone" type="tel" autoComplete="tel" hint="So the seller can reach you." />
    </div>
  );
}
