import { z } from "zod";
import { targetKinds } from "#app/db/enums.ts";
import { choiceError, freeText } from "#app/server/forms/schema-fields.ts";
import { reportReasons, somethingElse } from "./content-report.rules.ts";

const reasons = [...new Set(Object.values(reportReasons).flat())];

const fields = z.object({
  reason: z.enum(reasons, { error: "Choose a reason" }),
  details: freeText("Details").default(""),
});

const needsDetails = ({ reason, details }: z.output<typeof fields>) =>
  reason !== somethingElse || details !== "";
const missingDetails = { path: ["details"], error: "Describe the problem" };

/** A report of a listing, seller, review or message to the moderators. */
export const contentReportSchema = fields.refine(needsDetails, missingDetails);

export type NewContentReport = z.output<typeof contentReportSchema>;

/** A report through the API, which names its target. */
export const contentReportBody = z
  .object({
    kind: z.enum(targetKinds, {
      error: choiceError("Kind", `Kind must be one of: ${targetKinds.join(", ")}`),
    }),
    targetId: z
      .string({ error: "targetId must be text" })
      .describe("The id of the listing, review or message, or of the seller's account."),
    ...fields.shape,
  })
  .refine(needsDetails, missingDetails);
