import { problemRefusals } from "#app/features/order-problems/order-problem.rules.ts";
import { problemDecisionSchema } from "#app/features/order-problems/order-problem.schema.ts";
import { findProblemCase } from "#app/features/order-problems/order-problem-details.server.ts";
import { decideProblem } from "#app/features/order-problems/order-problems.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { problemCaseRecord, toProblemCase } from "./order-records.ts";
import { acknowledgedResponse, acknowledgedSchema, byId } from "./results.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Bookings",
    summary: "Get a problem that moderators were asked to decide",
    description:
      "What both sides wrote, plus the booking’s steps and messages. You can still read it once it’s settled. Internal notes are on the page only.",
    access: "moderate",
    params: byId,
    response: problemCaseRecord,
    errors: { 404: "No such problem, or nobody has asked the moderators." },
    async handle({ context, viewer, params }) {
      const found = await findProblemCase(context.db, viewer, params.id);
      return found ? Response.json(toProblemCase(found)) : problem(404, "There is no such problem.");
    },
  }),
  PUT: operation({
    tag: "Bookings",
    summary: "Decide on a problem",
    description:
      "With a reason, which both sides get to read. If two moderators decide at once, only one decision counts.",
    access: "moderate",
    params: byId,
    body: problemDecisionSchema,
    example: { decision: "solved", reason: "The charger was in the listing’s photos." },
    mutation: "decide problem",
    response: acknowledgedSchema,
    errors: {
      403: "It’s your own booking.",
      404: "No such problem, or nobody has asked the moderators.",
      409: "The problem is settled, or someone has answered since.",
    },
    async handle({ context, viewer, params, body }) {
      const outcome = await decideProblem(context.db, viewer, params.id, body);
      if (outcome === "done") return acknowledgedResponse();
      if (outcome === "not found") return problem(404, "There is no such problem.");
      return problem(outcome === "own order" ? 403 : 409, problemRefusals[outcome]);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
