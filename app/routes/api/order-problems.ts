import { z } from "zod";
import { problemRefusals } from "#app/features/order-problems/order-problem.rules.ts";
import {
  answerSchema,
  newProblemSchema,
  problemDecisionSchema,
} from "#app/features/order-problems/order-problem.schema.ts";
import { answerProblem } from "#app/features/order-problems/order-problems.server.ts";
import { photoLimits, photoTypes } from "#app/features/photos/photo.rules.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { maxProblemsInVain, problemDays } from "#app/terms.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { listQuerySchema, listResponse } from "./list.server.ts";
import {
  orderProblemRecord,
  problemCaseRecord,
  toOrderProblems,
  toProblemCase,
  toWaitingProblem,
  waitingProblemRecord,
} from "./order-records.ts";
import {
  acknowledgedResponse,
  acknowledgedSchema,
  idParams,
  insertedResponse,
  insertedSchema,
  uploadErrors,
} from "./results.ts";

const orderProblemDetails = () => import("#app/features/order-problems/order-problem-details.server.ts");

const notFound = () => problemDetails(404, "No such booking, or it has no problem.");

const routes = defineApiRoutes({
  "/bookings/problem/:id": {
    GET: operation({
      tag: "Bookings",
      summary: "Get a booking’s problem",
      description:
        "For the buyer and the seller. Each side can have one open at a time: `other` is the latest that the other side reported than who reported this one.",
      access: "signed in",
      params: idParams,
      response: orderProblemRecord,
      errors: { 404: "You have no such booking, or it has no problem." },
      async handle({ context, viewer, params }) {
        const { findOrderProblem } = await orderProblemDetails();
        const found = await findOrderProblem(context.db, viewer, params.id);
        const [latest, other] = found?.problems ?? [];
        return latest ? Response.json(toOrderProblems(latest, other)) : notFound();
      },
    }),
    POST: operation({
      tag: "Bookings",
      summary: "Report a problem with a booking",
      description: `For the buyer or seller, until ${problemDays.openable} days after it’s marked as received. For ${problemDays.refund} days after a booking is cancelled or returned, the buyer can report “not refunded” and, if the device had been handed over, the seller “not returned”. The booking is on hold until the problem is settled, but the seller can still hand the device over. The other side has ${problemDays.answer} days to answer; after that, a moderator decides. Once a moderator has refused “not refunded”, “not returned”, “other terms” or “not paid”, you can’t report it again. After ${maxProblemsInVain} refused problems, you can’t report another with this booking, except “not refunded” and “not returned”.`,
      access: "signed in",
      params: idParams,
      body: newProblemSchema,
      example: { kind: "not arrived", text: "The seller hasn’t answered for two days." },
      mutation: "order problem",
      response: acknowledgedSchema,
      errors: {
        404: "You have no such booking.",
        409: "You’ve already got one open, it’s too late, the kind doesn’t fit the booking, it was refused before, or too many of yours were refused.",
      },
      async handle({ context, viewer, params, body }) {
        const { openProblem } = await import("#app/features/order-problems/open-problem.server.ts");
        const outcome = await openProblem(context.db, viewer, params.id, body);
        if (outcome === "done") return acknowledgedResponse();
        if (outcome === "not found") return problemDetails(404, "No such booking.");
        return problemDetails(409, problemRefusals[outcome]);
      },
    }),
    PUT: operation({
      tag: "Bookings",
      summary: "Answer a booking’s problem",
      description:
        "The other side makes an offer, in words. Whoever reported the problem accepts or declines it, or closes the problem as solved, and the booking continues. Either side can ask a moderator, and write messages as long as the problem is open, also across a block or while suspended. The same answer sent twice counts once.",
      access: "signed in",
      params: idParams,
      body: answerSchema,
      example: { answer: "ask", text: "We can’t agree." },
      mutation: "order problem",
      response: acknowledgedSchema,
      errors: {
        404: "You have no such booking, or it has no problem.",
        409: "The problem is settled, someone has answered since, or it’s not your turn.",
      },
      async handle({ context, viewer, params, body }) {
        const outcome = await answerProblem(context.db, viewer, params.id, body);
        if (outcome === "done") return acknowledgedResponse();
        return outcome === "not found" ? notFound() : problemDetails(409, problemRefusals[outcome]);
      },
    }),
  },
  "/problems": {
    GET: operation({
      tag: "Bookings",
      summary: "List problems waiting for a moderator",
      description: "Oldest first.",
      access: "moderate",
      query: listQuerySchema,
      response: z.array(waitingProblemRecord),
      paginated: true,
      handle: ({ request, context, viewer, query }) =>
        listResponse(request, query, {
          read: async (cursor, limit) => {
            const { selectWaitingProblems } = await orderProblemDetails();
            return selectWaitingProblems(context.db, viewer, cursor, limit);
          },
          record: toWaitingProblem,
        }),
    }),
  },
  "/problems/:id": {
    GET: operation({
      tag: "Bookings",
      summary: "Get a problem that moderators were asked to decide",
      description:
        "What both sides wrote, plus the booking’s steps and messages. You can still read it once it’s settled. Internal notes are on the page only.",
      access: "moderate",
      params: idParams,
      response: problemCaseRecord,
      errors: { 404: "No such problem, nobody has asked the moderators, or it’s your own booking." },
      async handle({ context, viewer, params }) {
        const { findProblemCase } = await orderProblemDetails();
        const found = await findProblemCase(context.db, viewer, params.id);
        return found ? Response.json(toProblemCase(found)) : problemDetails(404, "There is no such problem.");
      },
    }),
    PUT: operation({
      tag: "Bookings",
      summary: "Decide on a problem",
      description:
        "With a reason, which both sides get to read. It takes effect once you can no longer undo it, after ten minutes. If two moderators decide at once, only one decision counts.",
      access: "moderate",
      params: idParams,
      body: problemDecisionSchema,
      example: { decision: "solved", reason: "The charger was in the listing’s photos." },
      mutation: "decide problem",
      response: acknowledgedSchema,
      errors: {
        404: "No such problem, nobody has asked the moderators, or it’s your own booking.",
        409: "The problem is settled, or someone has decided or answered since.",
      },
      async handle({ context, viewer, params, body }) {
        const { submitDecision } = await import("#app/features/order-problems/pending-decisions.server.ts");
        const outcome = await submitDecision(context.db, viewer, params.id, body);
        if (outcome === "done") return acknowledgedResponse();
        return outcome === "not found"
          ? problemDetails(404, "There is no such problem.")
          : problemDetails(409, problemRefusals[outcome]);
      },
    }),
  },
  "/problems/photos/:id": {
    POST: operation({
      tag: "Bookings",
      summary: "Add a photo to a problem",
      description: `Whoever reported the problem can add up to ${photoLimits.problem} photos until it’s settled. Send the file as the body. The same file is added only once.`,
      access: "signed in",
      params: idParams,
      fileTypes: photoTypes,
      mutation: "order problem",
      response: insertedSchema,
      errors: {
        ...uploadErrors,
        404: "You’ve reported no such problem.",
        409: "The problem is settled, or already has all its photos.",
      },
      async handle({ request, context, viewer, params }) {
        const { receivePhoto } = await import("../receive-photo.server.ts");
        const outcome = await receivePhoto(context, request, viewer, "problem", params.id);
        if ("added" in outcome) return insertedResponse(outcome.added);
        return problemDetails(outcome.status, outcome.text, { headers: outcome.headers });
      },
    }),
  },
});

export const loader = routes.loader;
export const action = routes.action;
