import { type DefaultValue, type SubmissionResult, useForm } from "@conform-to/react";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import type { z } from "zod";

/**
 * Conform's form for a zod schema, which also gives the HTML constraints. A field is validated when it is left, and
 * then while it is typed in.
 */
export function useSchemaForm<Schema extends z.ZodType<Record<string, unknown>, Record<string, unknown>>>(
  schema: Schema,
  {
    schemaFor = () => schema,
    ...options
  }: {
    id: string;
    lastResult: SubmissionResult<string[]> | undefined;
    defaultValue?: DefaultValue<z.input<Schema>>;
    shouldValidate?: "onSubmit" | "onBlur";
    /** The schema that validates a form whose fields depend on what it has, in place of `schema`. */
    schemaFor?: (form: FormData) => Schema;
  },
) {
  return useForm<z.input<Schema>, z.output<Schema>, string[]>({
    constraint: getZodConstraint(schema),
    onValidate: ({ formData }) => parseWithZod(formData, { schema: schemaFor(formData) }),
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
    ...options,
  });
}
