import { z } from "zod";
import { emailSchema } from "./account.schema.ts";

/** @see https://developers.google.com/identity/openid-connect/openid-connect#obtaininguserprofileinformation */
export const googleProfileSchema = z.object({
  /** Google's permanent id of the user. */
  sub: z.string().min(1).max(255),
  email: emailSchema,
  email_verified: z.boolean(),
  name: z.string().optional(),
});

export type GoogleProfile = z.infer<typeof googleProfileSchema>;
