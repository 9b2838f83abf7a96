import { reviewRefusals } from "#app/features/reviews/review.rules.ts";
import { replySchema } from "#app/features/reviews/review.schema.ts";
import { replyToReview } from "#app/features/reviews/write-review.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { acknowledgedResponse, acknowledgedSchema, byId } from "./results.ts";

const route = defineApiRoute({
  PUT: operation({
    tag: "Reviews",
    summary: "Reply to the buyer’s review",
    description: "Sellers can reply once, after the review is published.",
    access: "signed in",
    params: byId,
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
      if (outcome === "not found") return problem(404, "No such booking.");
      return problem(409, reviewRefusals[outcome]);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
