import type { FieldMetadata } from "@conform-to/react";
import { ChoiceField } from "#app/ui/choice-field.tsx";
import { Field, SelectField } from "#app/ui/field.tsx";
import { type Attribute, attributes, attributesWith, type OptionalName, recordOf } from "./attributes.ts";
import { conditionDescriptions } from "./condition.rules.ts";

type OptionalField = FieldMetadata<string | number | undefined>;

export const conditionLabels = {
  ...recordOf(attributesWith("optional"), (name) => attributes[name].term),
  imei: "IMEI",
};

export function ConditionFields({
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
                  ? "An IMEI is saved. Enter a new one to replace it, or leave this field empty to keep it."
                  : "Dial *#06# to see it. It keeps a device from being listed twice. We keep only a scrambled copy and show it to nobody."
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
  const { term, choices, hint, placeholder } = attribute;
  return choices ? (
    <SelectField field={field} label={term} hint={hint} options={choices} none="Not stated" />
  ) : (
    <Field field={field} label={term} inputMode="numeric" placeholder={placeholder} hint={hint} />
  );
}

const conditionChoices = [
  ...conditionDescriptions.map(({ condition, description }) => ({
    value: condition,
    label: condition,
    description,
  })),
  { value: "", label: "Not stated", description: "Buyers will not see a condition." },
];
