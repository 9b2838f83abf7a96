import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitBar } from "#app/ui/button.tsx";
import { FieldGroup, FormErrors, ReadOnlyField } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { priceLabel } from "../listings/money.rules.ts";
import { PhonePicture } from "../listings/phone-picture.tsx";
import type { PhoneDetails } from "../listings/phones.server.ts";
import { bookingFormSchema } from "./booking.schema.ts";
import { DeliveryFields } from "./delivery-fields.tsx";
import { paymentText } from "./order.rules.ts";

/** The form to book a phone. Only address and phone are editable. */
export function BookingForm({
  phone,
  buyer,
  delivery,
  lastResult,
}: {
  phone: Pick<PhoneDetails, "ram" | "rom" | "sellingCents" | "image" | "cover" | "deviceType">;
  buyer: { name: string; email: string };
  /** Of the buyer's last order. */
  delivery: { address: string; phone: string } | null;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(bookingFormSchema, {
    id: "booking",
    lastResult,
    defaultValue: delivery ?? undefined,
  });
  const submittedCents = lastResult?.initialValue?.shownCents;
  const hasNewPrice = submittedCents !== undefined && submittedCents !== String(phone.sellingCents);

  return (
    <Form method="post" preventScrollReset {...getFormProps(form)}>
      <div className="grid gap-6 pb-6">
        <input type="hidden" name="account" value={buyer.email} />
        <input type="hidden" name="shownCents" value={phone.sellingCents} />
        <FormErrors form={form} labels={{ address: "Address", phone: "Phone" }} />
        <FieldGroup title="Device">
          <div className="grid grid-cols-[6rem_minmax(0,1fr)] gap-4 sm:grid-cols-[8rem_minmax(0,1fr)] sm:gap-6">
            <div className="self-start rounded-box bg-base-200 p-2 after:hidden sm:p-3">
              <PhonePicture image={phone.image} cover={phone.cover} deviceType={phone.deviceType} eager />
            </div>
            <div className="grid grid-cols-2 content-center gap-4 sm:grid-cols-3">
              <ReadOnlyField name="ram" label="Ram" value={phone.ram} />
              <ReadOnlyField name="rom" label="Rom" value={phone.rom} />
              <div className="max-sm:col-span-2">
                <ReadOnlyField name="price" label="Price" value={priceLabel(phone.sellingCents)} />
              </div>
            </div>
          </div>
        </FieldGroup>
        <FieldGroup title="You">
          <div className="grid gap-4 sm:grid-cols-2">
            <ReadOnlyField name="name" label="Name" value={buyer.name} />
            <ReadOnlyField name="email" label="Email" value={buyer.email} />
          </div>
        </FieldGroup>
        <FieldGroup title="Delivery">
          {delivery && (
            <p className="mb-4 text-sm text-quiet">
              From your last order. Change or clear it if it doesn’t fit this one.
            </p>
          )}
          <DeliveryFields address={fields.address} phone={fields.phone} />
          <p className="mt-5 text-sm text-pretty text-quiet">{paymentText("buyer", "reserved")}</p>
        </FieldGroup>
      </div>
      <SubmitBar>{hasNewPrice ? `Book for ${priceLabel(phone.sellingCents)}` : "Submit"}</SubmitBar>
    </Form>
  );
}
