import { brand } from "#app/brand.ts";
import type {
  OrderStage,
  ProblemKind,
  ProblemOffer,
  ProblemState,
  ProblemStepKind,
  ReviewRole,
} from "#app/db/values.ts";
import { market, maxProblemsInVain, problemDays } from "#app/market.ts";
import { type OrderState, parcelText } from "../orders/order.rules.ts";

/** What the two sides of a problem can do; it depends on who opened it, and on its state. */
export const problemAnswers = ["offer", "accept", "decline", "ask", "close"] as const;
export type ProblemAnswer = (typeof problemAnswers)[number];

/** What moderators decide: the ends of a problem. */
export const problemDecisions = ["returned", "solved", "refused"] as const;
type ProblemDecision = (typeof problemDecisions)[number];

/** The answers of a side in each state that is not an end. */
export const allowedAnswers = (state: ProblemState, isOpener: boolean): readonly ProblemAnswer[] =>
  answers[isOpener ? "opener" : "other"][state] ?? [];

const answers: Record<"opener" | "other", Partial<Record<ProblemState, ProblemAnswer[]>>> = {
  opener: {
    open: ["ask", "close"],
    offered: ["accept", "decline", "ask", "close"],
    "with moderators": ["close"],
  },
  other: { open: ["offer", "ask"], offered: ["ask"] },
};

/** The step that an answer adds. */
export const stepOf: Record<ProblemAnswer, ProblemStepKind> = {
  offer: "offered",
  accept: "accepted",
  decline: "declined",
  ask: "asked moderators",
  close: "closed",
};

interface ProblemRules {
  name: string;
  /** The words of each side that can report it. */
  labels: Partial<Record<ReviewRole, string>>;
  /** What the other side can offer once the device has been handed over. */
  offers: ProblemOffer[];
  /** Can be reported before the handover, too. */
  isEarly?: true;
  /** Once moderators have refused it, nothing that happens later can change that. */
  isDecidedForGood?: true;
}

const problems: Record<ProblemKind, ProblemRules> = {
  "not arrived": {
    name: "Not arrived",
    labels: { buyer: "I haven’t received it" },
    offers: ["return", "something else"],
    isEarly: true,
  },
  "not as described": {
    name: "Not as described",
    labels: { buyer: "It isn’t as described" },
    offers: ["return", "part refund", "repair", "something else"],
  },
  "something missing": {
    name: "Something is missing",
    labels: { buyer: "Something is missing" },
    offers: ["return", "part refund", "something else"],
  },
  defect: {
    name: "Defect",
    labels: { buyer: `It has a defect (${market.warranty.short})` },
    offers: ["return", "part refund", "repair", "something else"],
  },
  "not paid": {
    name: "Not paid",
    labels: { seller: "The buyer hasn’t paid" },
    offers: ["return", "something else"],
    isEarly: true,
    isDecidedForGood: true,
  },
  "other terms": {
    name: "Asked for other terms",
    labels: { buyer: "The seller asks for other terms", seller: "The buyer asks for other terms" },
    offers: ["return", "something else"],
    isEarly: true,
    isDecidedForGood: true,
  },
  "not refunded": {
    name: "Not refunded",
    labels: { buyer: "I’ve paid, and the seller hasn’t paid me back" },
    offers: ["refund", "part refund", "something else"],
    isDecidedForGood: true,
  },
};

export function problemName(kind: ProblemKind): string {
  return problems[kind].name;
}

/** An order as the side that reports a problem finds it. */
export interface ReportableOrder extends OrderState {
  /** Whether the buyer, not Ringback, has marked it as received. */
  isConfirmed: boolean;
  /** In milliseconds; null as long as the order goes on. */
  reportUntil: number | null;
  /** What this side has opened before. */
  earlier: { kind: ProblemKind; state: ProblemState; isClosedByOpener: boolean }[];
}

