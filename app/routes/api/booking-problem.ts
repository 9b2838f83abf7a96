import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import { problemRefusals } from "#app/features/order-problems/order-problem.rules.ts";
import { answerSchema, newProblemSchema } from "#app/features/order-problems/order-problem.schema.ts";
import { findOrderProblem } from "#app/features/order-problems/order-problem-details.server.ts";
import { answerProblem } from "#app/features/order-problems/order-problems.server.ts";
import { maxProblemsInVain, problemDays } from "#app/market.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { orderProblemRecord, toOrderProblem } from "./order-records.ts";
import { acknowledgedResponse, acknowledgedSchema, byId } from "./results.ts";

const notFound = () => problem(404, "No such booking, or it has no problem.");

const route = defineApiRoute({
  GET: operation({
    tag: "Bookings",
    summary: "The problem of a booking",
    description: "The newest one, for the buyer and the seller.",
    access: "signed in",
    params: byId,
    response: orderProblemRecord,
    errors: { 404: "The caller has no such booking, or it has no problem." },
    async handle({ context, viewer, params }) {
      const found = await findOrderProblem(context.db, viewer, params.id);
      return found?.problem ? Response.json(toOrderProblem(found.problem)) : notFound();
    },
  }),
  POST: operation({
    tag: "Bookings",
    summary: "Open a problem with a booking",
    description: `For its buyer or seller, until ${problemDays.openable} days after the receipt; until ${problemDays.refund} days after it was cancelled or returned, “not refunded” is for the buyer and, if it had been handed over, “not returned” for the seller. The booking is on hold until the problem has ended; its seller can still hand it over. The other side has ${problemDays.answer} days to answer; after that, a moderator decides. If a moderator has refused “not refunded”, “not returned”, “other terms” or “not paid”, it can’t be opened again. Neither can a side open another problem after ${maxProblemsInVain} that it closed itself or that were refused.`,
    access: "signed in",
    params: byId,
    body: newProblemSchema,
    example: { kind: "not arrived", text: "The seller hasn’t answered for two days." },
    mutation: "order problem",
    response: acknowledgedSchema,
    errors: {
      404: "The caller has no such booking.",
      409: "A problem is open, it is too late, the kind does not fit the booking, or it was refused before, or too many were in vain.",
    },
    async handle({ context, viewer, params, body }) {
      const outcome = await openProblem(context.db, viewer, params.id, body);
      if (outcome === "done") return acknowledgedResponse();
      if (outcome === "not found") return problem(404, "No such booking.");
      return problem(409, problemRefusals[outcome]);
    },
  }),
  PUT: operation({
    tag: "Bookings",
    summary: "Answer the problem of a booking",
    description:
      "The other side makes an offer, in words. The side that opened the problem accepts or declines it, or closes the problem as solved; then the booking goes on. Either side can ask a moderator. The same answer twice counts once.",
    access: "signed in",
    params: byId,
    body: answerSchema,
    example: { answer: "ask", text: "We can’t agree." },
    mutation: "order problem",
    response: acknowledgedSchema,
    errors: {
      404: "The caller has no such booking, or it has no problem.",
      409: "The problem has ended, somebody has answered since, or it is not the caller’s turn.",
    },
    async handle({ context, viewer, params, body }) {
      const outcome = await answerProblem(context.db, viewer, params.id, body);
      if (outcome === "done") return acknowledgedResponse();
      return outcome === "not found" ? notFound() : problem(409, problemRefusals[outcome]);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
