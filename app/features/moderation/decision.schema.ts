import { z } from "zod";
import { countLabel } from "../listings/device-count.rules.ts";
import { type ModeratorDecision, needsReason, suspensionDays } from "./decision.rules.ts";

const kinds = [
  "approve",
  "dismiss",
  "uphold",
  "reverse",
  "warn",
  "hide",
  "remove",
  "suspend",
] as const satisfies ModeratorDecision[];

/** "for good" has no end. */
export const suspensionLengths = [...suspensionDays.map(String), "for good"];

const maxLength = 2000;
const words = (label: string) =>
  z
    .string({ error: `${label} must be text` })
    .trim()
    .max(maxLength, `${label} must be ${countLabel(maxLength)} characters or shorter`);

/** A moderator's decision about what was reported. */
export const decisionSchema = z
  .object({
    decision: z.enum(kinds, { error: "Choose a decision" }),
    reason: words("Reason").default(""),
    days: z.enum(suspensionLengths, { error: "Choose how long" }).default("7"),
  })
  .refine(({ decision, reason }) => !needsReason.has(decision) || reason !== "", {
    path: ["reason"],
    error: "Tell the owner why",
  });

export type NewDecision = z.output<typeof decisionSchema>;

/** The owner's answer to a decision. */
export const answerSchema = z.object({
  answer: words("Answer").min(1, "Write an answer"),
});
