import { z } from "zod";
import { withKnownPlaceholders } from "#app/server/forms/placeholders.ts";
import { freeText, text } from "#app/server/forms/schema-fields.ts";

/** What a date can hold. */
const maxTime = 8.64e15;

/** A text that staff inserts into reasons and answers. */
export const savedReplySchema = z.object({
  title: text({ error: "Enter a title" })
    .trim()
    .min(1, "Enter a title")
    .max(80, "Title must be 80 characters or shorter"),
  text: withKnownPlaceholders(freeText("Text", { missing: "Write a text" }).min(1, "Write a text")),
  /** The reply that is changed, and when it had been changed last; empty for a new one. */
  replyId: z.string().max(110).default(""),
  changedAt: z.coerce.number().min(0).max(maxTime).default(0),
});

export type NewSavedReply = z.output<typeof savedReplySchema>;

/** The button that puts a saved reply into the form that it stands in, by its name. */
export const insertButton = "insertReply";
