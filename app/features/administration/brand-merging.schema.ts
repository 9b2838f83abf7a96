import { z } from "zod";
import { text } from "#app/server/forms/schema-fields.ts";

const spelling = (label: string) =>
  text({ error: `${label} is required` })
    .min(1, { error: `${label} is required`, abort: true })
    .max(60, `${label} must be 60 characters or shorter`);

/** Which brand is to be spelled how from now on. */
export const brandMergingSchema = z.object({ brand: spelling("Brand"), spelling: spelling("New spelling") });
