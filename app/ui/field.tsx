import {
  type FieldMetadata,
  type FormMetadata,
  getInputProps,
  getSelectProps,
  getTextareaProps,
} from "@conform-to/react";
import { useActionData } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { ErrorBox } from "./error-box.tsx";
import { AlertIcon } from "./icons.tsx";
import { useHideToast } from "./toast.tsx";

interface FieldProps {
  label: string;
  hint?: string;
}

export function Field({
  field,
  label,
  hint,
  type = "text",
  ...rest
}: FieldProps & {
  field: FieldMetadata<string | number | undefined>;
  type?: "text" | "email" | "password" | "tel" | "url" | "date";
  autoComplete?: string;
  placeholder?: string;
  inputMode?: "text" | "email" | "tel" | "decimal" | "numeric";
  max?: string;
  list?: string;
}) {
  // React does not allow spreading `key`.
  const { key, ...input } = getInputProps(field, { type, ariaDescribedBy: hint && field.descriptionId });
  return (
    <LabelledField id={field.id} label={label} hint={hint} field={field}>
      <input key={key} {...input} {...rest} className={inputClass("input", field.errors)} />
    </LabelledField>
  );
}

export function TextAreaField({
  field,
  label,
  hint,
  ...rest
}: FieldProps & {
  field: FieldMetadata<string | undefined>;
  rows?: number;
  autoComplete?: string;
  readOnly?: boolean;
}) {
  const { key, ...textarea } = getTextareaProps(field, { ariaDescribedBy: hint && field.descriptionId });
  return (
    <LabelledField id={field.id} label={label} hint={hint} field={field}>
      <textarea key={key} {...textarea} {...rest} className={inputClass("textarea", field.errors)} />
    </LabelledField>
  );
}

export function SelectField({
  field,
  label,
  hint,
  options,
  likely,
  none = "Choose…",
}: FieldProps & {
  field: FieldMetadata<string | number | undefined>;
  /** Values that are shown as they are, or labels by value. */
  options: readonly string[] | Record<string, string>;
  /** Values that are offered first, below a title. */
  likely?: { title: string; values: readonly string[] } | undefined;
  /** The label of no choice; null if there is always one. */
  none?: string | null;
}) {
  const { key, ...select } = getSelectProps(field, { ariaDescribedBy: hint && field.descriptionId });
  const choices = Object.entries(options).map(([key, label]) => ({
    value: Array.isArray(options) ? label : key,
    label,
    isLikely: likely?.values.includes(label) ?? false,
  }));
  const isDivided = choices.some(({ isLikely }) => isLikely);
  return (
    <LabelledField id={field.id} label={label} hint={hint} field={field}>
      <select key={key} {...select} className={`select w-full ${field.errors ? "input-error" : ""}`}>
        {none !== null && <option value="">{none}</option>}
        {isDivided ? (
          <>
            <optgroup label={likely?.title}>
              {choices.filter(({ isLikely }) => isLikely).map(choiceOption)}
            </optgroup>
            <optgroup label="Others">
              {choices.filter(({ isLikely }) => !isLikely).map(choiceOption)}
            </optgroup>
          </>
        ) : (
          choices.map(choiceOption)
        )}
      </select>
    </LabelledField>
  );
}

const choiceOption = ({ value, label }: { value: string; label: string }) => (
  <option key={value} value={value}>
    {label}
  </option>
);

/** Fields that belong together, below a title. */
export function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-3 w-full border-b border-base-300 pb-1 font-display text-lg font-semibold">
        {title}
      </legend>
      {children}
    </fieldset>
  );
}

export function ReadOnlyField({
  name,
  label,
  value,
  disabled = false,
  isRow = false,
}: {
  name: string;
  label: string;
  value: string;
  disabled?: boolean;
  /** Whether it is a row of a grid, its label beside the value. */
  isRow?: boolean;
}) {
  const id = `fixed-${name}`;
  return (
    <LabelledField id={id} label={label} isRow={isRow}>
      <input
        id={id}
        name={name}
        value={value}
        readOnly
        disabled={disabled}
        className="w-full bg-transparent font-semibold text-ellipsis"
      />
    </LabelledField>
  );
}

