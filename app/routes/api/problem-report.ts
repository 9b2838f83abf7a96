import { z } from "zod";
import { reportMessageSchema } from "#app/features/problem-reports/report.schema.ts";
import {
  answerRefusals,
  answerReport,
  changeReportState,
  findReport,
} from "#app/features/problem-reports/reports.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { isMailConfigured, mailNotConfigured } from "#app/server/mail/mail.server.ts";
import { problemReportDetailsRecord, toProblemReportDetails } from "./account-records.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { acknowledgedResponse, acknowledgedSchema, byId } from "./results.ts";

const described = {
  tag: "Reports",
  access: "read problem reports",
  params: byId,
} as const;

const notFound = () => problem(404, "No such report.");

const route = defineApiRoute({
  GET: operation({
    ...described,
    summary: "Get a problem report with its messages",
    response: problemReportDetailsRecord,
    errors: { 404: "No such report." },
    async handle({ context, params }) {
      const found = await findReport(context.db, params.id);
      return found ? Response.json(toProblemReportDetails(found)) : notFound();
    },
  }),
  POST: operation({
    ...described,
    summary: "Answer a problem report",
    description: "The sender gets an email with a link to write back.",
    body: reportMessageSchema.omit({ intent: true }),
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
      const outcome = await answerReport(context.db, viewer, params.id, answer);
      if (outcome === "done") return acknowledgedResponse();
      return outcome === "not found" ? notFound() : problem(409, answerRefusals[outcome]);
    },
  }),
  PUT: operation({
    ...described,
    summary: "Close or reopen a problem report",
    body: z.object({ state: z.enum(["open", "closed"]) }),
    example: { state: "closed" },
    mutation: "answer report",
    response: acknowledgedSchema,
    errors: { 404: "No such report." },
    async handle({ context, viewer, params, body }) {
      const changed = await changeReportState(context.db, viewer, params.id, body.state);
      return changed ? acknowledgedResponse() : notFound();
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
