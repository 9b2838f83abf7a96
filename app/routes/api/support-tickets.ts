import { z } from "zod";
import {
  ticketAnswerSchema,
  ticketSchema,
  ticketStateSchema,
} from "#app/features/support-tickets/ticket.schema.ts";
import {
  answerRefusals,
  answerTicket,
  changeTicketState,
  createTicket,
  findTicket,
  selectTickets,
} from "#app/features/support-tickets/tickets.server.ts";
import { problem } from "#app/server/api/problem-details.server.ts";
import { isMailConfigured, mailNotConfigured } from "#app/server/mail/mail.server.ts";
import { ticketDetailsRecord, ticketRecord, toTicket, toTicketDetails } from "./account-records.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { listResponse, pageQuery } from "./list.server.ts";
import {
  acknowledgedResponse,
  acknowledgedSchema,
  idParams,
  insertedResponse,
  insertedSchema,
} from "./results.ts";

const describedReport = {
  tag: "Reports",
  access: "read problem reports",
  params: idParams,
} as const;

const notFound = () => problem(404, "No such report.");

const routes = defineApiRoutes({
  "/report": {
    GET: operation({
      tag: "Reports",
      summary: "List all reports",
      description: "Requests that accept `text/html` get the page with the form instead.",
      access: "read problem reports",
      query: pageQuery.extend({ state: ticketStateSchema.optional() }),
      response: z.array(ticketRecord),
      paginated: true,
      handle: ({ request, context, query }) =>
        listResponse(request, query, {
          read: selectTickets.bind(null, context.db, query.state),
          record: toTicket,
        }),
    }),
    POST: operation({
      tag: "Reports",
      summary: "Report a problem to the administrator",
      description: "All fields are optional. A posted form goes to the page instead.",
      access: "anyone",
      body: ticketSchema,
      example: { name: "Mia Sund", email: "mia@mail.example", details: "The search finds nothing." },
      response: insertedSchema,
      mutation: "report",
      handle: async ({ context, body, requestId }) =>
        insertedResponse(await createTicket(context.db, body, requestId)),
    }),
  },
  "/reports/:id": {
    GET: operation({
      ...describedReport,
      summary: "Get a problem report with its messages",
      response: ticketDetailsRecord,
      errors: { 404: "No such report." },
      async handle({ context, params }) {
        const found = await findTicket(context.db, params.id);
        return found ? Response.json(toTicketDetails(found)) : notFound();
      },
    }),
    POST: operation({
      ...describedReport,
      summary: "Answer a problem report",
      description: "The sender gets an email with a link to write back.",
      body: ticketAnswerSchema.omit({ intent: true }),
      example: { text: "Please try again: we’ve fixed it." },
      mutation: "answer report",
      response: acknowledgedSchema,
      errors: {
        404: "No such report.",
        409: "The report has no email address, or too many messages.",
        503: "Email isn’t set up on this server.",
      },
      async handle({ context, viewer, params, body, requestId }) {
        if (!isMailConfigured(context.environment)) return problem(503, mailNotConfigured);
        const answer = { ...body, formKey: requestId };
        const outcome = await answerTicket(context.db, viewer, params.id, answer);
        if (outcome === "done") return acknowledgedResponse();
        return outcome === "not found" ? notFound() : problem(409, answerRefusals[outcome]);
      },
    }),
    PUT: operation({
      ...describedReport,
      summary: "Close or reopen a problem report",
      body: z.object({ state: z.enum(["open", "closed"]) }),
      example: { state: "closed" },
      mutation: "answer report",
      response: acknowledgedSchema,
      errors: { 404: "No such report." },
      async handle({ context, viewer, params, body }) {
        const changed = await changeTicketState(context.db, viewer, params.id, body.state);
        return changed ? acknowledgedResponse() : notFound();
      },
    }),
  },
});

export const loader = routes.loader;
export const action = routes.action;
