import { brand } from "#app/brand.ts";
import type {
  OrderSide,
  ProblemDecision,
  ProblemKind,
  ProblemOffer,
  ProblemOpener,
  ProblemState,
  ProblemStepKind,
} from "#app/db/enums.ts";
import { priceLabel } from "../listings/money.rules.ts";
import type { Parcel } from "../orders/order.rules.ts";
import { parcelText } from "../orders/order-texts.ts";
import { disputedPaymentText } from "../payments/payment-texts.ts";
import {
  isAfterEnd,
  isDecidedByBank,
  isReturnByRight,
  type ProblemScope,
  problemOffersFor,
  type ScopeAfterEnd,
} from "./order-problem.rules.ts";

type ProblemViewer = OrderSide | "moderator";

/** Both sides can agree, and moderators decide, that the order ends. */
const endings: Record<
  Exclude<ProblemScope, ScopeAfterEnd>,
  { label: string; device?: (goesBack: string) => string }
> = {
  "before handover": { label: "Cancel the order" },
  "not arrived": {
    label: "Cancel and refund",
    device: (goesBack) => `if the device still turns up, it ${goesBack}`,
  },
  "not paid": { label: "Return it", device: (goesBack) => `the device ${goesBack}` },
  "after handover": {
    label: "Return and refund",
    device: (goesBack) => `the device ${goesBack}`,
  },
};

/** What becomes of the device; empty if its seller has it. */
function deviceText(scope: ProblemScope, role: ProblemViewer): string {
  const goesBack = role === "seller" ? "comes back to you" : "goes back to the seller";
  return (!isAfterEnd(scope) && endings[scope].device?.(goesBack)) || "";
}

/** @param end "The order ends" */
function endText(end: string, scope: ProblemScope, role: ProblemViewer): string {
  const device = deviceText(scope, role);
  return device ? `${end}, and ${device}.` : `${end}.`;
}

/**
 * What the side that answers can offer. While a bank disputes the payment, all stays possible, so that no deadline passes
 * in vain: the money follows once the bank has decided.
 *
 * @param role the side's
 * @param left see `problemOffersFor`
 */
export function problemOfferChoices(
  { kind, scope }: { kind: ProblemKind; scope: ProblemScope },
  role: OrderSide,
  left: number | null,
  isDisputed: boolean,
): { value: ProblemOffer; label: string; description: string }[] {
  return problemOffersFor(kind, scope, left).map((value) => ({
    value,
    label: problemOfferLabel(value, scope),
    description: offerDescription(value, scope, role, { left, isDisputed }),
  }));
}

function offerDescription(
  offer: ProblemOffer,
  scope: ProblemScope,
  role: OrderSide,
  { left, isDisputed }: { left: number | null; isDisputed: boolean },
): string {
  const isRefund = scope === "refund";
  const when = isDisputed ? afterDecisionOfBank(role) : "";
  const money =
    left === null
      ? `You settle the money yourselves: ${brand.name} doesn’t hold it.`
      : left > 0
        ? `${brand.name} pays the buyer back ${priceLabel(left)}${when}.`
        : "The buyer has already been paid back.";
  return {
    return:
      scope === "giving back"
        ? "Say when and how the device goes back."
        : `${endText("The order ends", scope, role)} ${money}`,
    refund:
      left === null
        ? "Say when and how you’ll pay it back."
        : `${brand.name} pays back ${priceLabel(left)}${when}. The buyer keeps the device.`,
    "part refund": isRefund
      ? "Say how much you’ll pay back, and why not all of it."
      : left !== null
        ? `Type the amount: ${brand.name} pays it back${when}. The buyer keeps the device.`
        : "Say how much you’ll pay back, and how. The buyer keeps the device.",
    repair: "Say who repairs it, by when, and who pays.",
    "something else": `Say what you’ll do, and by when.${isAfterEnd(scope) ? "" : " The order goes on."}`,
  }[offer];
}

