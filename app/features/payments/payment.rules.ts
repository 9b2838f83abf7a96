import type { OrderStage, PaymentCause, PaymentTaskKind, ProblemKind } from "#app/db/enums.ts";
import { paymentTerms, undoMs } from "#app/terms.ts";
import { dayMs } from "#app/time.ts";

/** Sums of an order’s ledger, in cents. */
export interface LedgerSums {
  charged: number;
  released: number;
  refunded: number;
  takenBack: number;
  /** Given back as far as a refund needs it. */
  fee: number;
}

/** What is neither with the seller nor with the buyer, nor kept as a fee. */
export const heldCents = ({ charged, released, refunded, takenBack, fee }: LedgerSums) =>
  charged - released - refunded - fee + takenBack;

/** All that decides about the money of a protected order. Times in milliseconds. */
export interface MoneyFacts extends LedgerSums {
  amountCents: number;
  feeCents: number;
  /** What is paid back if the order goes on, and whether staff has decided that. */
  refundCents: number;
  isRefundByStaff: boolean;
  status: "active" | "cancelled";
  stage: OrderStage;
  paidAt: number | null;
  approvedAt: number | null;
  receivedAt: number | null;
  /** When it was cancelled, or ended by a problem. */
  endedAt: number | null;
  /** What the problem was about that ended it; null if none did. */
  endingProblem: ProblemKind | null;
  hasOpenProblem: boolean;
  /** When the last problem ended that did not end the order. */
  problemSettledAt: number | null;
  /** Whether the seller has the device back since the order ended: they say so, or have listed it again. */
  isDeviceBack: boolean;
  /** When it was settled that the buyer gives the device back after all, and when that there is none to give back. */
  returnSettledAt: number | null;
  returnRefusedAt: number | null;
  isSellerSuspended: boolean;
  /** Whether the provider can pay the seller. */
  isPayoutReady: boolean;
  /** Whether the buyer’s bank disputes the payment: nothing moves until that has ended. */
  isDisputed: boolean;
  /** Whether a task waits to be sent. */
  hasTask: boolean;
}

export interface MoneyDue {
  kind: PaymentTaskKind;
  amountCents: number;
  cause: PaymentCause;
}

/** What is to be done with the money of an order now; null if nothing is. */
export function moneyDue(facts: MoneyFacts, now: number): MoneyDue | null {
  if (facts.hasTask || facts.isDisputed || facts.charged === 0) return null;
  const lost = Math.min(-heldCents(facts), facts.released - facts.takenBack);
  if (lost > 0) return { kind: "take back", amountCents: lost, cause: lossCause(facts) };
  if (facts.status === "cancelled") return refundDue(facts, now);
  return toRefundCents(facts) > 0 ? partDue(facts) : releaseDue(facts, now);
}

/** What staff can have paid to a seller who is suspended: what they would be paid now if they were not. */
export function releaseByStaff(facts: MoneyFacts, now: number): MoneyDue | null {
  const due = moneyDue({ ...facts, isSellerSuspended: false }, now);
  return facts.isSellerSuspended && due?.kind === "release" ? { ...due, cause: "staff" } : null;
}

/** Whether a task that waits to be sent is what is due now. */
export function isStillDue({ kind, amountCents, cause }: MoneyDue, facts: MoneyFacts, now: number): boolean {
  const isSellerSuspended = facts.isSellerSuspended && cause !== "staff";
  const due = moneyDue({ ...facts, isSellerSuspended, hasTask: false }, now);
  return due?.kind === kind && due.amountCents === amountCents;
}

/** Why the buyer has got back what the seller still has. */
function lossCause(facts: MoneyFacts): PaymentCause {
  if (facts.status === "cancelled")
    return facts.endingProblem === "bank dispute" ? "dispute" : refundCause(facts);
  if (facts.refunded > facts.refundCents) return "dispute";
  return facts.isRefundByStaff ? "staff" : "problem";
}

/** What the buyer still gets back: all once the order has ended, else the part that was agreed on or decided. */
export function toRefundCents({ status, charged, refunded, refundCents }: MoneyFacts): number {
  return (status === "cancelled" ? charged : Math.min(charged, Math.max(refundCents, refunded))) - refunded;
}

/** A part goes back before the seller is paid, whatever problem is open; what is no longer held is taken back first. */
function partDue(facts: MoneyFacts): MoneyDue | null {
  const amountCents = toRefundCents(facts);
  const cause = facts.isRefundByStaff ? "staff" : "problem";
  const lacking = Math.min(amountCents - heldCents(facts), facts.released - facts.takenBack);
  if (lacking > 0) return { kind: "take back", amountCents: lacking, cause };
  return { kind: "refund", amountCents, cause };
}

/**
 * What the market gets of a movement: of a release what is then held, and less than nothing if what goes back needs its
 * fee, or if the seller has not got what a bank has taken.
 */
export function feeOfMove(kind: PaymentTaskKind, amountCents: number, sums: LedgerSums): number {
  const held = heldCents(sums);
  const withSeller = sums.released - sums.takenBack;
  if (kind === "take back") return Math.min(0, held + withSeller);
  // What the seller still has of it can be taken back.
  const left = held - amountCents;
  return kind === "release" ? Math.max(0, left) : Math.min(0, left + withSeller);
}

