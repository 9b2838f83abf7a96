import { z } from "zod";

export const maxMessageLength = 2000;

export const messageSchema = z.object({
  text: z
    .string({ error: "Write a message" })
    // Forms send line breaks as two characters.
    .overwrite((text) => text.replaceAll("\r\n", "\n"))
    .max(maxMessageLength, "Message must be 2,000 characters or shorter")
    .refine((text) => text.trim() !== "", "Write a message"),
});

/** The body of `POST /messages`: names a listing or a booking. */
export const firstMessageSchema = messageSchema
  .extend({
    phoneId: z.string().optional().describe("The listing whose seller is asked."),
    bookingId: z.string().optional().describe("The booking to whose other side the message is sent."),
  })
  .refine(({ phoneId, bookingId }) => (phoneId === undefined) !== (bookingId === undefined), {
    path: ["phoneId"],
    error: "Name a listing by phoneId, or a booking by bookingId",
  })
  .meta({ oneOf: [{ required: ["phoneId"] }, { required: ["bookingId"] }] });
