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

export const newConversationSchema = messageSchema.extend({
  phoneId: z.string().optional().describe("The listing whose seller is asked."),
  bookingId: z.string().optional().describe("The booking to whose other side the message is sent."),
});
