import { z } from "zod";
import {
  problemDecisions,
  problemKinds,
  problemOffers,
  problemOpeners,
  problemStates,
  problemStepKinds,
} from "#app/db/enums.ts";
import { withoutPlaceholder } from "#app/server/forms/placeholders.ts";
import { freeText, requiredChoiceError } from "#app/server/forms/schema-fields.ts";
import { priceSchema } from "../listings/price.schema.ts";
import { problemAnswers } from "./order-problem.rules.ts";

const words = (label: string, missing: string) => freeText(label, { missing }).min(1, missing);

export const newProblemSchema = z.object({
  kind: z
    .enum(problemKinds, { error: requiredChoiceError("Problem", "Choose one of the problems in the list") })
    // Ringback opens it.
    .exclude(["bank dispute"]),
  text: words("Description", "Describe what happened"),
});
export type NewProblem = z.output<typeof newProblemSchema>;

const lastStepId = z
  .string()
  .optional()
  .describe("The newest step you know of. If there’s a newer one, you get 409.");

const offerWords = "Say what you offer exactly";
const messageMissing = "Write a message";

const amountMeaning = "How much the payment provider pays back of a protected booking that continues:";

/** Only what is a partial refund has an amount. */
const amountIsOfPart = {
  path: ["amount"],
  error: "Only a partial refund has an amount",
};
const isPartOffer = ({ offer, amount }: { offer?: string; amount?: number }) =>
  amount === undefined || offer === "part refund";

const answerFields = z.object({
  problemId: z
    .string()
    .optional()
    .describe(
      "Which of the booking’s two problems. Without it, the open one that was reported last, of those that the answer fits.",
    ),
  answer: z.enum(problemAnswers),
  offer: z
    .enum(problemOffers)
    .optional()
    .describe(
      "Required to offer. “return” ends the booking, and a device that has arrived goes back. The others depend on the kind. “refund” of a protected booking that continues pays back all that’s left, without an `amount`.",
    ),
  amount: priceSchema("Amount", 1)
    .optional()
    .describe(`${amountMeaning} less than what’s left. Only for “part refund”, and required there.`),
  text: freeText("Text").default(""),
  lastStepId,
});

export const answerSchema = answerFields
  .refine(isPartOffer, amountIsOfPart)
  .refine(({ answer, text }) => answer !== "offer" || text !== "", { path: ["text"], error: offerWords })
  .refine(({ answer, text }) => answer !== "write" || text !== "", { path: ["text"], error: messageMissing });
export type NewProblemAnswer = z.output<typeof answerSchema>;

/** The forms of a page; `intent` names the one that was submitted. */
export const newProblemFormSchema = newProblemSchema.extend({
  intent: z.literal("open"),
  photos: z.unknown().optional(),
});

export const answerFormSchema = answerFields.extend({ intent: z.literal("answer") });

/** The form with an offer, which needs words. */
export const problemOfferFormSchema = answerFormSchema
  .extend({
    answer: z.literal("offer"),
    offer: z.enum(problemOffers, {
      error: requiredChoiceError("Offer", "Choose one of the offers in the list"),
    }),
    text: words("Details", offerWords),
  })
  .refine(isPartOffer, amountIsOfPart);

/** The form of a message, which needs words. */
export const problemMessageFormSchema = answerFormSchema.extend({
  answer: z.literal("write"),
  text: words("Message", messageMissing),
});

/** The schema of the form that was submitted. */
export function problemFormSchema(form: FormData) {
  if (form.get("intent") === "open") return newProblemFormSchema;
  if (form.get("answer") === "write") return problemMessageFormSchema;
  return form.get("answer") === "offer" ? problemOfferFormSchema : answerFormSchema;
}

export const problemDecisionSchema = z
  .object({
    decision: z.enum(problemDecisions, {
      error: requiredChoiceError("Decision", "Choose one of the decisions in the list"),
    }),
    amount: priceSchema("Amount", 1).optional().describe(`${amountMeaning} a part, or all that’s left.`),
    reason: withoutPlaceholder(words("Reason", "Give a reason")),
    lastStepId,
  })
  .refine(({ decision, amount }) => amount === undefined || decision === "solved", {
    path: ["amount"],
    error: "An amount is paid back only if the order continues",
  });
export type NewProblemDecision = z.output<typeof problemDecisionSchema>;

export const problemKindSchema = z.enum(problemKinds);
export const problemOpenerSchema = z.enum(problemOpeners);
export const problemStateSchema = z.enum(problemStates);
export const problemStepKindSchema = z.enum(problemStepKinds);
