import type { FieldMetadata } from "@conform-to/react";
import { Field } from "#app/ui/field.tsx";
import { AlertIcon } from "#app/ui/icons.tsx";
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
      <ConditionChoice field={fields.condition} />
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

function ConditionChoice({ field }: { field: Text }) {
  const error = field.errors?.[0];
  const choices = [
    ...conditionDescriptions,
    { condition: "", description: "Buyers will not see a condition." },
  ];
  return (
    <fieldset aria-describedby={error && field.errorId}>
      <legend className="mb-2 font-medium">{conditionLabels.condition}</legend>
      <div className="grid gap-2">
        {choices.map(({ condition, description }, index) => (
          <label
            key={condition}
            className="flex cursor-pointer gap-3 rounded-field border border-base-300 p-3 has-checked:border-primary has-checked:bg-base-200"
          >
            <input
              // The error summary links to the first choice.
              id={index === 0 ? field.id : undefined}
              type="radio"
              name={field.name}
              value={condition}
              defaultChecked={(field.initialValue ?? "") === condition}
              className="mt-0.5 size-5 shrink-0 accent-primary"
            />
            <span className="min-w-0">
              <span className="font-medium">{condition || "Not stated"}</span>
              <span className="block text-sm text-quiet">{description}</span>
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={field.errorId} className="mt-1 flex gap-1.5 text-sm font-medium text-error">
          <AlertIcon className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
    </fieldset>
  );
}
