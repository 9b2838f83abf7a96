import type { FieldMetadata } from "@conform-to/react";
import { Field, TextAreaField } from "#app/ui/field.tsx";

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
        hint="Where to send the device. You can add or change it until the handover."
      />
      <Field
        field={phone}
        label="Phone"
        type="tel"
        autoComplete="tel"
        hint="The number where the seller can reach you."
      />
    </div>
  );
}
