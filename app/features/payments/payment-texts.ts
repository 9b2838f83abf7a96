import { brand } from "#app/brand.ts";
import type { PaymentTaskKind } from "#app/db/enums.ts";
import { daysLabel } from "#app/market.ts";
import { paymentTerms, rebookingHours, terms } from "#app/terms.ts";
import { priceLabel } from "../listings/money.rules.ts";
import type { HoldReason, MoneyState } from "./payment.rules.ts";
import type { PaymentPromise } from "./provider.ts";

/** The payment of a protected order, as its sides see it. Times in ISO 8601. */
interface ShownPayment {
  state: MoneyState;
  /** What the seller gets. */
  sellerShareCents: number;
  /** What the buyer still gets back, and what they have got back. */
  toRefundCents: number;
  refundedCents: number;
  /** How much of that the buyer’s bank has paid, which took it back. */
  refundedByBankCents: number;
  owedCents: number;
  wasPaidTooLate: boolean;
  payBy: string;
  /** False once the time to pay is over: the next jobs cancel the order. */
  canBePaid: boolean;
  /** When the seller is paid, or the buyer paid back; null as long as that is open. */
  movesAt: string | null;
  /** Whether that time has come. */
  isMoving: boolean;
  /** Whether the buyer is paid back once the seller has the device. */
  waitsForDevice: boolean;
  /** Why staff has paid back a part or all of it; null unless they have. */
  refundReason: string | null;
  isPayoutReady: boolean;
  holdReason: HoldReason | null;
  /** Null if they are not, or for good. */
  suspendedUntil: string | null;
  /** Whether the provider does not carry out what is to be moved. */
  isFailing: boolean;
}

type Role = "buyer" | "seller" | "administrator";

/** Before a buyer opens the booking. */
export function listingPaymentText(promise: PaymentPromise): string {
  if (typeof promise === "string") return unprotectedText(promise);
  return [terms.protectedPayment, ...returnLines(promise.returnDays)].join(" ");
}

/** What the booking says about the payment. */
export function bookingPayment(promise: PaymentPromise) {
  if (typeof promise === "string")
    return { isProtected: false, paymentLines: [`${unprotectedText(promise)} ${terms.claim}`] };
  return { isProtected: true, paymentLines: [...protectionLines, ...returnLines(promise.returnDays)] };
}

const unprotectedText = (promise: PaymentPromise & string) =>
  unprotectedPaymentText(terms.payment.buyer, promise === "unprotected");

/** How an order is paid that is not protected. @param hasProvider whether others are, so that it has to be said */
export const unprotectedPaymentText = (text: string, hasProvider: boolean) =>
  hasProvider ? `This payment isn’t protected. ${text}` : text;

const returnLines = (days: number) => (days > 0 ? [terms.returns(days)] : []);

/** What protection means, in three lines. */
const protectionLines = [
  `You pay now. ${brand.name} holds the money, not the seller.`,
  `The seller is paid ${daysLabel(paymentTerms.releaseDays)} after you have the device. Something’s wrong? Report it, and the money stays on hold.`,
  `Cancel before the handover, or get no device, and you get all of it back.`,
];

/** What a buyer has to do about an order that waits for its payment. */
export const payByText = (time: string) =>
  `Pay by ${time}. If you don’t, we cancel the order. You won’t owe anything. You can book it again after ${rebookingHours} hours.`;

/** Who pays whom, and when, if the order is protected. */
export const protectedPaymentTerms = {
  buyer: `You pay on ${brand.name}, which holds the money until you have the device.`,
  seller: `The buyer has paid ${brand.name}, which pays you after they have the device.`,
};

/** What the sides read while the provider does not carry out what is to be moved. */
export const delayText = "It’s delayed at our payment partner. We keep trying.";

/** What everybody reads while the buyer’s bank disputes a payment, wherever that is said. */
export const disputedPaymentText = (isBuyer: boolean) =>
  `${isBuyer ? "Your" : "The buyer’s"} bank is looking at this payment. Until it decides, nothing is paid out or back.`;

