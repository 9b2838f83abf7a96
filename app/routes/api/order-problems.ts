import { z } from "zod";
import { selectWaitingProblems } from "#app/features/order-problems/order-problem-details.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { listResponse, pageQuery } from "./list.server.ts";
import { toWaitingProblem, waitingProblemRecord } from "./order-records.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Bookings",
    summary: "List problems waiting for a moderator",
    description: "Oldest first.",
    access: "moderate",
    query: pageQuery,
    response: z.array(waitingProblemRecord),
    paginated: true,
    handle: ({ request, context, viewer, query }) =>
      listResponse(request, query, {
        read: (cursor, limit) => selectWaitingProblems(context.db, viewer, cursor, limit),
        record: toWaitingProblem,
      }),
  }),
});

export const loader = route.loader;
export const action = route.action;
