import { z } from "zod";

export const maxReviewLength = 2000;

const reviewText = (label: string) =>
  z
    .string({ error: `Write a ${label.toLowerCase()}` })
    .trim()
    .max(maxReviewLength, `${label} must be 2,000 characters or shorter`);

export const reviewSchema = z.object({
  stars: z
    .number({ error: "Choose 1 to 5 stars" })
    .int("Choose 1 to 5 stars")
    .min(1, "Choose 1 to 5 stars")
    .max(5, "Choose 1 to 5 stars"),
  text: reviewText("Review").default(""),
});

/** The forms of a page, which its action tells apart by `intent`. */
export const reviewFormSchema = reviewSchema.extend({ intent: z.literal("review") });

export type NewReview = z.output<typeof reviewSchema>;

export const replySchema = z.object({
  reply: reviewText("Reply").min(1, "Write a reply"),
});

export const replyFormSchema = replySchema.extend({ intent: z.literal("reply") });