/** What becomes of the money of a protected order. */
export function protectedPaymentText(
  role: Role,
  payment: ShownPayment,
  label: { timeLabel(isoTime: string): string; recentLabel(isoTime: string): string },
): string {
  const { state, payBy, movesAt, isMoving, isPayoutReady, holdReason } = payment;
  const back = priceLabel(payment.toRefundCents);
  const share = priceLabel(payment.sellerShareCents);
  const refunded = priceLabel(payment.refundedCents);
  const byBank = payment.refundedByBankCents;
  const hasGoneBack =
    role !== "buyer"
      ? `The buyer has got ${refunded} back`
      : byBank >= payment.refundedCents
        ? `Your bank has paid you back ${refunded}`
        : `${byBank > 0 ? "You’ve got" : "We’ve paid you"} back ${refunded}`;
  const paid = payment.refundedCents > 0 ? `${hasGoneBack}.` : "Paid.";
  const owed =
    role === "seller" && payment.owedCents > 0
      ? ` We take ${priceLabel(payment.owedCents)} back from your Stripe account.`
      : "";
  const time = movesAt && label.recentLabel(movesAt);
  // The next run of the jobs moves it.
  const when = time ? ` soon after ${time}` : "";
  const delay = payment.isFailing ? ` ${delayText}` : "";
  const { suspendedUntil } = payment;
  // Without an end, the buyer’s order is cancelled soon.
  const end =
    role === "buyer" && !suspendedUntil ? "" : ` ${suspensionEnd(suspendedUntil, label.recentLabel)}`;
  const held = `${brand.name} holds the ${payment.refundedCents > 0 ? "rest" : "money"}`;
  switch (state) {
    case "to pay": {
      if (!payment.canBePaid)
        return role === "buyer"
          ? "The time to pay is over, so we’ll cancel this order soon. You don’t owe anything."
          : `${role === "seller" ? "Don’t hand it over: the" : "The"} buyer hasn’t paid in time, so we’ll cancel this order soon.`;
      const end = label.timeLabel(payBy);
      if (role === "buyer") return payByText(end);
      return `The buyer has until ${end} to pay. ${role === "seller" ? "Don’t hand it over before that: we’ll tell you once it’s paid." : "After that, the order is cancelled."}`;
    }
    case "not paid":
      return "It wasn’t paid, so nobody owes anything.";
    case "held":
      if (role === "seller")
        return `${payment.refundedCents > 0 ? paid : "The buyer has paid."} ${held}, and pays you ${share} after they have the device.`;
      return `${paid} ${held} until ${role === "buyer" ? "you have" : "the buyer has"} the device.`;
    case "on hold":
      return `${paid} ${held} ${holdReason === "suspension" ? `while ${role === "seller" ? "your" : "the seller’s"} account is suspended${end}` : "until the problem is settled"}.`;
    case "disputed":
      return `${disputedPaymentText(role === "buyer")}${payment.toRefundCents > 0 ? ` After that, ${role === "buyer" ? "you get" : "the buyer gets"} ${back} back.` : ""}`;
    case "to be released":
      if (role !== "seller")
        return `${paid} ${isMoving && isPayoutReady ? "We’re paying the seller" : `${held}, and pays the seller${isMoving ? "" : when}`}.${delay}`;
      if (!isPayoutReady) return `${held}. We can pay you ${share} once your payouts are set up.`;
      return isMoving ? `We’re paying you ${share}.${delay}` : `${held}, and pays you ${share}${when}.`;
    case "released":
      return role === "seller" ? `We’ve paid you ${share}.` : "Paid. The seller has the money.";
    case "to be refunded":
      if (isMoving) return `We’re paying ${role === "buyer" ? "you" : "the buyer"} back ${back}.${delay}`;
      return `${role === "buyer" ? "You get" : "The buyer gets"} ${back} back${payment.waitsForDevice ? ` once ${role === "seller" ? "you have" : "the seller has"} the device, ${time ? `at the latest by ${time}` : "or that’s settled"}` : when}.`;
    case "refunded":
      return `${hasGoneBack}.${owed}`;
    case "partly refunded":
      return role === "seller"
        ? `${hasGoneBack}, and we’ve paid you ${share}.${owed}`
        : `${hasGoneBack}. The seller has the rest.`;
  }
}

