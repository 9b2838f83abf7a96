import { type ActivityAction, type DecisionKind, decisionKinds, type TargetKind } from "#app/db/enums.ts";
import { daysLabel, market } from "#app/market.ts";
import { purgeAfterDays, undoMinutes } from "#app/terms.ts";

/** What a moderator can choose; "hold" is automatic. */
export type ModeratorDecisionKind = Exclude<DecisionKind, "hold">;

/** The decision that a reversal would end. */
export interface ReversibleDecision {
  kind: DecisionKind;
}

/** A choice of the moderator's form. @param reversible what "reverse" would end */
export function decisionChoice(
  decision: ModeratorDecisionKind,
  targetKind: TargetKind,
  reversible: ReversibleDecision | null,
): { label: string; hint: string } {
  const { choice: label, hint } = moderatorDecisions[decision];
  const choice = { label, hint };
  if (decision === "hide" && targetKind === "message") return { ...choice, hint: hideMessageHint };
  if (decision !== "reverse" || !reversible) return choice;
  const { kind } = reversible;
  const effect =
    kind === "suspend"
      ? "The suspension ends, and the listings are back."
      : kind === "hide" || kind === "remove"
        ? "Everyone can see it again."
        : "The warning is no longer in effect.";
  return { ...choice, hint: `${effect} We tell the owner.` };
}

/** What the owner reads after a reversal, without a period. @param kind what was reversed */
export function reversedText(kind: DecisionKind, targetKind: TargetKind): string {
  if (kind === "warn") return "We made a mistake. The warning doesn’t count anymore";
  return `We made a mistake. Your ${kind === "suspend" || targetKind === "seller" ? "account" : targetKind} is back`;
}

const hideMessageHint = "Hidden from both people. The owner reads your reason and can appeal once.";

/** What a suspended account may not do, for moderators and for its owner. @see `mutations` */
export const refusedWhileSuspended = "publish, edit, book, review or send messages";

/** Emails of decisions wait until their Undo has passed. */
const toldLater = `We’ll email the owner in ${undoMinutes} minutes.`;

/** After a reversal of which there is no email. */
export const skippedReversalEmailText =
  "The decision is reversed. We hadn’t emailed the owner about it yet, so we won’t now. They’ll read it in their notifications.";

interface Decision {
  /** What happened, as moderators read it in a history. */
  label: string;
  /** Follows who did it. */
  act: string;
  /** What stands before and behind the name of what it is about, in an account’s timeline. */
  event: [before: string, behind?: string];
  canBeAppealed?: true;
}

interface ModeratorDecision extends Decision {
  /** The choice in the moderator's form. */
  choice: string;
  hint: string;
  /** The toast after the decision. */
  message: string;
  /** The notification to the owner; without it they are not told. A suspension has `days`, and no target if it is about the account. */
  news?: (target: string, days?: string) => string;
  /** In the activity log. */
  action: ActivityAction;
  /** The owner reads a reason. */
  hasReason?: true;
  /** Closes the reports of the target. */
  endsReports?: true;
  /** Takes something away from its owner, so the form asks first. */
  asksFirst?: true;
}

export const moderatorDecisions: Record<ModeratorDecisionKind, ModeratorDecision> = {
  approve: {
    choice: "Approve",
    hint: "The listing goes on sale.",
    label: "Approved",
    act: "approved this",
    event: ["Approved"],
    message: "The listing is on sale.",
    news: (target) => `We approved your listing, and it’s on sale: ${target}`,
    action: "approved listing",
  },
  dismiss: {
    choice: "Dismiss",
    hint: "Nothing changes, and we don’t tell the owner.",
    label: "Dismissed",
    act: "dismissed this",
    event: ["Decided to change nothing about"],
    message: "Dismissed. Nothing has changed.",
    action: "dismissed reports",
    endsReports: true,
  },
  uphold: {
    choice: "Uphold the decision",
    hint: "The appeal doesn’t change the decision.",
    label: "Upheld after an appeal",
    act: "upheld the decision",
    event: ["Upheld the decision about"],
    message: `The decision is upheld. ${toldLater}`,
    news: (target) => `We upheld our decision: ${target}`,
    action: "upheld decision",
    hasReason: true,
  },
  reverse: {
    choice: "Reverse the decision",
    hint: "We tell the owner.",
    label: "Reversed",
    act: "reversed the decision",
    event: ["Reversed the decision about"],
    message: `The decision is reversed. ${toldLater}`,
    news: (target) => `We made a mistake and reversed our decision: ${target}`,
    action: "reversed decision",
  },
  warn: {
    choice: "Warn the owner",
    hint: "Nothing else changes. The owner reads your reason.",
    label: "Warned",
    act: "warned the owner",
    event: ["Warned them about"],
    message: `The owner is warned. ${toldLater}`,
    news: (target) => `We warned you: ${target}`,
    action: "warned user",
    hasReason: true,
    canBeAppealed: true,
    endsReports: true,
  },
  hide: {
    choice: "Hide",
    hint: "Hidden from everyone in a few minutes. The owner sees your reason and can appeal once.",
    label: "Hidden",
    act: "hidden this",
    event: ["Hid"],
    message: `It’s hidden. ${toldLater}`,
    news: (target) => `We hid this: ${target}`,
    action: "hid content",
    asksFirst: true,
    hasReason: true,
    canBeAppealed: true,
    endsReports: true,
  },
  remove: {
    choice: "Remove",
    hint: `Nobody sees the listing anymore. For ${purgeAfterDays} days the owner can appeal once, and you can reverse it; then it’s erased.`,
    label: "Removed",
    act: "removed this",
    event: ["Removed"],
    message: `The listing is removed. ${toldLater}`,
    news: (target) => `We removed your listing: ${target}`,
    action: "removed listing",
    asksFirst: true,
    hasReason: true,
    canBeAppealed: true,
    endsReports: true,
  },
  suspend: {
    choice: "Suspend the account",
    hint: `The owner can’t ${refusedWhileSuspended}, their listings are hidden, and what they’ve only reserved goes back on sale. They can finish other orders and appeal once.`,
    label: "Suspended",
    act: "suspended the account",
    event: ["Suspended"],
    message: `The account is suspended. ${toldLater}`,
    news: (target, days) =>
      `Your account is suspended ${suspensionLengthText(days)}${target && ` because of ${target}`}`,
    action: "suspended user",
    asksFirst: true,
    hasReason: true,
    canBeAppealed: true,
    endsReports: true,
  },
};