/** Why a side cannot open a problem of a kind; null if it can. */
export function openingRefusal(
  kind: ProblemKind,
  role: ReviewRole,
  { status, stage, isConfirmed, reportUntil, earlier }: ReportableOrder,
  now: Date,
): ProblemRefusal | null {
  const isRefund = kind === "not refunded";
  if (!isRefund && status === "cancelled") return "cancelled";
  const { labels, isEarly, isDecidedForGood } = problems[kind];
  if (!labels[role] || (isRefund && status === "active")) return "not now";
  if (!isRefund && stage === "reserved" && !isEarly) return "not yet";
  if (kind === "not arrived" && isConfirmed) return "confirmed";
  if (reportUntil !== null && reportUntil <= now.getTime()) return "too late";
  const wasRefused = earlier.some((problem) => problem.kind === kind && problem.state === "refused");
  if (wasRefused && isDecidedForGood) return "refused before";
  const inVain = earlier.filter(({ state, isClosedByOpener }) => state === "refused" || isClosedByOpener);
  // Else one side could keep an order on hold for as long as it likes.
  return !isRefund && inVain.length >= maxProblemsInVain ? "too many" : null;
}

/** The kinds of problems that a side can open, with their labels. */
export function problemChoices(role: ReviewRole, order: ReportableOrder, now: Date) {
  return (Object.keys(problems) as ProblemKind[])
    .filter((kind) => openingRefusal(kind, role, order, now) === null)
    .map((value) => ({ value, label: problems[value].labels[role] ?? "" }));
}

/**
 * What the texts of a problem depend on: the money of an order that has ended, a device before its handover or after it,
 * and of the latter that nobody has got or paid.
 */
export type ProblemScope = "refund" | "before handover" | "not arrived" | "not paid" | "after handover";

export function problemScope(kind: ProblemKind, stage: OrderStage): ProblemScope {
  if (kind === "not refunded") return "refund";
  if (stage === "reserved") return "before handover";
  return kind === "not arrived" || kind === "not paid" ? kind : "after handover";
}

type ProblemViewer = ReviewRole | "moderator";

/** Both sides can agree, and moderators decide, that the order ends. */
const returns: Record<
  Exclude<ProblemScope, "refund">,
  { label: string; state: string; device?: (goesBack: string) => string }
> = {
  "before handover": { label: "Cancel the order", state: "order ended" },
  "not arrived": {
    label: "Cancel and refund",
    state: "order ended",
    device: (goesBack) => `if the device still turns up, it ${goesBack}`,
  },
  "not paid": { label: "Return it", state: "returned", device: (goesBack) => `the device ${goesBack}` },
  "after handover": {
    label: "Return and refund",
    state: "returned",
    device: (goesBack) => `the device ${goesBack}`,
  },
};

/** What becomes of the device; empty if its seller has it. */
function deviceText(scope: ProblemScope, role: ProblemViewer): string {
  const goesBack = role === "seller" ? "comes back to you" : "goes back to the seller";
  return (scope !== "refund" && returns[scope].device?.(goesBack)) || "";
}

/** @param end "The order ends" */
function endText(end: string, scope: ProblemScope, role: ProblemViewer): string {
  const device = deviceText(scope, role);
  return device ? `${end}, and ${device}.` : `${end}.`;
}

/** What the side that answers can offer. */
export function problemOffersFor(kind: ProblemKind, scope: ProblemScope): ProblemOffer[] {
  return scope === "before handover" ? ["return", "something else"] : problems[kind].offers;
}

/** The same with labels. @param role of the side that answers */
export function problemOfferChoices(
  { kind, scope }: { kind: ProblemKind; scope: ProblemScope },
  role: ReviewRole,
): { value: ProblemOffer; label: string; description: string }[] {
  return problemOffersFor(kind, scope).map((value) => ({
    value,
    label: offerLabel(value, scope),
    description: offerDescription(value, scope, role),
  }));
}

function offerDescription(offer: ProblemOffer, scope: ProblemScope, role: ReviewRole): string {
  const isRefund = scope === "refund";
  return {
    return: `${endText("The order ends", scope, role)} You settle the money yourselves: ${brand.name} doesn’t hold it.`,
    refund: "Say when and how you pay it back.",
    "part refund": isRefund
      ? "Say how much you pay back, and why it isn’t all."
      : "Say how much you pay back, and how. The buyer keeps the device.",
    repair: "Say who repairs it, by when, and who pays.",
    "something else": `Say what you’ll do, and by when.${isRefund ? "" : " The order goes on."}`,
  }[offer];
}

