import { z } from "zod";
import { withoutPlaceholder } from "#app/server/forms/placeholders.ts";
import { freeText } from "#app/server/forms/schema-fields.ts";
import { may } from "../../accounts/permissions.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import {
  type ModeratorDecisionKind,
  maxModeratorDays,
  moderatorDecisions,
  suspensionDays,
} from "./decision.rules.ts";

const kinds = Object.keys(moderatorDecisions) as ModeratorDecisionKind[];

/** "permanent" has no end. */
const suspensionLengths = [...suspensionDays.map(String), "permanent"];

/** How long a user may suspend somebody. */
export function suspensionLengthsFor(moderator: Viewer): string[] {
  if (may(moderator, "suspend for good")) return suspensionLengths;
  return suspensionLengths.filter((length) => Number(length) <= maxModeratorDays);
}

/** A moderator's decision about what was reported. */
export const decisionSchema = z
  .object({
    decision: z.enum(kinds, { error: "Choose a decision" }),
    reason: withoutPlaceholder(freeText("Reason")).default(""),
    days: z.enum(suspensionLengths, { error: "Choose how long" }).default("7"),
    /** Approve the seller’s other listings that wait, too. */
    others: z.boolean().default(false),
    /** The newest decision about the target that the page showed. */
    lastDecisionId: z.string().max(36).default(""),
  })
  .refine(({ decision, reason }) => !moderatorDecisions[decision].hasReason || reason !== "", {
    path: ["reason"],
    error: "Tell the owner why",
  });

export type NewDecision = Omit<z.output<typeof decisionSchema>, "lastDecisionId" | "others"> & {
  lastDecisionId?: string;
};

/** The owner's appeal against a decision. */
export const appealSchema = z.object({
  appeal: freeText("Appeal").min(1, "Write an appeal"),
});
