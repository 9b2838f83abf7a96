import { brand } from "#app/brand.ts";
import {
  type OrderSide,
  type OrderStage,
  type ProblemDecision,
  type ProblemKind,
  type ProblemOffer,
  type ProblemState,
  type ProblemStepKind,
  problemDecisions,
} from "#app/db/enums.ts";
import { market } from "#app/market.ts";
import { maxProblemsInVain, problemDays, terms } from "#app/terms.ts";
import { messageRefusalTexts } from "../messages/message.rules.ts";
import { canChangeMind, type OrderState } from "../orders/order.rules.ts";

export { problemDecisions };

/** Whether a state is the one that moderators decide on. */
export const isDecision = (state: ProblemState): state is ProblemDecision =>
  problemDecisions.some((decision) => decision === state);

/** What the two sides of a problem can do; it depends on who opened it, and on its state. */
export const problemAnswers = ["offer", "accept", "decline", "ask", "close", "write"] as const;
export type ProblemAnswer = (typeof problemAnswers)[number];

/**
 * The answers of a side in each state that is not an end: no offers to a side that has left. A block or a suspension takes
 * none away.
 */
export const allowedAnswers = (
  { kind, state }: { kind: ProblemKind; state: ProblemState },
  isOpener: boolean,
  isOtherGone: boolean,
): readonly ProblemAnswer[] =>
  (answers[isDecidedByBank(kind) ? "bystander" : isOpener ? "opener" : "other"][state] ?? [])
    // There is nothing to offer to who has a right to it.
    .map((answer) => (answer === "offer" && isReturnByRight(kind) ? "accept" : answer))
    .filter((answer) => !isOtherGone || (answer !== "offer" && answer !== "decline"));

/** Whether the buyer can give the device back for no reason: once the other side agrees, or has not answered in time. */
export const isReturnByRight = (kind: ProblemKind) => kind === "changed mind";

/** Whether neither the sides nor moderators decide, but the buyer’s bank. */
export const isDecidedByBank = (kind: ProblemKind) => kind === "bank dispute";

/** A side can write this many messages an hour in a problem. */
export const maxProblemMessagesAnHour = 20;

const answers: Record<"opener" | "other" | "bystander", Partial<Record<ProblemState, ProblemAnswer[]>>> = {
  opener: {
    open: ["ask", "close", "write"],
    offered: ["accept", "decline", "ask", "close", "write"],
    "with moderators": ["close", "write"],
  },
  other: { open: ["offer", "ask", "write"], offered: ["ask", "write"], "with moderators": ["write"] },
  bystander: { open: ["write"] },
};

/** The step that an answer adds. */
export const stepOfAnswer: Record<ProblemAnswer, ProblemStepKind> = {
  offer: "offered",
  accept: "accepted",
  decline: "declined",
  ask: "asked moderators",
  close: "closed",
  write: "written",
};

interface ProblemRules {
  name: string;
  /** The words of each side that can report it. */
  labels: Partial<Record<OrderSide, string>>;
  /** What the other side can offer; before the handover only to cancel, or something else. */
  offers: ProblemOffer[];
  /** Can be reported before the handover, too. */
  isEarly?: true;
  /** Can only be reported after the order has ended; it is about what one side still has of the other. */
  isAfterEnd?: true;
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
  "changed mind": {
    name: "Changed mind",
    labels: { buyer: "I’ve changed my mind" },
    offers: [],
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
    isEarly: true,
    isAfterEnd: true,
    isDecidedForGood: true,
  },
  "not returned": {
    name: "Device not returned",
    labels: { seller: "The buyer hasn’t given the device back" },
    offers: ["return", "something else"],
    isAfterEnd: true,
    isDecidedForGood: true,
  },
  "bank dispute": { name: "Bank dispute", labels: {}, offers: [] },
};

export function problemName(kind: ProblemKind): string {
  return problems[kind].name;
}