export function offerLabel(offer: ProblemOffer, scope: ProblemScope): string {
  return {
    return: scope === "refund" ? "" : returns[scope].label,
    refund: "Full refund",
    "part refund": "Partial refund",
    repair: "Repair it",
    "something else": "Something else",
  }[offer];
}

/** Who has to act in a state: the side that opened the problem, the other one, or the moderators; null after the end. */
function whoActs(state: ProblemState): "opener" | "other" | "moderators" | null {
  if (state === "open") return "other";
  if (state === "offered") return "opener";
  return state === "with moderators" ? "moderators" : null;
}

/** The state of a problem and the next step with its date. @param role the viewer's */
export function problemStatusText(
  {
    state,
    openedBy,
    scope,
    isOverdue,
  }: { state: ProblemState; openedBy: ReviewRole; scope: ProblemScope; isOverdue: boolean },
  role: ProblemViewer,
  day: string,
): string {
  if (state === "solved") return "This problem is solved.";
  if (state === "returned") return endText("Settled: the order has ended", scope, role);
  if (state === "refused") {
    return scope === "refund"
      ? `${brand.name} decided that there’s nothing to pay back.`
      : `${brand.name} looked into it and decided that the order stays as it is.`;
  }
  const acts = whoActs(state);
  if (acts === "moderators") {
    if (role === "moderator")
      return isOverdue ? `This was due on ${day}. Decide it now.` : `Decide by ${day}.`;
    return isOverdue
      ? `${brand.name} is late: the decision was due on ${day}. We’ve reminded our moderators, and tell you both once it’s made.`
      : `${brand.name} decides by ${day} and tells you both.`;
  }
  const actor = (acts === "opener") === (openedBy === "buyer") ? "buyer" : "seller";
  const what = acts === "opener" ? "accept or decline the offer" : "answer";
  const then = `After that, ${brand.name} decides.`;
  if (actor === role) return `${capitalized(what)} by ${day}. ${then}`;
  return `The ${actor} has until ${day} to ${what}. ${then}`;
}

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

export interface HandoverOfProblem {
  kind: ProblemKind;
  scope: ProblemScope;
  /** Of the order. */
  parcelService: string | null;
  trackingNumber: string | null;
}

/** What an open problem says of the handover of a device that has not arrived; null if nothing. */
export function handoverText(
  { kind, scope, parcelService, trackingNumber }: HandoverOfProblem,
  role: ProblemViewer,
): string | null {
  if (kind !== "not arrived") return null;
  if (scope === "before handover")
    return role === "seller" ? "You can still hand it over, on the order’s page." : null;
  const how = parcelService
    ? `shipped it with ${parcelText({ parcelService, trackingNumber })}`
    : "handed it over in person";
  if (role === "seller") return `You ${how}. Once the buyer has it, they can mark this as solved.`;
  return `The seller says they ${how}.${role === "buyer" ? " Once you have it, mark this as solved." : ""}`;
}

/** What becomes of the order if the side that opened a problem takes an offer, or calls the problem solved. */
export function settledText(offer: ProblemOffer | null, scope: ProblemScope, role: ReviewRole): string {
  if (offer === "return") return `${endText("The order ends", scope, role)} You can’t undo this.`;
  return `This settles the problem${scope === "refund" ? "." : ", and the order is no longer on hold."}`;
}

const stateLabels: Record<ProblemState, string> = {
  open: "waiting for an answer",
  offered: "offer made",
  "with moderators": `${brand.name} decides`,
  solved: "solved",
  returned: "returned",
  refused: "refused",
};

/** Follows the name of the problem. */
export function stateLabel(state: ProblemState, scope: ProblemScope): string {
  return state === "returned" && scope !== "refund" ? returns[scope].state : stateLabels[state];
}