export function problemOfferLabel(offer: ProblemOffer, scope: ProblemScope): string {
  return {
    return: scope === "refund" ? "" : scope === "giving back" ? "Give it back" : endings[scope].label,
    refund: "Full refund",
    "part refund": "Partial refund",
    repair: "Repair it",
    "something else": "Another solution",
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
    kind,
    state,
    openedBy,
    scope,
    isOverdue,
    isOtherGone = false,
    hasEndedWithOrder = false,
  }: {
    kind?: ProblemKind;
    state: ProblemState;
    openedBy: ProblemOpener;
    scope: ProblemScope;
    isOverdue: boolean;
    /** Whether the other side than the viewer’s has left. */
    isOtherGone?: boolean;
    hasEndedWithOrder?: boolean;
  },
  role: ProblemViewer,
  day: string,
): string {
  if (hasEndedWithOrder) return "The order has ended, and this problem with it.";
  if (kind && isDecidedByBank(kind)) return disputeText(state, scope, role);
  if (state === "solved") return "This problem is solved.";
  if (state === "returned") return endText("The order has ended", scope, role);
  if (state === "refused") {
    if (scope === "giving back") return `${brand.name} decided that there’s no device to give back.`;
    return scope === "refund"
      ? `${brand.name} decided that there’s nothing to pay back.`
      : `${brand.name} has rejected the complaint, so the order stays as it is.`;
  }
  const acts = whoActs(state);
  if (acts === "moderators") {
    if (role === "moderator")
      return isOverdue ? `This was due on ${day}. Decide it now.` : `Decide by ${day}.`;
    return isOverdue
      ? `${brand.name} is late: the decision was due on ${day}. We’ve reminded our moderators and will tell you once it’s made.`
      : `${brand.name} will decide by ${day} and tell you.`;
  }
  const actor = (acts === "opener") === (openedBy === "buyer") ? "buyer" : "seller";
  const what = acts === "opener" ? "accept or decline the offer" : "answer";
  const then =
    kind && isReturnByRight(kind)
      ? "After that, the return counts as accepted."
      : `After that, ${brand.name} decides.`;
  if (isOtherGone && role !== "moderator") {
    const left = `The ${otherSide(role)} has left`;
    return actor === role && acts === "opener"
      ? `${left}. Accept their offer by ${day}. ${then}`
      : `${left}, so ${brand.name} decides after ${day}.`;
  }
  if (actor === role) return `${capitalized(what)} by ${day}. ${then}`;
  return `The ${actor} has until ${day} to ${what}. ${then}`;
}

/** How a dispute of the buyer’s bank stands, and what each side does until it ends. */
function disputeText(state: ProblemState, scope: ProblemScope, role: ProblemViewer): string {
  const bank = bankOf(role);
  if (state === "returned")
    return endText(`${capitalized(bank)} took the money back, so the order has ended`, scope, role);
  if (state === "solved") return `${capitalized(bank)} has decided, and the order goes on.`;
  const disputes = disputedPaymentText(role === "buyer");
  if (role === "buyer") return `${disputes} If you didn’t mean that, tell your bank.`;
  if (role === "moderator")
    return `${disputes} Answer the bank at the payment provider, with what both sides write.`;
  return `${disputes} ${
    scope === "before handover"
      ? "Don’t hand the device over before that: if the bank takes the money back, the order ends."
      : "Write on the problem’s page how and when you handed it over: we tell the bank."
  }`;
}

const bankOf = (role: ProblemViewer) => (role === "buyer" ? "your bank" : "the buyer’s bank");

/** Follows what goes back to the buyer, while the bank disputes the payment. */
export const afterDecisionOfBank = (role: ProblemViewer) => ` once ${bankOf(role)} has decided`;

export const otherSide = (role: OrderSide): OrderSide => (role === "buyer" ? "seller" : "buyer");

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

export interface HandoverOfProblem {
  kind: ProblemKind;
  state: ProblemState;
  scope: ProblemScope;
  parcel: Parcel | null;
}

/** What an open problem says of the handover of a device that has not arrived; null if nothing. */
export function handoverText(
  { kind, state, scope, parcel }: HandoverOfProblem,
  role: ProblemViewer,
): string | null {
  if (kind !== "not arrived" || !whoActs(state)) return null;
  if (scope === "before handover")
    return role === "seller" ? "You can still hand it over, on the order’s page." : null;
  const how = parcel ? `shipped it with ${parcelText(parcel)}` : "handed it over in person";
  if (role === "seller") return `You ${how}. Once the buyer has it, they can mark this as solved.`;
  return `The seller says they ${how}.${role === "buyer" ? " Once you have it, mark this as solved." : ""}`;
}

/** What becomes of the order if the side that opened a problem takes an offer, or calls the problem solved. */
export function settledText(offer: ProblemOffer | null, scope: ProblemScope, role: OrderSide): string {
  if (offer === "return" && !isAfterEnd(scope))
    return `${endText("The order ends", scope, role)} You can’t undo this.`;
  return `This settles the problem${isAfterEnd(scope) ? "." : ", and the order goes on."}`;
}

const stateLabels: Record<ProblemState, string> = {
  open: "waiting for an answer",
  offered: "offer made",
  "with moderators": `${brand.name} decides`,
  solved: "solved",
  returned: "order ended",
  refused: "complaint rejected",
};

/** Follows the name of the problem. */
export function problemStateLabel(state: ProblemState, scope: ProblemScope, kind?: ProblemKind): string {
  if (state === "open" && kind && isDecidedByBank(kind)) return "the bank decides";
  // What isn’t the end of an order, or a complaint about it, is named as moderators choose it.
  if (state === "refused" && isAfterEnd(scope)) return problemDecisionLabel(state, scope).toLowerCase();
  return stateLabels[state];
}

