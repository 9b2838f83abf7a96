import { z } from "zod";
import { selectReviews } from "#app/features/reviews/reviews.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { listResponse, pageQuery } from "./list.server.ts";
import { byId, reviewRecord, toReview } from "./records.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Reviews",
    summary: "Reviews of a seller",
    description: "The published reviews by buyers, newest first.",
    access: "anyone",
    params: byId,
    query: pageQuery,
    response: z.array(reviewRecord),
    paginated: true,
    handle: ({ request, context, params, query }) =>
      listResponse(request, query, {
        read: (cursor, limit) => selectReviews(context.db, params.id, cursor, limit),
        record: toReview,
      }),
  }),
});

export const loader = route.loader;
export const action = route.action;
