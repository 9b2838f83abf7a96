import type { FieldMetadata } from "@conform-to/react";
import { ChoiceField } from "#app/ui/choice-field.tsx";
import { Field } from "#app/ui/field.tsx";
import { conditionDescriptions } from "./condition.rules.ts";

type Text = FieldMetadata<string | undefined>;

export const conditionLabels = {
  condition: "Condition",
  batteryHealth: "Battery health",
  imei: "IMEI",
} as const;

export function ConditionFields({
  fields,
  imei,
}: {
  fields: {
    condition: Text;
    batteryHealth: Text;
    imei: Text;
    removeImei: FieldMetadata<boolean | undefined>;
  };
  imei: { isStored: boolean; isLocked: boolean };
}) {
  return (
    <div className="grid gap-6">
      <ChoiceField field={fields.condition} label={conditionLabels.condition} choices={conditionChoices} />
      <div className="grid gap-6 sm:grid-cols-2">
        <Field
          field={fields.batteryHealth}
          label={conditionLabels.batteryHealth}
          inputMode="numeric"
          placeholder="87"
          hint="In percent, from 50 to 100. Many devices show it in their battery settings."
        />
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

const conditionChoices = [
  ...conditionDescriptions.map(({ condition, description }) => ({
    value: condition,
    label: condition,
    description,
  })),
  { value: "", label: "Not stated", description: "Buyers will not see a condition." },
];