/** An order as the side that reports a problem finds it. */
interface OrderWithProblems extends OrderState {
  /** Whether the buyer, not Ringback, has marked it as received. */
  isConfirmed: boolean;
  /** Whether the seller has the device back since the order ended. */
  isDeviceBack: boolean;
  /** Whether Ringback holds its money, and whether it still waits for it. */
  isProtected: boolean;
  isUnpaid: boolean;
  /** In how many days after the receipt the buyer can change their mind, and until when; null if they cannot. */
  returnDays: number | null;
  returnUntil: number | null;
  /** How much of the money can still be paid back, in cents; null if it is not protected. */
  refundable: number | null;
  /** In milliseconds; null as long as the order goes on. */
  reportUntil: number | null;
  /** What this side has opened before. */
  earlier: { kind: ProblemKind; state: ProblemState }[];
}

/** Why a side cannot open a problem of a kind; null if it can. */
export function openingRefusal(
  kind: ProblemKind,
  role: OrderSide,
  order: OrderWithProblems,
  now: Date,
): ProblemRefusal | null {
  const { status, stage, isConfirmed, isDeviceBack, isProtected, isUnpaid, reportUntil, earlier } = order;
  const { labels, isEarly, isAfterEnd, isDecidedForGood } = problems[kind];
  if (!isAfterEnd && status === "cancelled") return "cancelled";
  if (!labels[role] || (isAfterEnd && status === "active")) return "not now";
  if (isUnpaid && status === "active") return "not paid yet";
  // The money does not go from one side to the other.
  if (isProtected && (kind === "not paid" || kind === "not refunded")) return "protected";
  if (stage === "reserved" && !isEarly) return isAfterEnd ? "cancelled" : "not yet";
  if (kind === "not arrived" && isConfirmed) return "confirmed";
  if (kind === "not returned" && isDeviceBack) return "device back";
  if (isReturnByRight(kind) && !canChangeMind(order, now)) return "no returns";
  if (reportUntil !== null && reportUntil <= now.getTime()) return "too late";
  const inVain = earlier.filter(({ state }) => state === "refused");
  if (isDecidedForGood && inVain.some((problem) => problem.kind === kind)) return "refused before";
  return !isAfterEnd && inVain.length >= maxProblemsInVain ? "too many" : null;
}

/** The kinds of problems that a side can open, with their labels. */
export function problemChoices(role: OrderSide, order: OrderWithProblems, now: Date) {
  return (Object.keys(problems) as ProblemKind[])
    .filter((kind) => openingRefusal(kind, role, order, now) === null)
    .map((value) => {
      const label = problems[value].labels[role] ?? "";
      return { value, label: isReturnByRight(value) ? `${label} (${order.returnDays}-day returns)` : label };
    });
}

/** Why a side can open no problem at all. */
export function refusalOfAllKinds(role: OrderSide, order: OrderWithProblems, now: Date): ProblemRefusal {
  const refusals = (Object.keys(problems) as ProblemKind[]).map((kind) =>
    openingRefusal(kind, role, order, now),
  );
  const telling = [
    "not paid yet",
    "too late",
    "device back",
    "too many",
    "refused before",
    "cancelled",
  ] as const;
  return telling.find((refusal) => refusals.includes(refusal)) ?? "not now";
}

/**
 * What a problem is about, as its texts and its offers need it: the refund or the device of an ended order, or the time
 * before or after the handover.
 */
export type ProblemScope = ScopeAfterEnd | "before handover" | "not arrived" | "not paid" | "after handover";

export type ScopeAfterEnd = "refund" | "giving back";

/** Whether the order has ended before the problem, so that its end settles nothing. */
export const isAfterEnd = (scope: ProblemScope): scope is ScopeAfterEnd =>
  scope === "refund" || scope === "giving back";

export function problemScope(kind: ProblemKind, stage: OrderStage): ProblemScope {
  if (kind === "not refunded") return "refund";
  if (kind === "not returned") return "giving back";
  if (stage === "reserved") return "before handover";
  return kind === "not arrived" || kind === "not paid" ? kind : "after handover";
}

/** What the side that answers can offer. @param left how much can be paid back; null if Ringback holds nothing */
export function problemOffersFor(
  kind: ProblemKind,
  scope: ProblemScope,
  left: number | null,
): ProblemOffer[] {
  if (scope === "before handover" && !isDecidedByBank(kind)) return ["return", "something else"];
  const { offers } = problems[kind];
  // What Ringback holds goes back in part or in whole, and the order goes on.
  return left === null
    ? offers
    : offers.flatMap((offer) => (offer !== "part refund" ? [offer] : left > 0 ? ["refund", offer] : []));
}

