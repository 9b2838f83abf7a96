import { contentReportRefusals } from "#app/features/moderation/reports/content-report.rules.ts";
import { contentReportBody } from "#app/features/moderation/reports/content-report.schema.ts";
import { reportContent } from "#app/features/moderation/reports/content-reports.server.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { insertedResponse, insertedSchema } from "./results.ts";

const routes = defineApiRoutes({
  "/contentReports": {
    POST: operation({
      tag: "Reports",
      summary: "Report a listing, seller, review or message",
      description:
        "Goes to the moderators. You can have one open report per target. “Something else” needs details.",
      access: "signed in",
      body: contentReportBody,
      example: { kind: "listing", targetId: "LISTING", reason: "Duplicate or spam" },
      response: insertedSchema,
      mutation: "report content",
      errors: {
        404: "There’s nothing there that you can see and report.",
        409: "You’ve already reported it, or it’s your own.",
      },
      async handle({ context, viewer, body: { kind, targetId, ...report } }) {
        const outcome = await reportContent(context.db, viewer, kind, targetId, report);
        if (outcome.refusal === "not found") return problemDetails(404, "Nothing to report.");
        if (outcome.refusal) return problemDetails(409, contentReportRefusals[outcome.refusal]);
        return insertedResponse(outcome.id);
      },
    }),
  },
});

export const loader = routes.loader;
export const action = routes.action;
