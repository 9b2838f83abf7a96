import { z } from "zod";
import { withoutPlaceholder } from "#app/server/forms/placeholders.ts";
import { freeText } from "#app/server/forms/schema-fields.ts";
import { reasonLabels, reportReasons } from "../moderation/reports/content-report.rules.ts";

/** Why listings are hidden, as their sellers read it. */
export const hidingReasonSchema = z
  .object({
    reason: z.enum(reportReasons.listing, { error: "Choose a reason" }),
    details: withoutPlaceholder(freeText("Details")).default(""),
  })
  .refine(({ reason, details }) => reason !== "something else" || details !== "", {
    path: ["details"],
    error: "Tell the sellers why",
  });

/** The reason of a decision, of what was chosen and what was written. */
export function hidingReason({ reason, details }: z.output<typeof hidingReasonSchema>): string {
  if (reason === "something else") return details;
  return details ? `${reasonLabels[reason]}\n\n${details}` : reasonLabels[reason];
}
