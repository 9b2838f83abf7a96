import { findOrderReviews } from "#app/features/reviews/reviews.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { orderReviewsRecord, toOrderReviews } from "./order-records.ts";
import { byId } from "./results.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Reviews",
    summary: "The reviews of a booking",
    description: "For its buyer and its seller, once the device has been received.",
    access: "signed in",
    params: byId,
    response: orderReviewsRecord,
    errors: { 404: "The caller has no such booking, or it has not been received." },
    async handle({ context, viewer, params }) {
      const reviews = await findOrderReviews(context.db, viewer, params.id);
      return reviews ? Response.json(toOrderReviews(reviews)) : problem(404, "No such booking to review.");
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
