import { z } from "zod";
import { reportSchema } from "#app/features/reports/report.schema.ts";
import { fileReport, reportsAfter } from "#app/features/reports/reports.server.ts";
import { call, door } from "./door.server.ts";
import { listAnswer, pageQuery } from "./list.server.ts";
import { inserted, insertedAnswer, reportRecord, toReport } from "./records.ts";

export const loader = door({
  GET: call({
    subject: "Reports",
    summary: "All reports",
    description: "A request whose Accept names text/html gets the page with the form instead.",
    who: "admin",
    query: pageQuery,
    answer: z.array(reportRecord),
    paged: true,
    make: ({ request, context, query }) =>
      listAnswer(request, query, { read: reportsAfter.bind(null, context.db), record: toReport }),
  }),
  POST: call({
    subject: "Reports",
    summary: "Report a problem to the administrator",
    description: "Nothing is required. A posted form gets the page instead.",
    who: "anyone",
    body: reportSchema,
    answer: inserted,
    limit: "REPORT_LIMIT",
    make: async ({ context, body, name }) => insertedAnswer(await fileReport(context.db, body, name)),
  }),
});
