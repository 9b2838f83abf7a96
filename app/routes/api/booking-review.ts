import { reviewRefusals } from "#app/features/reviews/review.rules.ts";
import { reviewSchema } from "#app/features/reviews/review.schema.ts";
import { saveReview } from "#app/features/reviews/write-review.server.ts";
import { reviewDays } from "#app/market.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { acknowledgedResponse, acknowledgedSchema, byId } from "./results.ts";

const route = defineApiRoute({
  PUT: operation({
    tag: "Reviews",
    summary: "Review the other side of a booking",
    description: `You have ${reviewDays.writable} days from the day it’s marked as received, or from its end if it’s returned or cancelled after the handover, and can edit your review for ${reviewDays.editable} days. It’s published once both sides have written one, or after ${reviewDays.hidden} days. The stars are final from then on. All these days stand still while a problem is open.`,
    access: "signed in",
    params: byId,
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
      if (outcome === "not found") return problem(404, "No such booking.");
      return problem(409, reviewRefusals[outcome]);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
