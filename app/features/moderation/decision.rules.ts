import type { DecisionKind } from "#app/db/values.ts";

/** What a moderator can choose; "hold" is automatic. */
export type ModeratorDecision = Exclude<DecisionKind, "hold">;

/** The choices of the moderator's form. */
export const decisionChoices: Record<ModeratorDecision, { label: string; hint: string }> = {
  approve: { label: "Approve", hint: "The listing goes on sale." },
  dismiss: { label: "Dismiss", hint: "Nothing changes, and the owner is not notified." },
  uphold: { label: "Uphold the decision", hint: "The owner’s appeal changes nothing." },
  reverse: { label: "Reverse the decision", hint: "What was hidden is shown again, and a suspension ends." },
  warn: { label: "Warn the owner", hint: "The content stays. The owner reads your reason." },
  hide: {
    label: "Hide",
    hint: "It is no longer shown; cached pages follow within 2 minutes. The owner reads your reason and can appeal once.",
  },
  remove: { label: "Remove", hint: "The listing is taken down for good. You can undo this for 10 minutes." },
  suspend: {
    label: "Suspend the account",
    hint: "The owner cannot publish, book or send messages, and their listings are hidden. They can finish orders and appeal once.",
  },
};

/** Decisions that the owner gets a reason for. */
export const needsReason: ReadonlySet<DecisionKind> = new Set([
  "warn",
  "hide",
  "remove",
  "suspend",
  "uphold",
]);

/** Decisions that the owner can appeal. */
export const canBeAppealed: ReadonlySet<DecisionKind> = new Set(["warn", "hide", "suspend"]);

export const suspensionDays = [1, 3, 7, 14, 30, 90] as const;

/** Why a listing is not on sale, by the decision that hides it. */
export function hiddenLabel(kind: DecisionKind): string {
  if (kind === "hold") return "Held for approval";
  if (kind === "suspend") return "Hidden while the seller is suspended";
  return kind === "hide" ? "Hidden" : "Deleted";
}

/** What happened, as moderators read it in a history. */
export const decisionLabels: Record<DecisionKind, string> = {
  dismiss: "Dismissed",
  hide: "Hidden",
  remove: "Removed",
  warn: "Warned",
  suspend: "Suspended",
  hold: "Held for approval",
  approve: "Approved",
  uphold: "Upheld after an appeal",
  reverse: "Reversed after an appeal",
};

/** The end of a suspension in a sentence: "until Nov 29, 2026" or "permanently". */
export function suspensionEnd(until: string | null, dayLabel: (isoTime: string) => string): string {
  return until ? `until ${dayLabel(until)}` : "permanently";
}

/** The toast after a decision. */
export const decidedMessages: Record<ModeratorDecision, string> = {
  approve: "The listing is on sale.",
  dismiss: "Dismissed. Nothing has changed.",
  uphold: "The decision stays, and the owner is notified.",
  reverse: "The decision is reversed, and the owner is notified.",
  warn: "The owner is warned.",
  hide: "It is hidden, and the owner is notified.",
  remove: "The listing is removed, and the owner is notified.",
  suspend: "The account is suspended, and the owner is notified.",
};