/** Why an amount is not paid back of an order that goes on. @param left what can be; null if Ringback holds nothing */
export function amountRefusal(amountCents: number | undefined, left: number | null): AmountRefusal | null {
  if (amountCents === undefined) return left === null ? null : "no amount";
  if (left === null) return "not held";
  return amountCents <= left ? null : "amount too high";
}

/** The same of a part that a side offers: all that is left is a full refund. */
export function partialRefundRefusal(
  amountCents: number | undefined,
  left: number | null,
): AmountRefusal | null {
  return amountRefusal(amountCents, left) ?? (left !== null && amountCents === left ? "not a part" : null);
}

type AmountRefusal = "no amount" | "not held" | "amount too high" | "not a part";

/** Those that are about what was typed, by the field. */
export const isAmountRefusal = (refusal: ProblemRefusal): refusal is AmountRefusal =>
  refusal === "no amount" ||
  refusal === "not held" ||
  refusal === "amount too high" ||
  refusal === "not a part";

/** Why a problem is not opened, answered or decided. */
export const problemRefusals = {
  "problem open": "You’ve already reported a problem that’s still open. Settle that one first.",
  cancelled: "This order has been cancelled.",
  "too late": `It’s too late. You can report a problem for ${market.warranty.total} after you got the device, and a missing refund or device for ${problemDays.refund} days after the order ended.`,
  "refused before": `${brand.name} already decided this, so you can’t report it again.`,
  "too many": `We’ve decided ${maxProblemsInVain} times that there was no problem with this order, so you can’t report another one here.`,
  "no returns": "You can’t return this device just because you’ve changed your mind, or not any more.",
  confirmed: "You’ve marked this device as received.",
  "device back": "You’ve got this device back: you said so, or listed it again.",
  "order changed": "The order has changed since. Check what’s new, then report the problem again.",
  "not yet": "You can choose this once the device has been handed over.",
  "not paid yet": "You can report a problem once it’s paid.",
  protected: `This order was paid through ${brand.name}, which pays it back if it’s due.`,
  "not open": "This problem is closed.",
  "decided already": "Someone has already decided this. It takes effect in a few minutes.",
  changed: "Something has changed since. Check what’s new, then answer again.",
  "not now": "It’s not your turn, or this isn’t possible right now.",
  "no offer": "Choose what you offer.",
  "no amount": "Type how much is paid back.",
  "amount too high": "That’s more than what’s left of the payment.",
  "not a part": "That’s all that’s left. Choose Full refund.",
  "not held": terms.notHeld,
  "too many messages": messageRefusalTexts["too many messages"],
};
export type ProblemRefusal = keyof typeof problemRefusals;

/**
 * How the money of a protected order is split once a problem with it was decided or agreed on; null before that, without
 * protected payment, and if that changes nothing of the order.
 */
export function moneySplitOf(
  { kind, state, lastKind }: { kind: ProblemKind; state: ProblemState; lastKind: ProblemStepKind },
  stage: OrderStage,
  { paidCents, refundable, feeCents, returnedInDispute }: MoneyOfOrder,
) {
  if (paidCents === null || refundable === null) return null;
  if (lastKind !== "decided" && lastKind !== "accepted") return null;
  if (state !== "returned" && state !== "solved" && state !== "refused") return null;
  // Who has no device to give back need not wait for the money.
  const isReturnRefused = kind === "not returned" && state === "refused";
  if (isDecidedByBank(kind) || (isAfterEnd(problemScope(kind, stage)) && !isReturnRefused)) return null;
  const toBuyerCents = state === "returned" || isReturnRefused ? paidCents : paidCents - refundable;
  const isDisputed = returnedInDispute !== null;
  const waitsForBank = isDisputed && returnedInDispute < toBuyerCents;
  return { paidCents, toBuyerCents, hasFee: (feeCents ?? 0) > 0, isDisputed, waitsForBank };
}

/** In cents; null if the order is not protected. */
export interface MoneyOfOrder {
  paidCents: number | null;
  /** What can still be paid back while the order goes on. */
  refundable: number | null;
  feeCents: number | null;
  /** What the buyer has got back, if their bank disputes the payment; null if it does not. */
  returnedInDispute: number | null;
}
