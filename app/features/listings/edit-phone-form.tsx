import type { FieldMetadata } from "@conform-to/react";
import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitBar } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/choice-field.tsx";
import { Field, FormErrors, SelectField } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { type Attribute, attributes, attributesWith, type OptionalName, recordOf } from "./attributes.ts";
import { conditionDescriptions } from "./condition.rules.ts";
import { listingEditSchema } from "./listing-edit.schema.ts";
import type { OwnListing } from "./listing-edit.server.ts";
import { toAmount } from "./money.rules.ts";
import { PhoneFields, phoneLabels } from "./phone-fields.tsx";

/** While the listing is reserved, the device's identity is read-only. */
export function EditPhoneForm({
  listing,
  account,
  lastResult,
}: {
  listing: OwnListing;
  account: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const { hasImei, marketCents, sellingCents, ...facts } = listing;
  const [form, fields] = useSchemaForm(listingEditSchema, {
    id: "listing",
    lastResult,
    defaultValue: {
      ...facts,
      marketPrice: String(toAmount(marketCents)),
      sellingPrice: String(toAmount(sellingCents)),
    },
  });
  const isReserved = listing.status === "reserved";

  return (
    <Form method="post" {...getFormProps(form)} autoComplete="off" className="grid gap-10">
      <input type="hidden" name="account" value={account} />
      <FormErrors form={form} labels={{ ...conditionLabels, ...phoneLabels }} />
      <section aria-labelledby="condition-heading" className="grid gap-5">
        <h2 id="condition-heading" className="text-xl font-semibold">
          About your device
        </h2>
        <ConditionFields fields={fields} imei={{ isStored: hasImei, isLocked: isReserved }} />
      </section>
      <section aria-labelledby="details-heading" className="grid gap-5">
        <h2 id="details-heading" className="text-xl font-semibold">
          Listing details
        </h2>
        <PhoneFields fields={fields} fixed={isReserved ? listing : undefined} />
      </section>
      <SubmitBar>Save changes</SubmitBar>
    </Form>
  );
}

type OptionalField = FieldMetadata<string | number | undefined>;

const conditionLabels = {
  ...recordOf(attributesWith("optional"), (name) => attributes[name].term),
  imei: "IMEI",
};

function ConditionFields({
  fields,
  imei,
}: {
  fields: Record<OptionalName, OptionalField> & {
    imei: FieldMetadata<string | undefined>;
    removeImei: FieldMetadata<boolean | undefined>;
  };
  imei: { isStored: boolean; isLocked: boolean };
}) {
  return (
    <div className="grid gap-6">
      <ChoiceField field={fields.condition} label={attributes.condition.term} choices={conditionChoices} />
      <div className="grid gap-6 sm:grid-cols-2">
        {attributesWith("optional")
          .filter((name) => name !== "condition")
          .map((name) => (
            <OptionalField key={name} attribute={attributes[name]} field={fields[name]} />
          ))}
        {imei.isLocked ? (
          <p className="text-sm text-quiet">The IMEI is locked while the device is reserved.</p>
        ) : (
          <div>
            <Field
              field={fields.imei}
              label={conditionLabels.imei}
              inputMode="numeric"
              autoComplete="off"
              hint={
                imei.isStored
                  ? "We have your IMEI. Enter a new one to replace it, or leave this empty."
                  : "Dial *#06# to see it. Buyers see that it was checked, never the number: we only keep a scrambled copy. It keeps a device from being listed twice."
              }
            />
            {imei.isStored && (
              <label className="mt-3 flex min-h-6 items-center gap-3">
                <input
                  type="checkbox"
                  name={fields.removeImei.name}
                  className="size-5 shrink-0 accent-primary"
                />
                Remove the saved IMEI
              </label>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

function OptionalField({ attribute, field }: { attribute: Attribute; field: OptionalField }) {
  const { term, choices, maxLength, hint, placeholder } = attribute;
  return choices ? (
    <SelectField field={field} label={term} hint={hint} options={choices} none="Not stated" />
  ) : (
    <Field
      field={field}
      label={term}
      inputMode={maxLength ? "text" : "numeric"}
      placeholder={placeholder}
      hint={hint}
    />
  );
}

const conditionChoices = [
  ...conditionDescriptions.map(({ condition, description }) => ({
    value: condition,
    label: condition,
    description,
  })),
  { value: "", label: "Not stated", description: "Buyers won’t see a condition." },
];
