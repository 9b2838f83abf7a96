import type { FieldMetadata } from "@conform-to/react";
import { useState } from "react";
import { deviceTypes, operatingSystems } from "#app/db/values.ts";
import { Field, ReadOnlyField, SelectField, TextAreaField } from "#app/ui/field.tsx";
import { FairPriceHint } from "./fair-price-hint.tsx";
import { isDrawing, savedImageSchema } from "./phone.schema.ts";
import { PhonePicture } from "./phone-picture.tsx";

/** The fields' labels, in the order of the form. */
export const phoneLabels = {
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

export type PhoneFieldset = Record<keyof typeof phoneLabels, FieldMetadata<string | undefined>>;

/** What tells which device it is. */
const identity = ["brandName", "model", "ram", "rom", "os", "deviceType"] as const;
export type Identity = Record<(typeof identity)[number], string>;

/**
 * All that a listing says, in the specified order.
 *
 * @param fields of a form whose schema has these fields; a price is text while it is being typed
 * @param seller shown among the fields, while the listing is new
 * @param fixed the device's identity, when it can no longer be changed
 */
export function PhoneFields({
  fields,
  seller,
  fixed,
}: {
  fields: PhoneFieldset;
  seller?: { name: string; email: string };
  fixed?: Identity;
}) {
  const identified = (name: keyof Identity, placeholder?: string) =>
    fixed ? (
      <ReadOnlyField name={name} label={phoneLabels[name]} value={fixed[name]} />
    ) : name === "os" || name === "deviceType" ? (
      <SelectField
        field={fields[name]}
        label={phoneLabels[name]}
        options={name === "os" ? operatingSystems : deviceTypes}
      />
    ) : (
      <Field field={fields[name]} label={phoneLabels[name]} placeholder={placeholder} />
    );
  return (
    <div className="grid gap-6 sm:grid-cols-2">
      {identified("brandName", "Samsung")}
      {identified("model", "Galaxy S23")}
      {identified("ram", "8 GB")}
      {identified("rom", "128 GB")}
      <Field field={fields.camera} label={phoneLabels.camera} placeholder="50 MP wide, 12 MP ultrawide" />
      <Field field={fields.processor} label={phoneLabels.processor} placeholder="Snapdragon 8 Gen 2" />
      {identified("os")}
      {identified("deviceType")}
      <ImageLinkField field={fields.image} deviceType={fixed?.deviceType ?? fields.deviceType.value} />
      <Field field={fields.battery} label={phoneLabels.battery} placeholder="3900 mAh" />
      {seller && (
        <>
          <ReadOnlyField name="sellerName" label="Seller Name" value={seller.name} disabled />
          <ReadOnlyField name="sellerEmail" label="Seller Email" value={seller.email} disabled />
        </>
      )}
      <div className="sm:col-span-2">
        <TextAreaField field={fields.sellingReason} label={phoneLabels.sellingReason} rows={3} />
      </div>
      <Field
        field={fields.marketPrice}
        label={phoneLabels.marketPrice}
        inputMode="decimal"
        hint="In $, what it costs new."
      />
      <Field
        field={fields.sellingPrice}
        label={phoneLabels.sellingPrice}
        inputMode="decimal"
        hint="In $, what you ask for it."
      />
      <FairPriceHint
        typed={{
          brandName: fixed?.brandName ?? fields.brandName.value,
          model: fixed?.model ?? fields.model.value,
          rom: fixed?.rom ?? fields.rom.value,
          sellingPrice: fields.sellingPrice.value,
        }}
      />
      <Field field={fields.postDate} label={phoneLabels.postDate} type="date" />
      <Field field={fields.usedTime} label={phoneLabels.usedTime} hint="In months." />
    </div>
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
  const shown = savedImageSchema.safeParse(typed).success ? typed : null;
  return (
    <div
      className="grid content-start gap-3"
      onInput={({ target }) => setTyped((target as HTMLInputElement).value)}
    >
      <Field
        field={field}
        label={phoneLabels.image}
        // A browser takes nothing but whole addresses in a field of this type.
        type={isDrawing(field.initialValue ?? "") ? "text" : "url"}
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
