import {
  type FieldMetadata,
  type FormMetadata,
  getInputProps,
  getSelectProps,
  getTextareaProps,
} from "@conform-to/react";
import { type ReactNode, useEffect, useRef } from "react";
import { AlertIcon } from "./icons.tsx";

interface FieldProps {
  label: string;
  hint?: string;
}

/** A labelled input with its message, tied together for every way of reading a page. */
export function Field({
  field,
  label,
  hint,
  type = "text",
  ...rest
}: FieldProps & {
  field: FieldMetadata<string | undefined>;
  type?: "text" | "email" | "password" | "tel" | "url" | "date";
  autoComplete?: string;
  placeholder?: string;
  inputMode?: "text" | "email" | "tel" | "decimal" | "numeric";
  max?: string;
}) {
  // A key among conform's props tells React which input is which, and may not be spread.
  const { key, ...input } = getInputProps(field, { type, ariaDescribedBy: hint && field.descriptionId });
  return (
    <Labelled id={field.id} label={label} hint={hint} field={field}>
      <input key={key} {...input} {...rest} className={inputClass("input", field.errors)} />
    </Labelled>
  );
}

/** Like Field, for text of several lines. */
export function TextAreaField({
  field,
  label,
  hint,
  ...rest
}: FieldProps & { field: FieldMetadata<string | undefined>; rows?: number; autoComplete?: string }) {
  const { key, ...textarea } = getTextareaProps(field, { ariaDescribedBy: hint && field.descriptionId });
  return (
    <Labelled id={field.id} label={label} hint={hint} field={field}>
      <textarea key={key} {...textarea} {...rest} className={inputClass("textarea", field.errors)} />
    </Labelled>
  );
}

/** A choice of a few. */
export function SelectField({
  field,
  label,
  hint,
  options,
}: FieldProps & { field: FieldMetadata<string | undefined>; options: readonly string[] }) {
  const { key, ...select } = getSelectProps(field, { ariaDescribedBy: hint && field.descriptionId });
  return (
    <Labelled id={field.id} label={label} hint={hint} field={field}>
      <select key={key} {...select} className={`select w-full ${field.errors ? "select-error" : ""}`}>
        <option value="">Choose…</option>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </Labelled>
  );
}

/** A value that is shown as a field of the form and cannot be changed here. */
export function ReadOnlyField({
  name,
  label,
  value,
  disabled = false,
}: {
  name: string;
  label: string;
  value: string;
  disabled?: boolean;
}) {
  const id = `fixed-${name}`;
  return (
    <Labelled id={id} label={label}>
      <input
        id={id}
        name={name}
        value={value}
        readOnly
        disabled={disabled}
        className="input w-full border-transparent bg-base-200"
      />
    </Labelled>
  );
}

function Labelled({
  id,
  label,
  hint,
  field,
  children,
}: FieldProps & { id: string; field?: FieldMetadata<string | undefined>; children: ReactNode }) {
  const error = field?.errors?.[0];
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block font-medium">
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

function inputClass(kind: "input" | "textarea", errors: unknown[] | undefined): string {
  return `${kind} w-full ${errors ? `${kind}-error` : ""}`;
}

/**
 * What is wrong with a form as a whole, above it: its own errors, and a link to each field that has one.
 *
 * @param labels the fields' labels by their names, in the order of the form
 */
export function FormErrors<Shape extends Record<string, unknown>>({
  form,
  labels,
}: {
  form: FormMetadata<Shape>;
  labels: { [Name in keyof Shape & string]?: string };
}) {
  const faulty = Object.entries<string | undefined>(labels).filter(([name]) => form.allErrors[name]?.length);
  const firstFault = faulty[0] && `${form.id}-${faulty[0][0]}`;
  const faultAtStart = useRef(firstFault);
  // Who sent the form before the scripts were there is put at the first fault, as who sends it later is.
  useEffect(() => {
    const { current } = faultAtStart;
    if (current && document.activeElement === document.body) document.getElementById(current)?.focus();
  }, []);
  if (!form.errors?.length && faulty.length === 0) return null;
  return (
    <div id={form.errorId} role="alert" className="rounded-box border border-error bg-error/5 px-4 py-3">
      {form.errors?.map((error) => (
        <p key={error} className="font-medium text-error">
          {error}
        </p>
      ))}
      {faulty.length > 0 && (
        <p>
          Please look again at:{" "}
          {faulty.map(([name, label], index) => (
            <span key={name}>
              {index > 0 && ", "}
              <a href={`#${form.id}-${name}`} className="link">
                {label}
              </a>
            </span>
          ))}
        </p>
      )}
    </div>
  );
}
