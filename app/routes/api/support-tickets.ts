import { z } from "zod";
import {
  ticketAnswerSchema,
  ticketSchema,
  ticketStateSchema,
} from "#app/features/support-tickets/ticket.schema.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { isMailConfigured, mailNotConfigured } from "#app/server/mail/mail.server.ts";
import { ticketDetailsRecord, ticketRecord, toTicket, toTicketDetails } from "./account-records.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { listQuerySchema, listResponse } from "./list.server.ts";
import {
  acknowledgedResponse,
  acknowledgedSchema,
  idParams,
  insertedResponse,
  insertedSchema,
} from "./results.ts";

const loadTickets = () => import("#app/features/support-tickets/tickets.server.ts");

const describedTicket = {
  tag: "Reports",
  access: "read support tickets",
  params: idParams,
} as const;

const notFound = () => problemDetails(404, "No such report.");

const routes = defineApiRoutes({
  "/report": {
    GET: operation({
      tag: "Reports",
      summary: "List all reports",
      description: "Requests that accept `text/html` get the page with the form instead.",
      access: "read support tickets",
      query: listQuerySchema.extend({ state: ticketStateSchema.optional() }),
      response: z.array(ticketRecord),
      paginated: true,
      async handle({ request, context, query }) {
        const { selectTickets } = await loadTickets();
        const read = selectTickets.bind(null, context.db, query.state);
        return listResponse(request, query, { read, record: toTicket });
      },
    }),
    POST: operation({
      tag: "Reports",
      summary: "Report a problem to the administrator",
      description: "All fields are optional. A posted form goes to the page instead.",
      access: "anyone",
      body: ticketSchema,
      example: { name: "Mia Sund", email: "mia@mail.example", details: "The search finds nothing." },
      response: insertedSchema,
      mutation: "send ticket",
      async handle({ context, body, requestId }) {
        const { createTicket } = await loadTickets();
        return insertedResponse(await createTicket(context.db, body, requestId));
      },
    }),
  },
  "/reports/:id": {
    GET: operation({
      ...describedTicket,
      summary: "Get a report with its messages",
      response: ticketDetailsRecord,
      errors: { 404: "No such report." },
      async handle({ context, params }) {
        const { findTicket } = await loadTickets();
        const found = await findTicket(context.db, params.id);
        return found ? Response.json(toTicketDetails(found)) : notFound();
      },
    }),
    POST: operation({
      ...describedTicket,
      summary: "Answer a report",
      description: "The sender gets an email with a link to write back.",
      body: ticketAnswerSchema.omit({ intent: true }),
      example: { text: "Please try again: we’ve fixed it." },
      mutation: "answer ticket",
      response: acknowledgedSchema,
      errors: {
        404: "No such report.",
        409: "The report has no email address, or too many messages.",
        503: "Email isn’t set up on this server.",
      },
      async handle({ context, viewer, params, body, requestId }) {
        if (!isMailConfigured(context.environment)) return problemDetails(503, mailNotConfigured);
        const { answerRefusals, answerTicket } = await loadTickets();
        const answer = { ...body, formKey: requestId };
        const outcome = await answerTicket(context.db, viewer, params.id, answer);
        if (outcome === "done") return acknowledgedResponse();
        return outcome === "not found" ? notFound() : problemDetails(409, answerRefusals[outcome]);
      },
    }),
    PUT: operation({
      ...describedTicket,
      summary: "Close or reopen a report",
      body: z.object({ state: z.enum(["open", "closed"]) }),
      example: { state: "closed" },
      mutation: "answer ticket",
      response: acknowledgedSchema,
      errors: { 404: "No such report." },
      async handle({ context, viewer, params, body }) {
        const { changeTicketState } = await loadTickets();
        const changed = await changeTicketState(context.db, viewer, params.id, body.state);
        return changed ? acknowledgedResponse() : notFound();
      },
    }),
  },
});

export const loader = routes.loader;
export const action = routes.action;
