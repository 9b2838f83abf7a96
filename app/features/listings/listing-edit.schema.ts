import { z } from "zod";
import { conditions } from "#app/db/values.ts";
import { isImei } from "./condition.rules.ts";
import { phoneSchema, savedImageSchema } from "./phone.schema.ts";

/** In per cent. */
const minBatteryHealth = 50;

/**
 * The fields of a published listing that its seller can edit. An empty optional field removes its value, except the
 * IMEI, which stays unless `removeImei` is set.
 */
export const listingEditSchema = phoneSchema.extend({
  image: savedImageSchema,
  condition: z.enum(conditions, { error: "Condition must be Fair, Good or Excellent" }).optional(),
  batteryHealth: z
    .string()
    .trim()
    .regex(/^\d{1,3}\s?%?$/, { error: "Battery health must be a percentage, like 87", abort: true })
    .transform((text) => Number.parseInt(text, 10))
    .refine(
      (percent) => percent >= minBatteryHealth && percent <= 100,
      `Battery health must be between ${minBatteryHealth} and 100`,
    )
    .optional(),
  imei: z
    .string()
    // Phones and boxes print it in groups.
    .transform((text) => text.replace(/[\s/.-]/g, ""))
    .pipe(
      z
        .string()
        .regex(/^\d{15}$/, { error: "IMEI must be 15 digits. Dial *#06# to see it", abort: true })
        .refine(isImei, "This IMEI is not valid. Check its digits"),
    )
    .optional(),
  removeImei: z.boolean().optional(),
});

/** A valid edit; prices in cents. */
export type ListingEdit = z.infer<typeof listingEditSchema>;
