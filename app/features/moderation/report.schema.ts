import { z } from "zod";
import { countLabel } from "../listings/phone-count.rules.ts";

const free = (label: string, most: number) =>
  z
    .string({ error: `${label} must be text` })
    .trim()
    .max(most, `${label} must be ${countLabel(most)} characters or shorter`)
    .default("");

/** A problem told to the administrator. Nothing is required; a blank report is a report. */
export const reportSchema = z.object({
  name: free("Name", 100),
  email: free("Email", 254),
  details: free("Problem", 5000),
});

export type NewReport = z.infer<typeof reportSchema>;
