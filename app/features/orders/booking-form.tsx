import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { Field, FormErrors, ReadOnlyField, TextAreaField } from "#app/ui/field.tsx";
import { priceLabel } from "../listings/money.rules.ts";
import type { PhoneDetails } from "../listings/phones.server.ts";
import { bookingSchema } from "./booking.schema.ts";

/** The form to book a phone. Only address and phone are editable. */
export function BookingForm({
  phone,
  buyer,
  lastResult,
}: {
  phone: Pick<PhoneDetails, "ram" | "rom" | "sellingCents">;
  buyer: { name: string; email: string };
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useForm({
    id: "booking",
    lastResult,
    constraint: getZodConstraint(bookingSchema),
    onValidate: ({ formData }) => parseWithZod(formData, { schema: bookingSchema }),
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
  });

  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-5">
      <input type="hidden" name="account" value={buyer.email} />
      <FormErrors form={form} labels={{ address: "Address", phone: "Phone" }} />
      <div className="grid grid-cols-2 gap-4">
        <ReadOnlyField name="ram" label="Ram" value={phone.ram} />
        <div className="col-span-2 sm:col-span-1">
          <ReadOnlyField name="name" label="Name" value={buyer.name} />
        </div>
        <div className="col-span-2 sm:col-span-1">
          <ReadOnlyField name="email" label="Email" value={buyer.email} />
        </div>
        <ReadOnlyField name="price" label="Price" value={priceLabel(phone.sellingCents)} />
        <ReadOnlyField name="rom" label="Rom" value={phone.rom} />
      </div>
      <TextAreaField
        field={fields.address}
        label="Address"
        rows={2}
        autoComplete="street-address"
        hint="Where to send the phone."
      />
      <Field
        field={fields.phone}
        label="Phone"
        type="tel"
        autoComplete="tel"
        hint="The number where the seller can reach you."
      />
      <SubmitButton>Submit</SubmitButton>
    </Form>
  );
}
