import type { FieldMetadata } from "@conform-to/react";
import type { ReactNode } from "react";
import { AlertIcon } from "./icons.tsx";

export interface Choice {
  value: string;
  label: string;
  description?: string;
  /** Fields that belong to the choice alone, shown once it is chosen. */
  fields?: ReactNode;
}

/** Radio buttons, each with an explanation. */
export function ChoiceField({
  field,
  label,
  choices,
}: {
  field: FieldMetadata<string | number | undefined>;
  label: string;
  choices: Choice[];
}) {
  const error = field.errors?.[0];
  return (
    <fieldset aria-describedby={error && field.errorId}>
      <legend className="mb-2 font-medium">{label}</legend>
      <div className="grid gap-2">
        {choices.map((choice, index) => (
          <div
            key={choice.value}
            className="group rounded-field border border-base-300 has-[input:checked]:border-primary has-[input:checked]:bg-base-200"
          >
            <label className="flex cursor-pointer gap-3 p-3">
              <input
                // The error summary links to the first choice.
                id={index === 0 ? field.id : undefined}
                type="radio"
                name={field.name}
                value={choice.value}
                defaultChecked={(field.initialValue ?? "") === choice.value}
                className="mt-0.5 size-5 shrink-0 accent-primary"
              />
              <span className="min-w-0">
                <span className="font-medium">{choice.label}</span>
                {choice.description && <span className="block text-sm text-quiet">{choice.description}</span>}
              </span>
            </label>
            {choice.fields && (
              <div className="px-3 pb-3 pl-11 supports-[selector(:has(a))]:not-group-has-[input:checked]:hidden">
                {choice.fields}
              </div>
            )}
          </div>
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
