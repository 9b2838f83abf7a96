import { z } from "zod";
import { freeText } from "#app/server/forms/schema-fields.ts";

export const reviewSchema = z.object({
  stars: z
    .number({ error: "Choose 1 to 5 stars" })
    .int("Choose 1 to 5 stars")
    .min(1, "Choose 1 to 5 stars")
    .max(5, "Choose 1 to 5 stars"),
  text: freeText("Review").default(""),
});

/** The forms of a page; `intent` names the one that was submitted. */
export const reviewFormSchema = reviewSchema.extend({ intent: z.literal("review") });

export type NewReview = z.output<typeof reviewSchema>;

export const replySchema = z.object({
  reply: freeText("Reply", { missing: "Write a reply" }).min(1, "Write a reply"),
});

export const replyFormSchema = replySchema.extend({ intent: z.literal("reply") });
