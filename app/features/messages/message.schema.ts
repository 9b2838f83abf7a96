import { z } from "zod";
import { confirmed, freeText } from "#app/server/forms/schema-fields.ts";

export const messageSchema = z.object({
  text: freeText("Message", { missing: "Write a message" }).min(1, "Write a message"),
});

/** The body of `POST /messages/{id}`. */
export const apiMessageSchema = messageSchema.extend({ confirmed });

/** The body of `POST /messages`: names a listing or a booking. */
export const apiFirstMessageSchema = apiMessageSchema
  .extend({
    phoneId: z.string().optional().describe("The listing. Your message goes to its seller."),
    bookingId: z.string().optional().describe("The booking. Your message goes to the other side."),
  })
  .refine(({ phoneId, bookingId }) => (phoneId === undefined) !== (bookingId === undefined), {
    path: ["phoneId"],
    error: "Name a listing by phoneId, or a booking by bookingId",
  })
  .meta({ oneOf: [{ required: ["phoneId"] }, { required: ["bookingId"] }] });
