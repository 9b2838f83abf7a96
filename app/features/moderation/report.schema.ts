import { z } from "zod";
import { countLabel } from "../listings/device-count.rules.ts";

const optionalText = (label: string, max: number) =>
  z
    .string({ error: `${label} must be text` })
    .trim()
    .max(max, `${label} must be ${countLabel(max)} characters or shorter`)
    .default("");

/** A problem report. The specification requires no field. */
export const reportSchema = z.object({
  name: optionalText("Name", 100),
  email: optionalText("Email", 254),
  details: optionalText("Problem", 5000),
});

/** The page's form: its idempotency key stays the same when it is shown again. */
export const reportFormSchema = reportSchema.extend({ formKey: z.string().optional() });

export type NewReport = z.infer<typeof reportSchema>;
