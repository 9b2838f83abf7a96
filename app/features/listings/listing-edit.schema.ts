import { z } from "zod";
import { optionalFields, phoneSchema, savedImageSchema } from "./phone.schema.ts";

/**
 * The fields of a published listing that its seller can edit. An empty optional field removes its value, except the
 * IMEI, which stays unless `removeImei` is set.
 */
export const listingEditSchema = phoneSchema.extend({
  image: savedImageSchema,
  ...optionalFields,
  imei: z
    .string()
    // Phones and boxes print it in groups.
    .transform((text) => text.replace(/[\s/.-]/g, ""))
    .pipe(
      z
        .string()
        .regex(/^\d{15}$/, { error: "IMEI must be 15 digits. Dial *#06# to see it", abort: true })
        .refine(isImei, "This IMEI isn’t valid. Check its digits"),
    )
    .optional(),
  removeImei: z.boolean().optional(),
});

/** A valid edit; prices in cents. */
export type ListingEdit = z.infer<typeof listingEditSchema>;

/** 15 digits, not all the same, with a correct check digit. @see 3GPP TS 23.003, annex B */
export function isImei(digits: string): boolean {
  if (!/^\d{15}$/.test(digits) || /^(\d)\1*$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