/** A control of its own with a label, a hint and an error, as the fields above have them. */
export function LabelledField({
  id,
  label,
  hint,
  field,
  isRow = false,
  children,
}: FieldProps & {
  id: string;
  field?: Pick<FieldMetadata<unknown>, "errors" | "descriptionId" | "errorId">;
  isRow?: boolean;
  children: ReactNode;
}) {
  const error = field?.errors?.[0];
  return (
    <div className={isRow ? "contents" : "min-w-0"}>
      <label htmlFor={id} className={isRow ? "text-quiet" : "mb-1 block font-medium"}>
        {label}
      </label>
      {children}
      {hint && (
        <p id={field?.descriptionId} className="mt-1 text-sm text-quiet">
          {hint}
        </p>
      )}
      {error && (
        <p id={field?.errorId} className="mt-1 flex gap-1.5 text-sm font-medium text-error">
          <AlertIcon className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
    </div>
  );
}

/** Doubtful values that the person was asked about: submitting them again confirms them. */
export function ConfirmedValues({ asked = [] }: { asked: string[] | undefined }) {
  return (
    <>
      {asked.map((value) => (
        <input key={value} type="hidden" name="confirmed" value={value} />
      ))}
    </>
  );
}

function inputClass(kind: "input" | "textarea", errors: unknown[] | undefined): string {
  return `${kind} w-full ${errors ? `${kind}-error` : ""}`;
}

/**
 * The error summary above a form: its own errors, which get the focus, and a link to each invalid field.
 *
 * @param errors by default the errors of the form
 */
export function FormErrors<Shape extends Record<string, unknown>>({
  form,
  labels,
  errors = form.errors,
}: {
  form: FormMetadata<Shape>;
  labels: { [Name in (Shape extends unknown ? keyof Shape : never) & string]?: string };
  errors?: string[];
}) {
  const invalidFields = Object.entries<string | undefined>(labels).filter(
    ([name]) => form.allErrors[name]?.length,
  );
  const firstInvalidId = invalidFields[0] && `${form.id}-${invalidFields[0][0]}`;
  const summary = useRef<HTMLDivElement>(null);
  const isShown = Boolean(errors?.length) || invalidFields.length > 0;
  const hasOnlyOwnErrors = Boolean(form.errors?.length) && invalidFields.length === 0;
  const actionData = useActionData();
  const isHydrating = useRef(true);
  // With the action's data, so that the same error again gets the focus again.
  useEffect(() => {
    const used = document.activeElement;
    const isFree = !isHydrating.current || used === document.body || used === summary.current;
    // Conform focuses the first invalid field, but not after a form was submitted before hydration.
    const invalid = isHydrating.current && firstInvalidId ? document.getElementById(firstInvalidId) : null;
    isHydrating.current = false;
    if (isFree) (hasOnlyOwnErrors ? summary.current : invalid)?.focus();
  }, [hasOnlyOwnErrors, actionData]);
  const hideToast = useHideToast();
  // A success elsewhere on the page may be shown beside older errors.
  useEffect(() => {
    if (isShown) hideToast();
  }, [isShown]);
  if (!isShown) return null;
  const links = invalidFields.map(([name, label]) => (
    <a key={name} href={`#${form.id}-${name}`} className="link">
      {label}
    </a>
  ));
  return (
    <ErrorBox
      ref={summary}
      id={form.errorId}
      role="alert"
      tabIndex={-1}
      // Without JavaScript the page opens at the top, where the form may be out of sight.
      autoFocus
    >
      {errors?.map((error) => (
        <p key={error} className="text-error">
          {error}
        </p>
      ))}
      {links.length === 1 && <p className="font-normal">Fix one field: {links}</p>}
      {links.length > 1 && (
        <div className="font-normal">
          Fix {links.length} fields:
          <ul className="list-disc pl-5">
            {links.map((link) => (
              <li key={link.key}>{link}</li>
            ))}
          </ul>
        </div>
      )}
    </ErrorBox>
  );
}
