import { z } from "zod";
import { toAmount } from "#app/features/listings/money.rules.ts";
import type { OrderRecord } from "#app/features/orders/orders.server.ts";
import type { OrderReviews, SellerReview } from "#app/features/reviews/reviews.server.ts";
import { reviewDays } from "#app/market.ts";
import { _id, amount, recordNames } from "./record-fields.ts";

export const orderRecord = z
  .object({
    _id,
    phoneId: z.string().describe("The booked listing."),
    productName: z.string().describe("Brand and model."),
    ram: z.string(),
    rom: z.string(),
    buyerName: z.string(),
    buyerAddress: z.string(),
    email: z.string().describe("The buyer’s."),
    price: amount,
    phone: z.string(),
  })
  .register(recordNames, { id: "Booking" });

export function toOrder({ id, priceCents, ...fields }: OrderRecord) {
  return { _id: id, ...fields, price: toAmount(priceCents) } satisfies z.infer<typeof orderRecord>;
}

const reviewFields = {
  stars: z.int().min(1).max(5),
  text: z.string(),
  createdAt: z.iso.datetime(),
  edited: z.boolean(),
  reply: z.string().nullable().describe("The seller’s."),
};

export const reviewRecord = z
  .object({
    _id,
    ...reviewFields,
    author: z.string().describe("First name and initial, or Former member."),
  })
  .register(recordNames, { id: "Review" });

export function toReview({ id, createdAt, ...fields }: SellerReview) {
  return { _id: id, ...fields, createdAt: createdAt.toISOString() } satisfies z.infer<typeof reviewRecord>;
}

const hidden = z
  .boolean()
  .describe("Whether a moderator has hidden the review: others do not see it, and it does not count.");

export const orderReviewsRecord = z
  .object({
    role: z.enum(["buyer", "seller"]).describe("The caller’s in this order."),
    own: z
      .object({ _id, ...reviewFields, hidden, isPublished: z.boolean() })
      .nullable()
      .describe("The caller’s review."),
    other: z
      .object({ _id, ...reviewFields, hidden })
      .nullable()
      .describe(`The other side’s. Null until both are written, or for ${reviewDays.hidden} days.`),
    writableUntil: z.iso.datetime().nullable().describe("Until when `own` can be written or edited."),
    reviewableUntil: z.iso.datetime().nullable().describe("Until when both sides can write one."),
    canReply: z.boolean(),
  })
  .register(recordNames, { id: "OrderReviews" });

export function toOrderReviews({ own, other, ...fields }: OrderReviews) {
  const withId = <Review extends { id: string }>({ id, ...review }: Review) => ({ _id: id, ...review });
  return { ...fields, own: own && withId(own), other: other && withId(other) };
}
