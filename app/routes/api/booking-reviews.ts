import { findOrderReviews } from "#app/features/reviews/reviews.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { orderReviewsRecord, toOrderReviews } from "./order-records.ts";
import { byId } from "./results.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Reviews",
    summary: "Get a booking’s reviews",
    description: "For the buyer and the seller, once it’s marked as received.",
    access: "signed in",
    params: byId,
    response: orderReviewsRecord,
    errors: { 404: "You have no such booking, or it isn’t marked as received." },
    async handle({ context, viewer, params }) {
      const reviews = await findOrderReviews(context.db, viewer, params.id);
      return reviews ? Response.json(toOrderReviews(reviews)) : problem(404, "No such booking to review.");
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