const stepLabels: Record<ProblemStepKind, string> = {
  opened: "Problem opened",
  offered: "Offer",
  accepted: "Offer accepted",
  declined: "Offer declined",
  "asked moderators": `Asked ${brand.name} to decide`,
  closed: "Marked as solved",
  decided: "Decision",
};

/** @param by the name of who did it */
export function problemStepLabel(kind: ProblemStepKind, by: string): string {
  return kind === "asked moderators" && by === brand.name ? `${brand.name} steps in` : stepLabels[kind];
}

/** What both sides agreed on, or moderators decided, so that a problem was solved or the device returned. */
export interface Settlement {
  /** The accepted offer; null if moderators decided. */
  offer: ProblemOffer | null;
  /** In the words of the side that offered it, or of the moderator. */
  text: string;
}

/** How a problem was settled, in a few words. */
export function settlementLabel({ offer }: Settlement, scope: ProblemScope): string {
  return offer ? `You both agreed: ${offerLabel(offer, scope).toLowerCase()}` : `${brand.name} decided`;
}

/** What comes after a settlement, for one of the two sides. */
export function afterSettlementText({ offer }: Settlement, scope: ProblemScope, role: ReviewRole): string {
  const isBuyer = role === "buyer";
  const paysBack = isBuyer ? "the seller pays you back" : "pay the buyer back";
  const otherwise = isBuyer ? " If that doesn’t happen, report it here." : "";
  switch (offer) {
    case "refund":
    case "part refund":
      return `Next, ${paysBack}.${otherwise}`;
    case "return":
      if (scope === "before handover") return isBuyer ? "The order has ended." : "You can list it again.";
      if (scope === "not arrived")
        return isBuyer
          ? "Next, the seller pays back what you’ve paid."
          : "Next, pay back what the buyer has paid.";
      return isBuyer
        ? "Next, send the device back, and the seller pays back what you’ve paid."
        : "Next, the buyer sends the device back. Once it’s there, pay back what they’ve paid.";
    default:
      return `Next, do what’s been ${offer ? "agreed" : "decided"}.${otherwise}`;
  }
}

/** What moderators can decide. */
export function decisionChoices(
  scope: ProblemScope,
): { value: ProblemDecision; label: string; description: string }[] {
  if (scope === "refund") {
    return [
      {
        value: "solved",
        label: "Money back",
        description: "Say how much the seller pays back, and by when.",
      },
      { value: "refused", label: "Nothing to pay back", description: "Say why." },
    ];
  }
  const device = deviceText(scope, "moderator") || "the device stays with the seller";
  return [
    {
      value: "returned",
      label: "End the order",
      description: `${capitalized(device)}, and can be listed again. Say who gives back what, and by when.`,
    },
    {
      value: "solved",
      label: "Settle it, the order goes on",
      description:
        scope === "after handover"
          ? "Say what each side does, such as a part refund or a repair."
          : "Say what each side does, and by when.",
    },
    { value: "refused", label: "No problem, the order goes on", description: "Say why." },
  ];
}

/** Why a problem is not opened, answered or decided. */
export const problemRefusals = {
  "problem open": "This order has an open problem already.",
  cancelled: "This order has been cancelled.",
  "too late": `It’s too late. You can report a problem for ${market.warranty.total} after you got the device, and a missing refund for ${problemDays.refund} days after the order ended.`,
  "refused before": `${brand.name} has decided about this already, so you can’t report it again.`,
  "too many": `You’ve closed ${maxProblemsInVain} problems with this order yourself, or we’ve decided that there was none, so you can’t report another one here.`,
  confirmed: "You’ve marked this device as received.",
  "order changed": "The order has changed since. Check what’s new, then report the problem again.",
  "not yet": "You can choose this once the device has been handed over.",
  "not open": "This problem is closed.",
  changed: "Something has changed since. Check what’s new, then answer again.",
  "not now": "It’s not your turn, or this isn’t possible right now.",
  "no offer": "Choose what you offer.",
  "own order": "This is your own order, so somebody else decides.",
};
export type ProblemRefusal = keyof typeof problemRefusals;