const allDecisions: Record<DecisionKind, Decision> = {
  ...moderatorDecisions,
  hold: { label: "Held for approval", act: "held this", event: ["Held", "for approval"] },
};

export const decisionLabel = (kind: DecisionKind) => allDecisions[kind].label;

/** What stands before and behind the name of what was decided about. @param until the end of a suspension */
export function decisionEvent(
  kind: DecisionKind,
  targetKind: TargetKind,
  until: string,
): { event: string; end?: string | undefined } {
  const [event, end] = allDecisions[kind].event;
  if (kind !== "suspend") return { event, end };
  return targetKind === "seller"
    ? { event, end: until }
    : { event: `${event} their account ${until} because of` };
}

/** What owners can appeal. */
export const appealableKinds = decisionKinds.filter((kind) => allDecisions[kind].canBeAppealed);

/** Administrators can suspend for longer. */
export const maxModeratorDays = 30;

export const suspensionTooLongText = `Moderators suspend for up to ${maxModeratorDays} days. Ask an administrator for more.`;

export const longSuspensionText = `Only administrators change a suspension of more than ${maxModeratorDays} days.`;

/** Why a moderator cannot decide about a target of a moderator or an administrator. */
export const ofStaffText = "This is for administrators: it’s about a moderator or an administrator.";

/** Why a moderator does not uphold their own decision. */
export const ownDecisionText =
  "A colleague answers this appeal, since you made the decision. You can still reverse it.";

export const suspensionDays = [1, 3, 7, 14, 30, 90] as const;

/** Why a listing is not on sale, by the decision that hides it. */
export function hiddenLabel(kind: DecisionKind): string {
  if (kind === "hold") return "Held for approval";
  if (kind === "suspend") return "Hidden while the seller is suspended";
  return kind === "hide" ? "Hidden" : "Removed";
}

/** What the reason is not needed for, as the end of a sentence: "dismiss or reverse"; "" if each needs it. */
export function choicesWithoutReasonText(choices: ModeratorDecisionKind[]): string {
  const names = choices.filter((choice) => !moderatorDecisions[choice].hasReason);
  return new Intl.ListFormat(market.locale, { type: "disjunction" }).format(names);
}

/** What the form of a decision asks before the decision. @param days of a suspension */
export function decisionQuestion(
  decision: ModeratorDecisionKind,
  targetKind: TargetKind,
  days: string,
): string {
  const what =
    decision === "suspend"
      ? `Suspend the account ${suspensionLengthText(days)}`
      : `${moderatorDecisions[decision].choice} this ${targetKind}`;
  return `${what}? The owner reads it at once. For ${undoMinutes} minutes, you can undo it; then we email them, too. Save it again to confirm.`;
}

/** How long a suspension is, in a sentence: "for 7 days" or "permanently". */
const suspensionLengthText = (days = "") =>
  days === "permanent" ? "permanently" : `for ${daysLabel(Number(days))}`;

/** Why a decision is refused. @param newest what was decided since the page was read, and by whom */
export function decisionRefusalText(newest: { kind: DecisionKind; name: string } | null): string {
  return newest
    ? `${newest.name} ${newest.name === "You" ? "have" : "has"} ${allDecisions[newest.kind].act}. The page shows the current state.`
    : "That isn’t possible anymore. Here’s the current state.";
}

/** The end of a suspension in a sentence: "until Nov 29, 2026" or "permanently". */
export function suspensionEndText(until: string | null, dayLabel: (isoTime: string) => string): string {
  return until ? `until ${dayLabel(until)}` : "permanently";
}
