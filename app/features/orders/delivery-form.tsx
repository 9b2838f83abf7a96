import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { FormErrors } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { bookingSchema } from "./booking.schema.ts";
import { DeliveryFields } from "./delivery-fields.tsx";

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
