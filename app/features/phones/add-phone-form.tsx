import { type FieldMetadata, getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { Form } from "@remix-run/react";
import { useState } from "react";
import { deviceTypes, operatingSystems } from "#app/db/values.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { ChoiceField, Field, FixedField, FormErrors, TextField } from "#app/ui/field.tsx";
import { ErrorToast } from "#app/ui/toast.tsx";
import { phoneSchema } from "./phone.schema.ts";
import { PhonePicture } from "./phone-card.tsx";

/** The fields' labels, in the order of the form. */
const labels = {
  brandName: "Brand Name",
  model: "Model",
  ram: "Ram",
  rom: "Rom",
  camera: "Camera Detail",
  processor: "Processor",
  os: "Os",
  deviceType: "Device Type",
  image: "Image Link",
  battery: "Battery",
  sellingReason: "Selling Reason",
  marketPrice: "Market Price",
  sellingPrice: "Selling Price",
  postDate: "Post Date",
  usedTime: "Used Time",
} as const;

/**
 * The form that publishes a listing.
 *
 * @param formKey names this filled-in form, so that sending it twice makes one listing
 * @param today ISO date, put into Post Date to begin with
 */
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
  const [form, fields] = useForm({
    id: "phone",
    lastResult,
    defaultValue: { postDate: today },
    constraint: getZodConstraint(phoneSchema),
    onValidate: ({ formData }) => parseWithZod(formData, { schema: phoneSchema }),
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
  });
  // A price is text while it is being typed.
  const price = (field: unknown) => field as FieldMetadata<string | undefined>;

  return (
    <Form method="post" {...getFormProps(form)} autoComplete="off" className="grid gap-6">
      {/* Off for this one: a browser that puts it back after a reload would name an older form. */}
      <input type="hidden" name="formKey" value={formKey} />
      <FormErrors form={form} labels={labels} />
      <div className="grid gap-6 sm:grid-cols-2">
        <Field field={fields.brandName} label={labels.brandName} placeholder="Samsung" />
        <Field field={fields.model} label={labels.model} placeholder="Galaxy S23" />
        <Field field={fields.ram} label={labels.ram} placeholder="8 GB" />
        <Field field={fields.rom} label={labels.rom} placeholder="128 GB" />
        <Field field={fields.camera} label={labels.camera} placeholder="50 MP wide, 12 MP ultrawide" />
        <Field field={fields.processor} label={labels.processor} placeholder="Snapdragon 8 Gen 2" />
        <ChoiceField field={fields.os} label={labels.os} options={operatingSystems} />
        <ChoiceField field={fields.deviceType} label={labels.deviceType} options={deviceTypes} />
        <ImageLinkField field={fields.image} deviceType={fields.deviceType.value} />
        <Field field={fields.battery} label={labels.battery} placeholder="3900 mAh" />
        <FixedField name="sellerName" label="Seller Name" value={seller.name} disabled />
        <FixedField name="sellerEmail" label="Seller Email" value={seller.email} disabled />
        <div className="sm:col-span-2">
          <TextField field={fields.sellingReason} label={labels.sellingReason} rows={3} />
        </div>
        <Field
          field={price(fields.marketPrice)}
          label={labels.marketPrice}
          inputMode="decimal"
          hint="In $, what it costs new."
        />
        <Field
          field={price(fields.sellingPrice)}
          label={labels.sellingPrice}
          inputMode="decimal"
          hint="In $, what you ask for it."
        />
        <Field field={fields.postDate} label={labels.postDate} type="date" />
        <Field field={fields.usedTime} label={labels.usedTime} hint="In months." />
      </div>
      <SubmitButton>Submit</SubmitButton>
      {form.errors && <ErrorToast message={form.errors.join(" ")} />}
    </Form>
  );
}

/** The link to a picture, with the picture as buyers will see it. */
function ImageLinkField({
  field,
  deviceType,
}: {
  field: FieldMetadata<string | undefined>;
  deviceType: string | undefined;
}) {
  const [typed, setTyped] = useState(field.initialValue ?? "");
  const shown = phoneSchema.shape.image.safeParse(typed).success ? typed : null;
  return (
    <div
      className="grid content-start gap-3"
      onInput={({ target }) => setTyped((target as HTMLInputElement).value)}
    >
      <Field
        field={field}
        label={labels.image}
        type="url"
        placeholder="https://"
        hint="Where a photo of it is on the web."
      />
      {shown && (
        <div className="rounded-box bg-base-200 p-3">
          <PhonePicture key={shown} image={shown} deviceType={deviceType} eager className="max-h-40" />
        </div>
      )}
    </div>
  );
}
