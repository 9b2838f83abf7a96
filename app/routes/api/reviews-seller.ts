import { z } from "zod";
import { sellerExists } from "#app/features/catalog/seller.server.ts";
import { selectReviews } from "#app/features/reviews/reviews.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { listResponse, pageQuery } from "./list.server.ts";
import { reviewRecord, toReview } from "./order-records.ts";
import { byId } from "./results.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Reviews",
    summary: "List a seller’s reviews",
    description: "Published reviews from buyers, newest first.",
    access: "anyone",
    params: byId,
    query: pageQuery,
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
      return exists ? response : problem(404, "No such seller.");
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
