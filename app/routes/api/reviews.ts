import { z } from "zod";
import { sellerExists } from "#app/features/catalog/seller.server.ts";
import { reviewRefusals } from "#app/features/reviews/review.rules.ts";
import { replySchema, reviewSchema } from "#app/features/reviews/review.schema.ts";
import { findOrderReviews, selectReviews } from "#app/features/reviews/reviews.server.ts";
import { replyToReview, saveReview } from "#app/features/reviews/write-review.server.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { reviewDays } from "#app/terms.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { listQuerySchema, listResponse } from "./list.server.ts";
import { orderReviewsRecord, reviewRecord, toOrderReviews, toReview } from "./order-records.ts";
import { acknowledgedResponse, acknowledgedSchema, idParams } from "./results.ts";

const routes = defineApiRoutes({
  "/bookings/reviews/:id": {
    GET: operation({
      tag: "Reviews",
      summary: "Get a booking’s reviews",
      description: "For the buyer and the seller, once it’s marked as received.",
      access: "signed in",
      params: idParams,
      response: orderReviewsRecord,
      errors: { 404: "You have no such booking, or it isn’t marked as received." },
      async handle({ context, viewer, params }) {
        const reviews = await findOrderReviews(context.db, viewer, params.id);
        return reviews
          ? Response.json(toOrderReviews(reviews))
          : problemDetails(404, "No such booking to review.");
      },
    }),
  },
  "/bookings/review/:id": {
    PUT: operation({
      tag: "Reviews",
      summary: "Review the other side of a booking",
      description: `You have ${reviewDays.writable} days from the day it’s marked as received, or from its end if it’s returned or cancelled after the handover, and can edit your review for ${reviewDays.editable} days. It’s published once both sides have written one, or after ${reviewDays.hidden} days. The stars are final from then on. All these days stand still while a problem is open.`,
      access: "signed in",
      params: idParams,
      body: reviewSchema,
      example: { stars: 5, text: "Just as described." },
      mutation: "review",
      response: acknowledgedSchema,
      errors: {
        404: "You have no such booking.",
        409: "The booking was neither received nor ended after the handover, a problem is open, it’s too late, or the stars are final.",
      },
      async handle({ context, viewer, params, body }) {
        const outcome = await saveReview(context.db, viewer, params.id, body);
        if (outcome === "saved") return acknowledgedResponse();
        if (outcome === "not found") return problemDetails(404, "No such booking.");
        return problemDetails(409, reviewRefusals[outcome]);
      },
    }),
  },
  "/bookings/reply/:id": {
    PUT: operation({
      tag: "Reviews",
      summary: "Reply to the buyer’s review",
      description: "Sellers can reply once, after the review is published.",
      access: "signed in",
      params: idParams,
      body: replySchema,
      example: { reply: "Thank you!" },
      mutation: "review",
      response: acknowledgedSchema,
      errors: {
        404: "You have no such booking.",
        409: "There’s no review you can reply to.",
      },
      async handle({ context, viewer, params, body }) {
        const outcome = await replyToReview(context.db, viewer, params.id, body.reply);
        if (outcome === "saved") return acknowledgedResponse();
        if (outcome === "not found") return problemDetails(404, "No such booking.");
        return problemDetails(409, reviewRefusals[outcome]);
      },
    }),
  },
  "/reviews/seller/:id": {
    GET: operation({
      tag: "Reviews",
      summary: "List a seller’s reviews",
      description: "Published reviews from buyers, newest first.",
      access: "anyone",
      params: idParams,
      query: listQuerySchema,
      response: z.array(reviewRecord),
      paginated: true,
      errors: { 404: "No such seller." },
      async handle({ request, context, params, query }) {
        const [exists, response] = await Promise.all([
          sellerExists(context.db, params.id),
          listResponse(request, query, {
            read: (cursor, limit) => selectReviews(context.db, params.id, cursor, limit),
            record: toReview,
          }),
        ]);
        return exists ? response : problemDetails(404, "No such seller.");
      },
    }),
  },
});

export const loader = routes.loader;
export const action = routes.action;