const stepLabels: Record<ProblemStepKind, string> = {
  opened: "Problem opened",
  written: "Message",
  offered: "Offer",
  accepted: "Offer accepted",
  declined: "Offer declined",
  "asked moderators": `Asked ${brand.name} to decide`,
  closed: "Marked as solved",
  decided: "Decision",
  ended: "Ended with the order",
};

/** @param by the name of who did it */
export function problemStepLabel(kind: ProblemStepKind, by: string, problem?: ProblemKind): string {
  if (kind === "accepted" && problem && isReturnByRight(problem)) return "Return accepted";
  if (kind === "decided" && problem && isDecidedByBank(problem)) return "The bank’s decision";
  return kind === "asked moderators" && by === brand.name ? `${brand.name} steps in` : stepLabels[kind];
}

/** What both sides agreed on, or moderators decided, so that a problem was solved or the device returned. */
export interface Settlement {
  /** The accepted offer; null if moderators decided. */
  offer: ProblemOffer | null;
  /** What Ringback pays back; null if it is nothing, or not settled by Ringback. */
  amountCents?: number | null;
  /** In the words of the side that offered it, or of the moderator. */
  text: string;
}

/** How a problem was settled, in a few words. */
export function settlementLabel(
  { offer, amountCents }: Settlement,
  { kind, scope }: { kind: ProblemKind; scope: ProblemScope },
): string {
  if (isReturnByRight(kind)) return "Return accepted";
  // Of a full refund, a part may have gone back in between.
  return offer
    ? `You both agreed: ${problemOfferLabel(offer, scope).toLowerCase()}${offer === "refund" ? "" : amountText(amountCents)}`
    : `${brand.name} decided${amountText(amountCents)}`;
}

/** Follows what was offered or decided: ", $50 back". */
export const amountText = (amountCents: number | null | undefined) =>
  amountCents ? `, ${priceLabel(amountCents)} back` : "";

/** What both sides of a protected order get once moderators have decided, or both have agreed. */
interface MoneySplit {
  paidCents: number;
  toBuyerCents: number;
  /** Whether Ringback keeps a fee of what the seller gets. */
  hasFee: boolean;
  /** Whether the buyer’s bank disputes the payment, and whether what goes back has not gone yet. */
  isDisputed: boolean;
  waitsForBank: boolean;
}

/** @param role the reader's */
export function moneySplitText(
  { paidCents, toBuyerCents, hasFee, isDisputed, waitsForBank }: MoneySplit,
  role: ProblemViewer,
): string {
  const [buyer, seller] = [
    role === "buyer" ? "You get" : "The buyer gets",
    role === "seller" ? "You get" : "The seller gets",
  ];
  const when = waitsForBank ? afterDecisionOfBank(role) : "";
  const unlessTaken = isDisputed ? `, unless ${bankOf(role)} takes it back` : "";
  if (toBuyerCents >= paidCents) return `${buyer} back all ${priceLabel(paidCents)}${when}.`;
  const back =
    toBuyerCents > 0
      ? `${buyer} back ${priceLabel(toBuyerCents)} of ${priceLabel(paidCents)}${when}.`
      : `Nothing goes back to ${role === "buyer" ? "you" : "the buyer"}.`;
  return `${back} ${seller} ${priceLabel(paidCents - toBuyerCents)}${hasFee ? " less the fee" : ""}${unlessTaken}.`;
}

/** What comes after a settlement that did not end the order, for one of the two sides. */
export function afterSettlementText(
  { offer, amountCents }: Settlement,
  scope: ProblemScope,
  role: OrderSide,
): string | null {
  const isBuyer = role === "buyer";
  // Of what Ringback pays back, the payment says how far it is.
  if (amountCents) return null;
  const paysBack = isBuyer ? "the seller pays you back" : "pay the buyer back";
  const isOwed = role === (scope === "giving back" ? "seller" : "buyer");
  const otherwise = isOwed ? " If that doesn’t happen, report it on the order’s page." : "";
  switch (offer) {
    case "refund":
    case "part refund":
      return `Next, ${paysBack}.${otherwise}`;
    case "return":
      return isBuyer ? "Next, give the device back." : `Next, the buyer gives the device back.${otherwise}`;
    default:
      return `Next, do what ${offer ? "you agreed on" : "we decided"}.${otherwise}`;
  }
}

/** A decision as the form, its list and its history name it. */
export const problemDecisionLabel = (decision: ProblemDecision, scope: ProblemScope) =>
  decisionChoices(scope).find(({ value }) => value === decision)?.label ?? stateLabels[decision];

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
  if (scope === "giving back") {
    return [
      {
        value: "solved",
        label: "Give the device back",
        description: "Say who sends it back, by when, and who pays.",
      },
      { value: "refused", label: "No device to give back", description: "Say why." },
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
      label: "Solve it and keep the order",
      description:
        scope === "after handover"
          ? "Say what each side does, such as a refund or a repair."
          : "Say what each side does, and by when.",
    },
    { value: "refused", label: "Reject the complaint", description: "The order stays. Say why." },
  ];
}
