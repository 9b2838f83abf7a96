import type { DecisionKind, TargetKind } from "#app/db/values.ts";

/** What a moderator can choose; "hold" is automatic. */
export type ModeratorDecisionKind = Exclude<DecisionKind, "hold">;

/** The decision that a reversal would end. */
export interface Reversible {
  kind: DecisionKind;
  hasOpenAppeal: boolean;
  isInForce: boolean;
}

/** A choice of the moderator's form. @param reversible what "reverse" would end */
export function decisionChoice(
  decision: ModeratorDecisionKind,
  targetKind: TargetKind,
  reversible: Reversible | null,
): { label: string; hint: string } {
  const choice = decisionChoices[decision];
  if (decision === "hide" && targetKind === "message") return { ...choice, hint: hideMessageHint };
  if (decision !== "reverse" || !reversible) return choice;
  const { kind, isInForce, hasOpenAppeal } = reversible;
  const isSuspension = kind === "suspend";
  const effect = isSuspension
    ? "The account and its listings are back."
    : kind === "hide"
      ? "Everyone can see it again."
      : "The warning no longer counts.";
  return {
    label: hasOpenAppeal ? choice.label : isSuspension ? "End the suspension" : "Show again",
    hint: `${isInForce ? effect : "It’s no longer in force, so nothing else changes."} We tell the owner.`,
  };
}

const hideMessageHint = "Hidden from both people. The owner reads your reason and can appeal once.";

/** What a suspended account may not do, for moderators and for its owner. @see `mutations` */
export const refusedWhileSuspended = "publish, edit, book, review or send messages";

const decisionChoices: Record<ModeratorDecisionKind, { label: string; hint: string }> = {
  approve: { label: "Approve", hint: "The listing goes on sale." },
  dismiss: { label: "Dismiss", hint: "Nothing changes, and we don’t tell the owner." },
  uphold: { label: "Uphold the decision", hint: "The owner’s appeal changes nothing." },
  reverse: { label: "Reverse the decision", hint: "We tell the owner." },
  warn: { label: "Warn the owner", hint: "Nothing else changes. The owner reads your reason." },
  hide: {
    label: "Hide",
    hint: "Hidden from everyone in a few minutes. The owner sees your reason and can appeal once.",
  },
  remove: { label: "Remove", hint: "The listing is taken down for good. You can undo this for 10 minutes." },
  suspend: {
    label: "Suspend the account",
    hint: `The owner can’t ${refusedWhileSuspended}, and their listings are hidden. They can finish orders and appeal once.`,
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

/** Administrators can suspend for longer. */
export const maxModeratorDays = 30;

export const suspensionTooLongText = `Moderators suspend for up to ${maxModeratorDays} days. Ask an administrator for more.`;

export const longSuspensionText = `Only administrators change a suspension of more than ${maxModeratorDays} days.`;

/** Why a moderator cannot decide about a target of a moderator or an administrator. */
export const ofStaffText = "This is for administrators: it’s about a moderator or an administrator.";

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
  reverse: "Reversed",
};

/** What the reason is not needed for, as the end of a sentence: "dismiss or show again"; "" if each needs it. */
export function withoutReason(choices: ModeratorDecisionKind[], reversible: Reversible | null): string {
  const names = choices
    .filter((choice) => !needsReason.has(choice))
    .map((choice) => (choice === "reverse" ? decisionChoice(choice, "listing", reversible).label : choice));
  const words = names.map((name) => (name === "Reverse the decision" ? "reverse" : name.toLowerCase()));
  return new Intl.ListFormat("en-GB", { type: "disjunction" }).format(words);
}

const acts: Record<DecisionKind, string> = {
  dismiss: "dismissed this",
  hide: "hidden this",
  remove: "removed this",
  warn: "warned the owner",
  suspend: "suspended the account",
  hold: "held this",
  approve: "approved this",
  uphold: "upheld the decision",
  reverse: "reversed the decision",
};

/** Why a decision is refused. @param newest what was decided since the page was read, and by whom */
export function decidedAlready(newest: { kind: DecisionKind; name: string } | null): string {
  return newest
    ? `${newest.name} ${newest.name === "You" ? "have" : "has"} ${acts[newest.kind]}. The page shows the current state.`
    : "That isn’t possible anymore. Here’s the current state.";
}

/** The end of a suspension in a sentence: "until Nov 29, 2026" or "permanently". */
export function suspensionEnd(until: string | null, dayLabel: (isoTime: string) => string): string {
  return until ? `until ${dayLabel(until)}` : "permanently";
}

/** The toast after a decision. */
export const decidedMessages: Record<ModeratorDecisionKind, string> = {
  approve: "The listing is on sale.",
  dismiss: "Dismissed. Nothing has changed.",
  uphold: "The decision stays. We told the owner.",
  reverse: "The decision is reversed. We told the owner.",
  warn: "The owner has your warning.",
  hide: "It’s hidden. We told the owner.",
  remove: "The listing is removed. We told the owner.",
  suspend: "The account is suspended. We told the owner.",
};