/** What the seller gets. */
export function sellerShareCents({
  amountCents,
  refundCents,
  refunded,
  feeCents,
}: Pick<MoneyFacts, "amountCents" | "refundCents" | "refunded" | "feeCents">): number {
  // A bank may have taken more than what was agreed on.
  const left = amountCents - Math.max(refundCents, refunded);
  return left <= 0 ? 0 : Math.max(1, left - feeCents);
}

/** The buyer gets back all that they have paid. */
function refundDue(facts: MoneyFacts, now: number): MoneyDue | null {
  const amountCents = toRefundCents(facts);
  const cause = refundCause(facts);
  if (amountCents <= 0 || now < refundTime(facts, cause)) return null;
  const withSeller = facts.released - facts.takenBack;
  if (withSeller > 0) return { kind: "take back", amountCents: withSeller, cause };
  return { kind: "refund", amountCents, cause };
}

function refundCause(facts: MoneyFacts): PaymentCause {
  if (wasPaidTooLate(facts)) return "paid too late";
  return facts.endingProblem ? "problem" : "cancelled";
}

/** Whether the order had ended before it was paid. */
export function wasPaidTooLate({ endedAt, paidAt }: Pick<MoneyFacts, "endedAt" | "paidAt">): boolean {
  return paidAt !== null && endedAt !== null && paidAt >= endedAt;
}

/** When the buyer is paid back. */
export function refundTime(facts: MoneyFacts, cause = refundCause(facts)): number {
  const { endedAt, hasOpenProblem, returnSettledAt, returnRefusedAt } = facts;
  if (endedAt === null || facts.isDisputed) return Number.POSITIVE_INFINITY;
  if (cause === "paid too late") return endedAt;
  if (cause === "cancelled") return endedAt + undoMs;
  if (!waitsForDevice(facts)) return endedAt;
  // The seller says that the device has not come back.
  if (hasOpenProblem) return Number.POSITIVE_INFINITY;
  if (returnRefusedAt !== null) return returnRefusedAt;
  return Math.max(endedAt, returnSettledAt ?? 0) + paymentTerms.returnDays * dayMs;
}

/**
 * Whether the buyer is paid back once the seller has the device, or the time for that is over. What was not handed over, or
 * has not arrived, does not come back.
 */
export function waitsForDevice(facts: MoneyFacts): boolean {
  return followsReturn(facts) && !facts.isDeviceBack;
}

/** Whether the device comes back before the buyer is paid back, who then doesn’t know the time yet when the order ends. */
export function followsReturn({ stage, endingProblem }: MoneyFacts): boolean {
  return endingProblem !== null && endingProblem !== "not arrived" && stage !== "reserved";
}

/** The seller gets what is held, without the fee, and never nothing. */
function releaseDue(facts: MoneyFacts, now: number): MoneyDue | null {
  const held = heldCents(facts);
  const time = releaseTime(facts);
  if (held <= 0 || time === null || now < time.at || !facts.isPayoutReady) return null;
  const fee = Math.min(facts.feeCents - facts.fee, held - 1);
  return { kind: "release", amountCents: held - fee, cause: time.cause };
}

/** Whether nothing is released to the seller now. In SQL the condition of the same name says it, and a test compares both. */
export const isHeldBack = ({ hasOpenProblem, isSellerSuspended, isDisputed }: MoneyFacts) =>
  hasOpenProblem || isSellerSuspended || isDisputed;

/** When the seller is paid, and why then; null as long as that is open. */
export function releaseTime(facts: MoneyFacts): { at: number; cause: PaymentCause } | null {
  const { stage, receivedAt, approvedAt, problemSettledAt } = facts;
  if (stage !== "received" || receivedAt === null || isHeldBack(facts)) return null;
  const times: { at: number; cause: PaymentCause }[] = [
    { at: receivedAt + paymentTerms.releaseDays * dayMs, cause: "received" },
  ];
  if (approvedAt !== null) times.push({ at: approvedAt + undoMs, cause: "approved" });
  if (problemSettledAt !== null && problemSettledAt >= receivedAt)
    times.push({ at: Math.max(problemSettledAt, receivedAt + undoMs), cause: "problem" });
  return times.reduce((first, other) => (other.at < first.at ? other : first));
}

/** What people see of the money of an order. */
export type MoneyState =
  | "to pay"
  | "not paid"
  | "held"
  | "on hold"
  | "disputed"
  | "to be released"
  | "released"
  | "to be refunded"
  | "refunded"
  | "partly refunded";

/** Why the seller is not paid what is on hold. A suspension comes first: a problem may end before it. */
export type HoldReason = "suspension" | "problem";

/** In SQL the condition `isHeldBySuspension` says the same, and a test compares both. */
export function holdReason(facts: MoneyFacts): HoldReason | null {
  if (moneyState(facts) !== "on hold") return null;
  return facts.isSellerSuspended ? "suspension" : "problem";
}

export function moneyState(facts: MoneyFacts): MoneyState {
  if (facts.charged === 0) return facts.status === "active" ? "to pay" : "not paid";
  if (facts.isDisputed) return "disputed";
  if (facts.refunded >= facts.charged) return "refunded";
  if (facts.status === "cancelled") return "to be refunded";
  if (toRefundCents(facts) > 0) return "to be refunded";
  if (heldCents(facts) <= 0) return facts.refunded > 0 ? "partly refunded" : "released";
  if (isHeldBack(facts)) return "on hold";
  return facts.stage === "received" ? "to be released" : "held";
}
