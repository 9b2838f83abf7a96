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
import type { OrderState } from "../orders/order.rules.ts";

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
  /** Can be reported before the handover, too. */
  isEarly?: true;
  /** Once moderators have refused it, nothing that happens later can change that. */
  isDecidedForGood?: true;
}

const problems: Record<ProblemKind, ProblemRules> = {
  "not arrived": { name: "Not arrived", labels: { buyer: "I haven’t received it" }, isEarly: true },
  "not as described": { name: "Not as described", labels: { buyer: "It isn’t as described" } },
  "something missing": { name: "Something is missing", labels: { buyer: "Something is missing" } },
  defect: { name: "Defect", labels: { buyer: `It has a defect (${market.warranty.short})` } },
  "not paid": {
    name: "Not paid",
    labels: { seller: "The buyer hasn’t paid" },
    isEarly: true,
    isDecidedForGood: true,
  },
  "other terms": {
    name: "Asked for other terms",
    labels: { buyer: "The seller asks for other terms", seller: "The buyer asks for other terms" },
    isEarly: true,
    isDecidedForGood: true,
  },
  "not refunded": {
    name: "Not refunded",
    labels: { buyer: "I’ve paid, and the seller hasn’t paid me back" },
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

/** What a problem is about: the money of an order that has ended, or a device before or after its handover. */
export type ProblemScope = "refund" | "before handover" | "after handover";

export function problemScope(kind: ProblemKind, stage: OrderStage): ProblemScope {
  if (kind === "not refunded") return "refund";
  return stage === "reserved" ? "before handover" : "after handover";
}

/** What the side that answers can offer. */
export function problemOfferChoices(
  openedBy: ReviewRole,
  scope: ProblemScope,
): { value: ProblemOffer; label: string; description: string }[] {
  const offers: ProblemOffer[] =
    scope === "refund"
      ? ["refund", "part refund", "something else"]
      : openedBy === "seller" || scope === "before handover"
        ? ["return", "something else"]
        : ["return", "part refund", "repair", "something else"];
  return offers.map((value) => ({
    value,
    label: offerLabel(value, scope),
    description: offerDescriptions[value][scope] ?? "",
  }));
}

const eachScope = (text: string) => ({ refund: text, "before handover": text, "after handover": text });
const settled = `You settle the money yourselves: ${brand.name} doesn’t hold it.`;

const offerDescriptions: Record<ProblemOffer, Partial<Record<ProblemScope, string>>> = {
  return: {
    "before handover": `The order ends. ${settled}`,
    "after handover": `The order ends, and the device goes back to the seller. ${settled}`,
  },
  refund: { refund: "Say when and how you pay it back." },
  "part refund": {
    refund: "Say how much you pay back, and why it isn’t all.",
    "after handover": "Say how much you pay back, and how. The buyer keeps the device.",
  },
  repair: { "after handover": "Say who repairs it, by when, and who pays." },
  "something else": {
    ...eachScope("Say what you’ll do, and by when. The order goes on."),
    refund: "Say what you’ll do, and by when.",
  },
};

export function offerLabel(offer: ProblemOffer, scope: ProblemScope): string {
  if (offer === "return") return scope === "before handover" ? "Cancel the order" : "Return and refund";
  return {
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
  role: ReviewRole | "moderator",
  day: string,
): string {
  const ended = endTexts[state];
  if (ended) return ended[scope];
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
  if (actor === role) return `${what[0]?.toUpperCase()}${what.slice(1)} by ${day}. ${then}`;
  return `The ${actor} has until ${day} to ${what}. ${then}`;
}

const endTexts: Partial<Record<ProblemState, Record<ProblemScope, string>>> = {
  solved: eachScope("This problem is solved."),
  returned: {
    ...eachScope("Settled: the order has ended."),
    "after handover": "Settled: the order has ended, and the device goes back to the seller.",
  },
  refused: {
    ...eachScope(`${brand.name} looked into it and decided that the order stays as it is.`),
    refund: `${brand.name} decided that there’s nothing to pay back.`,
  },
};

/** What becomes of the order if the side that opened a problem takes an offer, or calls the problem solved. */
export function settledText(offer: ProblemOffer | null, scope: ProblemScope): string {
  if (offer !== "return") return "This settles the problem.";
  const end =
    scope === "before handover"
      ? "The order ends."
      : "The order ends, and the device goes back to the seller.";
  return `${end} You can’t undo this.`;
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
  return state === "returned" && scope === "before handover" ? "order ended" : stateLabels[state];
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
      return isBuyer
        ? "Next, send the device back, and the seller pays you back."
        : "Next, the buyer sends the device back. Once it’s there, pay them back.";
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
  return [
    {
      value: "returned",
      label: "End the order",
      description:
        scope === "before handover"
          ? "The seller keeps the device and can list it again. Say who pays back what, and by when."
          : "The device goes back to the seller, who can list it again. Say who returns what, and by when.",
    },
    {
      value: "solved",
      label: "Settle it, the order goes on",
      description: "Say what each side does, such as a part refund or a repair.",
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
