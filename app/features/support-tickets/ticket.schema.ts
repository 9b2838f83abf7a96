import { z } from "zod";
import { ticketStates } from "#app/db/enums.ts";
import { withoutPlaceholder } from "#app/server/forms/placeholders.ts";
import { plainLetters } from "#app/server/forms/sanitize-text.ts";
import { freeText } from "#app/server/forms/schema-fields.ts";

/** A support ticket. The specification requires no field. */
export const ticketSchema = z.object({
  name: freeText("Name", { max: 100 }).default(""),
  email: freeText("Email", { max: 254 }).overwrite(plainLetters).default(""),
  details: freeText("Problem", { max: 5000 }).default(""),
});

/** The page's form: its idempotency key stays the same when it is shown again. */
export const ticketFormSchema = ticketSchema.extend({ formKey: z.string().optional() });

/** What the sender of a report writes back. */
export const ticketMessageSchema = z.object({
  intent: z.literal("answer"),
  text: freeText("Message", { max: 5000, missing: "Write a message" }).min(1, "Write a message"),
});

/** An answer of staff. */
export const ticketAnswerSchema = ticketMessageSchema.extend({
  text: withoutPlaceholder(ticketMessageSchema.shape.text),
});

export const ticketStateSchema = z.enum(ticketStates);

export type NewTicket = z.infer<typeof ticketSchema>;
