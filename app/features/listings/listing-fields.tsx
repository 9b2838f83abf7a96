import type { FieldMetadata } from "@conform-to/react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { brand } from "#app/brand.ts";
import { deviceTypes, operatingSystems } from "#app/db/enums.ts";
import { market } from "#app/market.ts";
import { ChoiceField } from "#app/ui/choice-field.tsx";
import { useOptionalJson } from "#app/ui/fetch-optional-json.ts";
import { Field, ReadOnlyField, SelectField, TextAreaField } from "#app/ui/field.tsx";
import { AlertIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { type Attribute, attributes, attributesWith, type OptionalName, recordOf } from "./attributes.ts";
import { conditionDescriptions } from "./condition.rules.ts";
import { isDrawing } from "./drawing.rules.ts";
import type { FairPrice } from "./fair-price.rules.ts";
import { FairPriceScale } from "./fair-price.tsx";
import { payoutLabel } from "./fee.rules.ts";
import {
  listingImageSchema,
  listingSchema,
  type PublisherPayouts,
  payoutsRequiredText,
} from "./listing.schema.ts";
import { ListingPicture } from "./listing-picture.tsx";

export const listingLabels = {
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

/** Sizes that are suggested while no model is known. */
const usualSizes = {
  ram: [2, 3, 4, 6, 8, 12, 16].map((size) => `${size} GB`),
  rom: [...[16, 32, 64, 128, 256, 512].map((size) => `${size} GB`), "1 TB"],
};

type PriceName = "marketPrice" | "sellingPrice";
type PhoneFieldset = Record<Exclude<keyof typeof listingLabels, PriceName | "image">, FieldMetadata<string>> &
  Record<"image", FieldMetadata<string | undefined>> &
  Record<PriceName, FieldMetadata<string | number>>;

type DeviceIdentity = Record<"brandName" | "model" | "ram" | "rom" | "os" | "deviceType", string>;

/**
 * @param fixed the device's identity, if it can no longer be changed
 * @param models what brand and model can be chosen from
 * @param sizes those of the model, if it is known
 * @param fillIn stands below brand and model
 */
export function ListingFields({
  fields,
  seller,
  fixed,
  models = [],
  sizes = usualSizes,
  fillIn,
  payouts,
}: {
  fields: PhoneFieldset;
  seller?: { name: string; email: string };
  fixed?: DeviceIdentity;
  models?: { brandName: string; model: string }[];
  sizes?: Record<"ram" | "rom", string[]>;
  fillIn?: ReactNode;
  /** Null in a market without a payment provider. */
  payouts: PublisherPayouts | null;
}) {
  const lists: Partial<Record<string, { value: string; label?: string }[]>> = {
    brandName: [...new Set(models.map(({ brandName }) => brandName))].map((value) => ({ value })),
    model: models.map(({ brandName, model }) => ({ value: model, label: brandName })),
    ram: sizes.ram.map((value) => ({ value })),
    rom: sizes.rom.map((value) => ({ value })),
  };
  const identityField = (name: keyof DeviceIdentity, placeholder?: string) =>
    fixed ? (
      <ReadOnlyField name={name} label={listingLabels[name]} value={fixed[name]} />
    ) : name === "os" || name === "deviceType" ? (
      <SelectField
        field={fields[name]}
        label={listingLabels[name]}
        options={name === "os" ? operatingSystems : deviceTypes}
      />
    ) : (
      <Field
        field={fields[name]}
        label={listingLabels[name]}
        placeholder={placeholder}
        list={lists[name]?.length ? `known-${name}` : undefined}
      />
    );
  return (
    <div className="grid gap-6 sm:grid-cols-2">
      {Object.entries(lists).map(([name, choices = []]) => (
        <datalist key={name} id={`known-${name}`}>
          {choices.map(({ value, label }) => (
            <option key={`${label} ${value}`} value={value} label={label} />
          ))}
        </datalist>
      ))}
      {identityField("brandName", "Samsung")}
      {identityField("model", "Galaxy S23")}
      {fillIn}
      {identityField("ram", "8 GB")}
      {identityField("rom", "128 GB")}
      <Field field={fields.camera} label={listingLabels.camera} placeholder="50 MP wide, 12 MP ultrawide" />
      <Field field={fields.processor} label={listingLabels.processor} placeholder="Snapdragon 8 Gen 2" />
      {identityField("os")}
      {identityField("deviceType")}
      {/* Where links are off, a form of before may have sent one. */}
      {(brand.imageLinks || fields.image.errors) && (
        <ImageLinkField
          field={fields.image}
          deviceType={fixed?.deviceType ?? fields.deviceType.value}
          hint={
            seller
              ? "A link to a picture of your device, if you have no photo. Your own photos sell better."
              : "A link to a picture of your device."
          }
        />
      )}
      <Field field={fields.battery} label={listingLabels.battery} placeholder="3900 mAh" />
      {seller && (
        <>
          <ReadOnlyField name="sellerName" label="Seller Name" value={seller.name} disabled />
          <ReadOnlyField name="sellerEmail" label="Seller Email" value={seller.email} disabled />
        </>
      )}
      <div className="sm:col-span-2">
        <TextAreaField field={fields.sellingReason} label={listingLabels.sellingReason} rows={3} />
      </div>
      <Field
        field={fields.marketPrice}
        label={listingLabels.marketPrice}
        inputMode="decimal"
        hint={`The price of a new device, in ${market.currencyName}.`}
      />
      <Field
        field={fields.sellingPrice}
        label={listingLabels.sellingPrice}
        inputMode="decimal"
        hint={`Your asking price, in ${market.currencyName}.`}
      />
      {payouts && <PayoutHint payouts={payouts} price={fields.sellingPrice.value} />}
      <FairPriceHint
        device={{
          brandName: fixed?.brandName ?? fields.brandName.value,
          model: fixed?.model ?? fields.model.value,
          rom: fixed?.rom ?? fields.rom.value,
          sellingPrice: fields.sellingPrice.value,
        }}
      />
      <Field field={fields.postDate} label={listingLabels.postDate} type="date" />
      <Field field={fields.usedTime} label={listingLabels.usedTime} hint="In months, like 14." />
    </div>
  );
}

function ImageLinkField({
  field,
  deviceType,
  hint,
}: {
  field: FieldMetadata<string | undefined>;
  deviceType: string | undefined;
  hint: string;
}) {
  const [value, setValue] = useState(field.initialValue ?? "");
  const [broken, setBroken] = useState<string | null>(null);
  const picture = useRef<HTMLDivElement>(null);
  const warning = useRef<HTMLParagraphElement>(null);
  const preview = listingImageSchema.safeParse(value).success ? value : null;
  // The picture may have failed to load before hydration.
  useEffect(() => {
    const image = picture.current?.querySelector("img");
    if (image?.complete && image.naturalWidth === 0) setBroken(field.initialValue ?? null);
  }, []);
  // Above the bar with the button, unless the user has gone on to another field.
  useEffect(() => {
    const { current } = warning;
    if (broken && current?.parentElement?.contains(document.activeElement))
      current.scrollIntoView({ block: "nearest" });
  }, [broken]);
  return (
    <div
      className="grid content-start gap-3"
      onInput={({ target }) => setValue((target as HTMLInputElement).value)}
    >
      <Field
        field={field}
        label={listingLabels.image}
        // A field of type "url" rejects the paths of our own drawings.
        type={isDrawing(field.initialValue ?? "") ? "text" : "url"}
        placeholder="https://"
        hint={hint}
      />
      {preview && preview !== broken && (
        <div ref={picture} className="labelled-picture rounded-box bg-base-200 p-3">
          <ListingPicture
            key={preview}
            picture={{ image: preview, deviceType }}
            eager
            onError={() => setBroken(preview)}
            className="max-h-48"
          />
        </div>
      )}
      <p ref={warning} role="status" className="flex gap-1.5 text-sm font-medium empty:hidden">
        {preview && preview === broken && (
          <>
            <AlertIcon className="mt-0.5 size-4 shrink-0" />
            There’s no picture at this link. Buyers see an illustration until you fix it or add photos.
          </>
        )}
      </p>
    </div>
  );
}

function PayoutHint({ payouts, price }: { payouts: PublisherPayouts; price: string | undefined }) {
  if (payouts === "ready") {
    const { data: cents } = listingSchema.shape.sellingPrice.safeParse(price);
    return (
      <p role="status" className="text-sm text-quiet empty:hidden sm:col-span-2">
        {payoutLabel(cents)}
      </p>
    );
  }
  return (
    <p className="text-sm text-quiet sm:col-span-2">
      {payouts === "required"
        ? payoutsRequiredText
        : "Buyers pay you directly, and read that the payment isn’t protected."}{" "}
      <Link to="/manage/payouts" className="link">
        Set up payouts
      </Link>
    </p>
  );
}

const debounceMs = 400;

interface DeviceInput {
  brandName: string | undefined;
  model: string | undefined;
  rom: string | undefined;
  sellingPrice: string | undefined;
}

function FairPriceHint({ device: { brandName, model, rom, sellingPrice } }: { device: DeviceInput }) {
  const isComplete = Boolean(brandName?.trim() && model?.trim() && rom?.trim());
  const path = isComplete
    ? `/addphone/fair-price?${new URLSearchParams({ brandName: brandName ?? "", model: model ?? "", rom: rom ?? "" })}`
    : null;
  const found = useOptionalJson<{ fair: FairPrice | null }>(path, debounceMs);

  const price = listingSchema.shape.sellingPrice.safeParse(sellingPrice);
  return (
    <div aria-live="polite" className="min-w-0 empty:hidden sm:col-span-2">
      {found?.data && found.path === path && (
        <FairPriceScale fair={found.data.fair} askingCents={price.success ? price.data : null} />
      )}
    </div>
  );
}

export const optionalLabels = {
  ...recordOf(attributesWith("optional"), (name) => attributes[name].term),
  imei: "IMEI",
  ownNumber: "Own number (SKU)",
};

type OptionalField = FieldMetadata<string | number | undefined>;

/** What buyers want to know besides what every listing says. */
export function OptionalFields({
  fields,
  colors = [],
  children,
}: {
  fields: Record<OptionalName | "ownNumber", OptionalField>;
  /** Those of the model, if it is known. */
  colors?: readonly string[];
  children?: ReactNode;
}) {
  return (
    <div className="grid gap-6">
      <ChoiceField field={fields.condition} label={attributes.condition.term} choices={conditionChoices} />
      <div className="grid gap-6 sm:grid-cols-2">
        {attributesWith("optional")
          .filter((name) => name !== "condition")
          .map((name) => (
            <OptionalField
              key={name}
              attribute={attributes[name]}
              field={fields[name]}
              likely={name === "color" ? { title: "Of this model", values: colors } : undefined}
            />
          ))}
        <Field
          field={fields.ownNumber}
          label={optionalLabels.ownNumber}
          hint="What you call it in your stock. Only you see it."
        />
        {children}
      </div>
    </div>
  );
}

function OptionalField({
  attribute,
  field,
  likely,
}: {
  attribute: Attribute;
  field: OptionalField;
  likely: { title: string; values: readonly string[] } | undefined;
}) {
  const { term, choices, maxLength, suggested, hint, placeholder } = attribute;
  if (choices)
    return (
      <SelectField
        field={field}
        label={term}
        hint={hint}
        options={choices}
        likely={likely}
        none="Not stated"
      />
    );
  const list = suggested && `known-${field.name}`;
  return (
    <>
      <Field
        field={field}
        label={term}
        inputMode={maxLength ? "text" : "numeric"}
        placeholder={placeholder}
        hint={hint}
        list={list}
      />
      {suggested && (
        <datalist id={list}>
          {suggested.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
    </>
  );
}

export function ImeiField({
  field,
  hint = "Dial *#06# to see it. Buyers see that it was checked, never the number: we only keep a code made from it, so nobody can list the same device twice.",
}: {
  field: FieldMetadata<string | undefined>;
  hint?: string | undefined;
}) {
  return <Field field={field} label="IMEI" inputMode="numeric" autoComplete="off" hint={hint} />;
}

const conditionChoices = [
  ...conditionDescriptions.map(({ condition, description }) => ({
    value: condition,
    label: condition,
    description,
  })),
  { value: "", label: "Not stated", description: "Buyers won’t see a condition." },
];
