import { z } from "zod";
import { reportSchema, reportStateSchema } from "#app/features/problem-reports/report.schema.ts";
import { createReport, selectReports } from "#app/features/problem-reports/reports.server.ts";
import { problemReportRecord, toProblemReport } from "./account-records.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { listResponse, pageQuery } from "./list.server.ts";
import { insertedResponse, insertedSchema } from "./results.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Reports",
    summary: "List all reports",
    description: "Requests that accept `text/html` get the page with the form instead.",
    access: "read problem reports",
    query: pageQuery.extend({ state: reportStateSchema.optional() }),
    response: z.array(problemReportRecord),
    paginated: true,
    handle: ({ request, context, query }) =>
      listResponse(request, query, {
        read: selectReports.bind(null, context.db, query.state),
        record: toProblemReport,
      }),
  }),
  POST: operation({
    tag: "Reports",
    summary: "Report a problem to the administrator",
    description: "All fields are optional. A posted form goes to the page instead.",
    access: "anyone",
    body: reportSchema,
    example: { name: "Mia Sund", email: "mia@mail.example", details: "The search finds nothing." },
    response: insertedSchema,
    mutation: "report",
    handle: async ({ context, body, requestId }) =>
      insertedResponse(await createReport(context.db, body, requestId)),
  }),
});

export const loader = route.loader;
export const action = route.action;
