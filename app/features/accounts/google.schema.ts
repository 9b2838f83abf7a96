import { z } from "zod";
import { emailSchema } from "./account.schema.ts";

/**
 * What Google says of a person. @see https://developers.google.com/identity/openid-connect/openid-connect#obtaininguserprofileinformation
 */
export const googlePersonSchema = z.object({
  /** Google's key of the person: never given to another, and kept when the address changes. */
  sub: z.string().min(1).max(255),
  email: emailSchema,
  email_verified: z.boolean(),
  name: z.string().optional(),
});

export type GooglePerson = z.infer<typeof googlePersonSchema>;
