import { z } from "zod";
import { conditions } from "#app/db/values.ts";
import { isImei } from "./condition.rules.ts";
import { phoneSchema, savedImageSchema } from "./phone.schema.ts";

/** In per cent. */
const minBatteryHealth = 50;

/**
 * What a seller may say of a listing that stands: all that publishing asks for, and how well the device has been
 * kept. What is left blank is not said, but for the IMEI: that stays as it was unless it is to be forgotten.
 */
export const listingEditSchema = phoneSchema.extend({
  image: savedImageSchema,
  condition: z.enum(conditions, { error: "Condition must be Fair, Good or Excellent" }).optional(),
  batteryHealth: z
    .string()
    .trim()
    .regex(/^\d{1,3}\s?%?$/, { error: "Battery health must be a number of per cent, like 87", abort: true })
    .transform((text) => Number.parseInt(text, 10))
    .refine(
      (percent) => percent >= minBatteryHealth && percent <= 100,
      `Battery health must be between ${minBatteryHealth} and 100`,
    )
    .optional(),
  imei: z
    .string()
    // As phones and boxes print it: in groups.
    .transform((text) => text.replace(/[\s/.-]/g, ""))
    .pipe(
      z
        .string()
        .regex(/^\d{15}$/, { error: "IMEI must be 15 digits; dial *#06# to see it", abort: true })
        .refine(isImei, "This IMEI has a typing mistake: its last digit does not fit the others"),
    )
    .optional(),
  removeImei: z.boolean().optional(),
});

/** A listing as its seller wants it from now on; prices in cents. */
export type ListingEdit = z.infer<typeof listingEditSchema>;
