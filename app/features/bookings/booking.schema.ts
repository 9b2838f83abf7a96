import { z } from "zod";

/**
 * What a buyer may say about a booking. Both are free text and may be blank, as the specification has it; the
 * booking holds the buyer's e-mail address in any case. Everything else comes from the listing and the session.
 */
export const bookingSchema = z.object({
  address: z.string().trim().max(500, "Address must be 500 characters or shorter").default(""),
  phone: z.string().trim().max(40, "Phone must be 40 characters or shorter").default(""),
});

export type BookingRequest = z.infer<typeof bookingSchema>;
