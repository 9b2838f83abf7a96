import { type TargetKind, targetKinds } from "#app/db/values.ts";

export const somethingElse = "Something else";

/** The reasons to choose from, the gravest first. */
export const reportReasons: Record<TargetKind, readonly string[]> = {
  listing: [
    "Stolen or counterfeit",
    "Wrong or misleading description",
    "Asks for payment outside what we agreed",
    "Offensive or personal content",
    "Duplicate or spam",
    somethingElse,
  ],
  seller: [
    "Fraud or attempted fraud",
    "Pretends to be someone else",
    "Offensive behavior",
    "Spam",
    somethingElse,
  ],
  review: [
    "Not about this purchase",
    "Offensive or personal content",
    "False or paid for",
    "Spam",
    somethingElse,
  ],
  message: [
    "Fraud or attempted fraud",
    "Threats or harassment",
    "Asks for payment outside what we agreed",
    "Offensive or personal content",
    "Spam",
    somethingElse,
  ],
};

/** Reasons that moderators are told of at once. */
export const urgentReasons = [
  "Stolen or counterfeit",
  "Asks for payment outside what we agreed",
  "Fraud or attempted fraud",
  "Threats or harassment",
];

/** What is reported, in a sentence: "Report this listing". */
export const targetLabels: Record<TargetKind, string> = {
  listing: "listing",
  seller: "seller",
  review: "review",
  message: "message",
};

export function isTargetKind(kind: string | undefined): kind is TargetKind {
  return targetKinds.some((known) => known === kind);
}

/** Why a report is not stored. */
export const reportRefusals = {
  "already reported": "You have reported this already. A moderator will look at it.",
  own: "You can’t report your own content.",
};