/** Until when the buyer can give the device back for no reason. */
export function returnText(role: Role, day: string): string {
  return role === "buyer"
    ? `Changed your mind? You can give it back until ${day}: report a problem.`
    : `The buyer can change their mind, and give it back, until ${day}.`;
}

/** What has happened to an unpaid order, instead of what is said of others; null if that holds for it, too. */
export function unpaidStatusText(
  role: Role,
  { state, canBePaid, wasPaidTooLate }: ShownPayment,
  isBySystem: boolean,
): string | null {
  if (state === "to pay" && !canBePaid) return "Reserved.";
  if (state === "to pay")
    return role === "buyer" ? "Reserved for you, but not paid yet." : "Reserved. Next, the buyer pays.";
  if (!isBySystem || (state !== "not paid" && !wasPaidTooLate)) return null;
  return role === "buyer"
    ? "We cancelled this order because it wasn’t paid in time."
    : `This order was cancelled because the buyer didn’t pay in time. It doesn’t count in ${role === "seller" ? "your" : "the seller’s"} record.`;
}

/**
 * Whether nothing is left to pay for of an order that goes on: its buyer has got all of it back, or gets it. Not among the
 * rules, which are loaded on demand.
 *
 * @param refundableCents what can still be paid back; null if it is not protected, or not paid
 */
export const isFullyRefunded = (refundableCents: number | null) =>
  refundableCents !== null && refundableCents <= 0;

/** The short name of a state, for lists and the block *Payment*. */
export const moneyStateLabels: Record<MoneyState, string> = {
  "to pay": "To pay",
  "not paid": "Not paid",
  held: "Held",
  "on hold": "On hold",
  disputed: "Disputed by the bank",
  "to be released": "Held",
  released: "Paid to the seller",
  "to be refunded": "To be paid back",
  refunded: "Paid back",
  "partly refunded": "Partly paid back",
};

/** How long a seller is suspended, after “suspended”. @param until an ISO time; null if for good */
export const suspensionEnd = (until: string | null, label: (isoTime: string) => string) =>
  until ? `until ${label(until)}` : "for good";

/** The state of a payment for staff, and why it is on hold. */
export function stateWithReason(
  { state, holdReason, suspendedUntil }: HeldPayment & { suspendedUntil: string | null },
  dayLabel: (isoTime: string) => string,
): string {
  if (holdReason === "suspension")
    return `On hold: the seller is suspended ${suspensionEnd(suspendedUntil, dayLabel)}`;
  return holdReason === "problem" ? "On hold: a problem is open" : moneyStateLabels[state];
}

interface HeldPayment {
  state: MoneyState;
  holdReason: HoldReason | null;
}

/** What the provider does not carry out. */
export interface PaymentFailure {
  /** The provider’s, nothing about a person. */
  code: string;
  kind: PaymentTaskKind;
  /** When it is sent again, in milliseconds. */
  nextAt: number;
}

const failingLabels: Record<PaymentTaskKind, string> = {
  release: "Payment to the seller failed",
  refund: "Refund failed",
  "take back": "Taking back from the seller failed",
};

/** The same in the table of staff, or what fails. During a dispute nothing is sent. */
export function listedStateText(
  { failure, ...payment }: HeldPayment & { failure: PaymentFailure | null; suspendedUntil: string | null },
  { dayLabel, dateTimeLabel }: Record<"dayLabel" | "dateTimeLabel", (isoTime: string) => string>,
): string {
  if (!failure || payment.state === "disputed") return stateWithReason(payment, dayLabel);
  const { code, kind, nextAt } = failure;
  return `${failingLabels[kind]} (${code}), next try ${dateTimeLabel(new Date(nextAt).toISOString())}`;
}
