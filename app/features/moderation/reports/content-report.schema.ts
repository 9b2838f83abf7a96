import { z } from "zod";
import { contentReportReasons, targetKinds } from "#app/db/enums.ts";
import { freeText, requiredChoiceError } from "#app/server/forms/schema-fields.ts";
import { reasonLabels } from "./content-report.rules.ts";

const chooseReason = { error: "Choose a reason" };

/** Forms send the code, the API the words. */
const reason = z
  .string(chooseReason)
  .transform((value) => contentReportReasons.find((code) => reasonLabels[code] === value) ?? value)
  .pipe(z.enum(contentReportReasons, chooseReason))
  .meta({ enum: Object.values(reasonLabels) });

const fields = z.object({
  reason,
  details: freeText("Details").default(""),
});

const needsDetails = ({ reason, details }: z.output<typeof fields>) =>
  reason !== "something else" || details !== "";
const missingDetails = { path: ["details"], error: "Describe the problem" };

/** A report of a listing, seller, review or message to the moderators. */
export const contentReportSchema = fields.refine(needsDetails, missingDetails);

export type NewContentReport = z.output<typeof contentReportSchema>;

/** A report through the API, which names its target. */
export const contentReportBody = z
  .object({
    kind: z.enum(targetKinds, {
      error: requiredChoiceError("Kind", `Kind must be one of: ${targetKinds.join(", ")}`),
    }),
    targetId: z
      .string({ error: "targetId must be text" })
      .describe("The id of the listing, review or message, or of the seller's account."),
    ...fields.shape,
  })
  .refine(needsDetails, missingDetails);
