import { z } from "zod";
import { freeText } from "#app/server/forms/free-text.ts";

/** A problem report. The specification requires no field. */
export const reportSchema = z.object({
  name: freeText("Name", { max: 100 }).default(""),
  email: freeText("Email", { max: 254 }).default(""),
  details: freeText("Problem", { max: 5000 }).default(""),
});

/** The page's form: its idempotency key stays the same when it is shown again. */
export const reportFormSchema = reportSchema.extend({ formKey: z.string().optional() });

export type NewReport = z.infer<typeof reportSchema>;
