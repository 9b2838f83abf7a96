import type { OrderSide, OrderStage, OrderStepKind } from "#app/db/enums.ts";
import { daysLabel } from "#app/market.ts";
import { findParcelService, otherService, parcelServiceNames } from "#app/parcel-services.ts";
import { orderDeadlines, paymentTerms, problemDays, rebookingHours, terms, undoMinutes } from "#app/terms.ts";
import { priceLabel } from "../listings/money.rules.ts";
import type { OrderRole, OrderState, Parcel, ProblemEnd } from "./order.rules.ts";

/** Why a step of an order is refused. */
export const orderRefusals = {
  "not found": "We can’t find this order.",
  // Nobody reads it: a repeated step counts as done, a cancelled order as gone.
  "done before": "You’ve already cancelled this order.",
  cancelled: "This order has been cancelled.",
  "problem open": "There’s an open problem with this order, so it’s on hold until that’s settled.",
  received: "This order is complete: the device has arrived.",
  "handed over before": "You’ve already handed it over.",
  "not handed over": "The seller hasn’t handed it over yet.",
  "not paid yet": "It hasn’t been paid yet.",
  "not protected": "You pay the seller directly for this order.",
  "already paid out": "The money is on its way already.",
  "all paid back": "You get all of it back, so there’s nothing to pay.",
  "seller suspended": "The seller’s account is suspended, so nothing is paid for now.",
  "order changed": "The order has changed in the meantime. Check what’s new, then try again.",
  "other terms":
    "There’s an open problem about other terms, so you can’t hand it over yet. Settle that one first.",
  disputed: "The buyer’s bank disputes the payment, so don’t hand it over before the bank has decided.",
  "too late to cancel":
    "It’s been handed over, so you can’t cancel the order anymore. If something’s wrong, report a problem.",
  "reason required":
    "It’s been handed over, so it takes a reason to cancel it, which both sides read. Open the order to give one.",
  "too late to change delivery":
    "It’s been handed over, so you can’t change the address and phone number anymore.",
  extended: "This order already got more time, and it gets more only once.",
  "no more time": "You can’t give more time right now.",
  "nothing to give back": "There’s no refund that waits for the device.",
  "nothing to allow": "The buyer can already book it, or can’t book it at all right now.",
  "not yours": "Only the other person on this order can do that.",
  "buyer left": "The buyer has left, so don’t hand it over.",
  // It does not reveal a suspension.
  "on hold": "This order is on hold right now, so don’t hand it over. Look again in a few minutes.",
  "side left": "The seller has left, so you can’t undo this anymore.",
  "nothing to undo": "There’s nothing to undo.",
  "too late to undo": `You can undo this for ${undoMinutes} minutes, and they’re over.`,
  "undone before": "You’ve already undone this once with this order, and that’s the limit.",
  reviewed: "There’s a review already, so you can’t undo this anymore.",
  "problem since": "A problem has been reported since, so you can’t undo this anymore.",
  "no parcel service": "Choose who delivers it",
  "handover changed":
    "The handover has been changed in the meantime. Check what’s saved now, and change it again if it’s wrong.",
};

export type OrderRefusal = keyof typeof orderRefusals;

/** The state of an order as its page and tables tell it. */
interface ToldState extends OrderState {
  /** Whether the buyer gets money back from Ringback if it ends; by default it does not hold any. */
  isRefundable?: boolean;
  hasProblem: boolean;
  /** Whether a problem has ended it. */
  hasEndingProblem: boolean;
  /** Whether, after its end, the money or the device may still have to be given back. */
  isRefundDue: boolean;
  isReturnDue: boolean;
  /** Whether an open problem keeps the seller from handing it over; by default none does. */
  isHandoverBarred?: boolean;
  /** Whether the seller’s account is suspended; by default it is not. */
  isSellerSuspended?: boolean;
  /** Whether the buyer’s account is suspended, which ends what is only reserved; by default it is not. */
  isBuyerSuspended?: boolean;
  /** Whether a cancellation before the handover lists its device again, or has; by default it does. */
  goesBackOnSale?: boolean;
  /** Whether a block keeps the two from messaging each other; by default none does. */
  hasBlock?: boolean;
  /** Whether the viewer’s own suspension does. */
  isViewerSuspended?: boolean;
  /** The side that has left; by default none. */
  gone?: OrderSide | null;
  /** How its newest problem ended, where that is shown beside it. */
  problemEnd?: ProblemEnd | null;
  /** Whether the viewer can report a problem; by default they can. */
  canReport?: boolean;
}

/** A parcel in a sentence: "UPS 1Z999AA10123456784". */
export function parcelText({ parcelService, trackingNumber }: Parcel) {
  if (parcelService === otherService)
    return `another parcel service${trackingNumber ? ` (${trackingNumber})` : ""}`;
  return trackingNumber ? `${parcelService} ${trackingNumber}` : parcelService;
}

/** Where the parcel service says where it is; null if that isn't known. */
export function trackingPage({ parcelService, trackingNumber }: Parcel): string | null {
  const url = findParcelService(parcelService)?.trackingUrl;
  return url && trackingNumber ? url + trackingNumber.replaceAll(" ", "") : null;
}

/** Asks about a tracking number that has the form of another service’s; null if it may be right. */
export function trackingQuestion({ parcelService, trackingNumber }: Parcel): string | null {
  const number = (trackingNumber ?? "").replaceAll(/[ -]/g, "").toUpperCase();
  const chosen = findParcelService(parcelService);
  if (!chosen || chosen.ownFormat.test(number) || chosen.sharedFormat.test(number)) return null;
  const likely = parcelServiceNames.filter((name) => findParcelService(name)?.ownFormat.test(number));
  return likely.length === 1
    ? `This looks like a ${likely[0]} number. Choose ${likely[0]}, or submit again to keep ${parcelService}.`
    : null;
}

interface MissingAddress {
  /** What stands for it. */
  label: string;
  seller: string;
  /** For who can still add one: before the link, and after it; null if there is nothing to add. */
  buyer: { before: string; after: string } | null;
}

const maybePickedUp = "Pick-up, unless you agree otherwise";

const missingAddresses: Record<"in person" | "either" | "shipped" | "unknown", MissingAddress> = {
  "in person": { label: "Pick-up", seller: "Pick-up. Agree in Messages on where to meet.", buyer: null },
  // Who books by REST may have left it out.
  either: {
    label: maybePickedUp,
    seller: `${maybePickedUp} in Messages.`,
    buyer: { before: `${maybePickedUp}. `, after: "if you want it shipped." },
  },
  shipped: {
    label: "Not given",
    seller: "The buyer hasn’t given an address yet. Ask for it in Messages.",
    buyer: { before: "", after: "so the seller can ship it." },
  },
  unknown: {
    label: "Not given",
    seller: "The buyer hasn’t given an address: they may pick it up.",
    buyer: { before: "", after: "if you want it shipped." },
  },
};

/** What is said of an order without an address. @param way how the listing says the buyer gets it, if it does */
export function missingAddress(way: string | null): MissingAddress {
  return missingAddresses[way === "in person" || way === "either" || way === "shipped" ? way : "unknown"];
}

const stepLabels: Record<OrderStepKind, string> = {
  reserved: "Reserved",
  "handed over": "Handed over",
  received: "Received",
  "handover undone": "Handover undone",
  "receipt undone": "Receipt undone",
  extended: "Deadline extended",
  "delivery changed": "Delivery details saved",
  cancelled: "Cancelled",
  reinstated: "Cancellation undone",
  "rebooking allowed": "Rebooking allowed",
  // A device that was never handed over does not come back.
  returned: "Order ended",
  "given back": "Device back",
  "listed again": "Listed again",
  "payout decided": "Payment to the seller decided",
};

/**
 * @param isShipped whether a parcel service has the device, or had it
 * @param isBySystem whether Ringback did it, which undoes no cancellation
 */
export function stepLabel(kind: OrderStepKind, isShipped = false, isBySystem = false): string {
  if (kind === "reinstated" && isBySystem) return "Back on: the bank gave the money back";
  return kind === "handed over" && isShipped ? "Shipped" : stepLabels[kind];
}

/** “Warranty ends” or “Warranty ended”, to go before the date. @param end an ISO time */
export function warrantyTerm(end: string): string {
  return Date.parse(end) > Date.now() ? "Warranty ends" : "Warranty ended";
}

const statusTexts: Record<OrderRole, Record<OrderStage, string>> = {
  buyer: {
    reserved: "Reserved for you.",
    "handed over": "Handed over! Once you have it, mark it as received here.",
    received: "All done. Enjoy it!",
  },
  seller: {
    reserved: "Reserved. Hand it over or ship it, then mark it as handed over here.",
    "handed over": "You’ve handed it over.",
    received: "Sold! The buyer has it.",
  },
  administrator: {
    reserved: "Reserved. Next, the seller hands it over.",
    "handed over": "The seller has handed it over.",
    received: "The buyer has it. The device is sold.",
  },
};

/** What Ringback did because a deadline passed. */
const missedTexts: Record<OrderRole, { reserved: string; received: string }> = {
  buyer: {
    reserved: "We cancelled this order because the seller didn’t hand it over in time.",
    received: "We marked it as received because the time to confirm was over.",
  },
  seller: {
    reserved: "We cancelled this order because you didn’t hand it over in time.",
    received: "Sold! We marked it as received because the time to confirm was over.",
  },
  administrator: {
    reserved: "This order was cancelled because the seller didn’t hand it over in time.",
    received: "It counts as received because the time to confirm was over. The device is sold.",
  },
};

/** What Ringback did because a side had left. */
const abandonedTexts: Record<OrderRole, (gone: OrderSide) => string> = {
  buyer: (gone) => `We cancelled this order because the ${gone} has left.`,
  seller: (gone) => `We cancelled this order because the ${gone} has left.`,
  administrator: (gone) => `This order was cancelled because the ${gone} has left.`,
};

/** What Ringback did because a side was suspended. */
const suspendedTexts: Record<OrderSide, Record<OrderRole, string>> = {
  seller: {
    buyer: "We cancelled this order because the seller’s account is suspended.",
    seller: "We cancelled this order because your account is suspended.",
    administrator: "This order was cancelled because the seller is suspended.",
  },
  buyer: {
    buyer: "We cancelled this order because your account was suspended.",
    seller: "We cancelled this order because the buyer can’t go on.",
    administrator: "This order was cancelled because the buyer was suspended.",
  },
};

/**
 * What became of the device, and of the seller’s record, after Ringback cancelled an order.
 *
 * @param isExplained whether what is said before tells why the record does not show it
 */
function afterCancelling(isMissed: boolean, isExplained: boolean, goesBackOnSale: boolean): string {
  if (!isMissed && !isExplained) {
    const record = "You couldn’t reach the buyer, so your record doesn’t show it.";
    return goesBackOnSale ? `Your device went back on sale. ${record}` : record;
  }
  const record = `record ${isMissed ? "shows" : "doesn’t show"} it.`;
  return goesBackOnSale ? `Your device went back on sale, and your ${record}` : `Your ${record}`;
}

const shippedTexts: Record<OrderRole, (parcel: string) => string> = {
  buyer: (parcel) => `It’s on its way with ${parcel}. Once you have it, mark it as received here.`,
  seller: (parcel) => `You’ve shipped it with ${parcel}.`,
  administrator: (parcel) => `The seller has shipped it with ${parcel}.`,
};

/** What has happened to an order, for the viewer's role. */
export function orderStatusText(
  role: OrderRole,
  {
    status,
    stage,
    hasProblem,
    hasEndingProblem,
    isBySystem,
    isAbandoned = false,
    isOnHold = false,
    isEarly = false,
    isMissed = true,
    isMoneyHeld = false,
    goesBackOnSale = true,
    parcel,
    gone = null,
    problemEnd,
  }: Omit<ToldState, "isRefundDue" | "isReturnDue"> & {
    isBySystem: boolean;
    /** Whether a side had left before its end. */
    isAbandoned?: boolean;
    /** Whether it was on hold at its end. */
    isOnHold?: boolean;
    /** Whether it was cancelled before its deadline. */
    isEarly?: boolean;
    /** Whether the seller’s record shows it. */
    isMissed?: boolean;
    /** Whether the seller is still to be paid, or the buyer paid back. */
    isMoneyHeld?: boolean;
    parcel: Parcel | null;
  },
): string {
  if (status === "cancelled" && hasEndingProblem) return "This order ended because of a problem.";
  if (status === "cancelled") {
    if (!isBySystem) return orderRefusals.cancelled;
    const hasLeft = isAbandoned && gone !== null;
    if (isOnHold && !hasLeft) return suspendedTexts.seller[role];
    const text = hasLeft
      ? abandonedTexts[role](gone)
      : isEarly
        ? suspendedTexts.buyer[role]
        : missedTexts[role].reserved;
    if (role !== "seller") return text;
    const isExplained = hasLeft || isEarly;
    return `${text} ${afterCancelling(isMissed && !isExplained, isExplained, goesBackOnSale)}`;
  }
  if (hasProblem) return "This order has an open problem.";
  if (stage === "received" && isBySystem) return missedTexts[role].received;
  if (stage === "handed over" && parcel) return shippedTexts[role](parcelText(parcel));
  // Who was refused has nothing to enjoy.
  if (stage === "received" && role === "buyer" && problemEnd === "refused") return "Received.";
  if (stage === "received" && role === "buyer" && isMoneyHeld) return "You’ve got it. Enjoy it!";
  return stage === "reserved" && gone ? "Reserved." : statusTexts[role][stage];
}

/**
 * What a buyer does first after a booking.
 *
 * @param seller their name or “the seller”
 * @param isPaid whether Ringback has the money
 */
export function firstStepText(
  seller: string,
  { hasAddress, isPaid }: { hasAddress: boolean; isPaid: boolean },
): string {
  if (hasAddress && isPaid) return `There’s nothing you have to do now: ${seller} has your address.`;
  const open = [hasAddress ? "" : "delivery", isPaid ? "" : "payment"].filter(Boolean).join(" and ");
  return `Message ${seller} to agree on ${open}.`;
}

/** What comes next in an order that is on hold because its seller is suspended. */
const suspendedSteps: Record<
  OrderRole,
  Record<Exclude<OrderStage, "received">, (day: string | null) => string>
> = {
  buyer: {
    reserved: (day) =>
      `We’ve suspended the seller’s account, so your order is on hold. You can wait, or cancel it: that doesn’t count against you.${day ? ` If the suspension hasn’t ended by ${day}, we cancel it.` : ""}`,
    "handed over": () =>
      "We’ve suspended the seller’s account, so your order is on hold. Got the device? Mark it as received. If something’s wrong, report a problem.",
  },
  seller: {
    reserved: (day) =>
      `It’s on hold while your account is suspended, but you can hand it over.${day ? ` If you haven’t by ${day}, we cancel the order.` : ""}`,
    "handed over": () => "It’s on hold while your account is suspended. The buyer can mark it as received.",
  },
  administrator: {
    reserved: (day) =>
      `It’s on hold while the seller is suspended.${day ? ` If the suspension hasn’t ended by ${day}, the order is cancelled.` : ""}`,
    "handed over": () => "It’s on hold while the seller is suspended.",
  },
};

/** What comes next and by when, for the viewer's role; null after the receipt. @param day when the stage ends */
export function nextStepText(role: OrderRole, order: ToldState, day: string | null): string | null {
  const { status, stage, hasProblem, hasEndingProblem, gone = null } = order;
  if (status === "cancelled" && hasProblem) return "Who owes what isn’t settled yet.";
  if (status === "cancelled" && (hasEndingProblem || stage !== "reserved"))
    return givingBackText(role, order);
  if (status === "cancelled") return nothingOwed(role, order);
  if (hasProblem && role === "seller" && stage === "reserved" && !gone)
    return order.isHandoverBarred
      ? "It’s on hold until that’s settled. Don’t hand it over before that."
      : "It’s on hold until that’s settled, but you can hand it over.";
  if (hasProblem) return "It’s on hold until that’s settled.";
  if (order.isBuyerSuspended && !gone && stage === "reserved") return barredSteps[role](order);
  if (order.isSellerSuspended && !gone && stage !== "received") return suspendedSteps[role][stage](day);
  if (stage === "received" || day === null) return null;
  if (gone && stage === "reserved") return `The ${gone} has left, so ${abandonedSteps[role](order)}`;
  if (gone === "buyer" && role !== "buyer") return buyerLeft[role](day);
  return `${gone === "seller" ? "The seller has left. " : ""}${nextSteps[stage][role](day, order)}`;
}

/** What a buyer does after the handover. */
function confirmText({ problemEnd, canReport = true }: ToldState, day: string): string {
  if (problemEnd === "agreed" || problemEnd === "decided") {
    const what = problemEnd === "agreed" ? "you agreed on" : "we decided";
    return `Mark it as received once what ${what} is done. After ${day}, we do that.${canReport ? " If it isn’t done, report it on the order’s page, also later." : ""}`;
  }
  return `Confirm by ${day} that you got it${canReport ? ", or report a problem" : ""}. After that, we mark it as received.`;
}

/** What each side still has to give back after the end of an order. */
function givingBackText(
  role: OrderRole,
  {
    hasEndingProblem,
    isRefundDue,
    isReturnDue,
    gone = null,
    problemEnd,
  }: Pick<ToldState, "hasEndingProblem" | "isRefundDue" | "isReturnDue" | "gone" | "problemEnd">,
): string {
  const due = [...(isRefundDue ? [refundTexts[role]] : []), ...(isReturnDue ? [returnTexts[role]] : [])];
  if (due.length === 0) return "Who owes what is settled.";
  const isOwed = (role === "seller" && isReturnDue) || (role === "buyer" && isRefundDue);
  const left =
    gone && isOwed
      ? ` The ${gone} has left. Report within ${problemDays.refund} days of the end if they still owe you something: we decide, but can’t get it back for you.`
      : "";
  // What both sides agreed on stands below.
  const unless = hasEndingProblem && problemEnd !== "agreed" ? `, ${unlessSettled}` : "";
  return `${due.join(". ")}${unless}.${left}`;
}

const refundTexts: Record<OrderRole, string> = {
  buyer: "The seller pays back whatever you’ve paid",
  seller: "Pay back whatever the buyer has paid",
  administrator: "The seller pays back whatever the buyer has paid",
};

const returnTexts: Record<OrderRole, string> = {
  buyer: "If you have the device, give it back to the seller",
  seller: "If the buyer has the device, they give it back",
  administrator: "If the buyer has the device, they give it back",
};

/** An offer or a decision may say more. */
const unlessSettled = "unless the problem was settled in another way";

const nextSteps: Record<
  keyof typeof orderDeadlines,
  Record<OrderRole, (day: string, order: ToldState) => string>
> = {
  reserved: {
    buyer: (day, { isRefundable }) =>
      `The seller hands it over or ships it by ${day}. ${isRefundable ? terms.notDeliveredButPaid : terms.notDelivered}`,
    seller: (day, { goesBackOnSale = true }) =>
      `You have until ${day}. After that, we cancel the order${goesBackOnSale ? " and your device goes back on sale" : ""}.`,
    administrator: (day) => `The seller has until ${day}. After that, the order is cancelled.`,
  },
  "handed over": {
    buyer: (day, order) => confirmText(order, day),
    seller: (day) =>
      `Next, the buyer marks it as received. They have until ${day}. After that, we mark it as received.`,
    administrator: (day) =>
      `Next, the buyer marks it as received. They have until ${day}. After that, the order counts as received.`,
  },
};

/** What becomes of the money of an order that is cancelled before the handover, or will be. */
function nothingOwed(role: OrderRole, { isRefundable }: ToldState): string {
  if (isRefundable) return role === "buyer" ? "You get your money back." : "The buyer gets their money back.";
  return `${role === "buyer" ? "You don’t" : "The buyer doesn’t"} owe anything.`;
}

/** What comes of a reserved order whose side has left. */
const abandonedSteps: Record<OrderRole, (order: ToldState) => string> = {
  buyer: (order) => `we’ll cancel this order soon. ${nothingOwed("buyer", order)}`,
  seller: ({ goesBackOnSale = true }) =>
    `don’t hand it over: we’ll cancel this order soon${goesBackOnSale ? ", and your device goes back on sale" : ""}. It doesn’t count in your record.`,
  administrator: () => "the order will be cancelled soon.",
};

/** What comes of a reserved order whose buyer is suspended, until that can no longer be undone. */
const barredSteps: Record<OrderRole, (order: ToldState) => string> = {
  buyer: (order) =>
    `Your account is suspended, so we’ll cancel this order soon. ${nothingOwed("buyer", order)}`,
  seller: ({ goesBackOnSale = true }) =>
    `It’s on hold for a few minutes, so don’t hand it over. If it can’t go on, we cancel it${goesBackOnSale ? " and your device goes back on sale" : ""}. It doesn’t count in your record.`,
  administrator: () => "The buyer is suspended, so the order will be cancelled soon.",
};

/** What comes after a handover to a buyer who has left. */
const buyerLeft: Record<Exclude<OrderRole, "buyer">, (day: string) => string> = {
  seller: (day) => `The buyer has left, so we mark it as received after ${day}.`,
  administrator: (day) => `The buyer has left, so the order counts as received after ${day}.`,
};

const paymentTextsAfterHandover: Record<OrderRole, string> = {
  buyer: `You pay the seller as you two agree. ${terms.notHeld}`,
  seller: `The buyer pays you as you two agree. ${terms.notHeld}`,
  administrator: `The buyer pays the seller as they agree. ${terms.notHeld}`,
};

const paymentTextsAfterCancelling: Record<OrderRole, string> = {
  buyer: "Already paid? The seller pays you back.",
  seller: "If the buyer has already paid, pay it back.",
  administrator: "If the buyer has already paid, the seller pays it back.",
};

/** How an order is paid. */
export function paymentText(
  role: OrderRole,
  {
    status,
    stage,
    hasProblem,
    hasEndingProblem,
    isRefundDue,
    isSellerSuspended = false,
    hasBlock = false,
    isViewerSuspended = false,
    canReport = true,
    gone = null,
  }: Omit<ToldState, "isReturnDue">,
): string {
  // After a handover the next step says it; how a problem was settled may say more of the money.
  if (status === "cancelled")
    return stage !== "reserved" || hasProblem || hasEndingProblem || !isRefundDue
      ? terms.notHeld
      : gone === "seller" && role === "buyer"
        ? "Already paid? The seller has left, so report it on the order’s page, and we decide."
        : isSellerSuspended && role === "buyer"
          ? "Already paid, and the seller doesn’t pay you back? Report it on the order’s page, and we decide."
          : paymentTextsAfterCancelling[role];
  if (stage === "reserved" && gone)
    return role === "buyer" ? "Don’t pay: the seller has left." : terms.notHeld;
  if (isSellerSuspended && stage !== "received")
    return role === "buyer"
      ? `Don’t pay now: we’ve suspended the seller’s account. ${terms.notHeld}`
      : terms.notHeld;
  if (stage === "reserved")
    return hasBlock || isViewerSuspended
      ? silentPaymentText(role, hasProblem, canReport)
      : terms.payment[role];
  // The problem may be that it is not paid.
  return hasProblem ? terms.notHeld : paymentTextsAfterHandover[role];
}

function silentPaymentText(role: OrderRole, hasProblem: boolean, canReport: boolean): string {
  const text = terms.paymentInSilence[role];
  if (role === "administrator") return text;
  if (hasProblem) return `${text} Agree on the problem’s page.`;
  return canReport
    ? `${text} You can’t message each other. If you need to agree on the payment, report a problem: on its page, both of you can write.`
    : text;
}

/** After a booking; of a protected one once it is paid. */
export const bookedToast = { kind: "success", message: "Your booking successful" } as const;

/** An order as the texts of its buttons see it. */
export interface ActedOn {
  role: OrderRole;
  stage: OrderStage;
  /** The side that has left. */
  gone: OrderSide | null;
  /** Whether the seller’s account is suspended. */
  isSellerSuspended: boolean;
  /** Whether a cancellation before the handover lists the device again. */
  goesBackOnSale: boolean;
  /** Whether the viewer can undo it if they cancel, or mark it as received. */
  canUndoCancelling: boolean;
  canUndoReceipt: boolean;
  /** Whether moderators ended it because it was not paid. */
  isUnpaid: boolean;
  /** Null if the buyer pays the seller directly. */
  payment: { leftCents: number } | null;
}

/** What the forms of an order's page can do, in the order of their buttons; `done` is said afterwards. */
export const intentTexts = {
  "hand over": {
    label: "Mark as handed over",
    hint: () => "Once the device is with the buyer or in the mail. After that, they can’t cancel.",
    done: "Marked as handed over",
  },
  "undo handover": {
    label: "Undo the handover",
    hint: () =>
      `Not with the buyer yet? You can undo this for ${undoMinutes} minutes, once. The device is reserved again then.`,
    done: "The device is reserved again",
  },
  receive: {
    label: "Mark as received",
    hint: ({ canUndoReceipt }: ActedOn) =>
      `Once it has arrived and it’s as described. This completes the order.${canUndoReceipt ? ` You can undo it for ${undoMinutes} minutes, unless there’s a review or a problem.` : ""}`,
    done: "Marked as received",
  },
  approve: {
    label: "Everything’s fine, pay the seller",
    hint: ({ stage }: ActedOn) =>
      `${stage === "received" ? "Happy with it?" : "You have it, and it’s as described."} We pay the seller in ${undoMinutes} minutes; until then, you can undo this.`,
    done: "Thanks! We’ll pay the seller",
  },
  "undo receipt": {
    label: "Undo “received”",
    hint: () => `Don’t have it yet? You can undo this for ${undoMinutes} minutes, once.`,
    done: "The order isn’t complete: mark it as received once you have the device",
  },
  "undo approval": {
    label: "Don’t pay the seller yet",
    hint: ({ isSellerSuspended }: ActedOn) =>
      `You can undo this for ${undoMinutes} minutes.${isSellerSuspended ? "" : ` We pay the seller ${daysLabel(paymentTerms.releaseDays)} after you got it, then.`}`,
    done: "We’ll wait with paying the seller",
  },
  extend: {
    label: "Give more time",
    hint: ({ role }: ActedOn) =>
      `They get ${orderDeadlines[role === "seller" ? "handed over" : "reserved"].extensionDays} more days. You can do this once.`,
    done: stepLabel("extended"),
  },
  cancel: {
    label: "Cancel order",
    hint: (order: ActedOn) => {
      const isMark = order.role === "seller" && order.stage === "reserved" && !order.gone;
      return [
        ...refundText(order),
        cancelledText(order),
        ...(order.canUndoCancelling ? [`You can undo this for ${undoMinutes} minutes.`] : []),
        ...(isMark ? [cancelForBuyerHint] : []),
      ].join(" ");
    },
    done: "Order Cancelled",
  },
  "given back": {
    label: "The device is back",
    hint: () => "The buyer gets the money back then.",
    done: "Thanks! The buyer gets the money back",
  },
  "allow rebooking": {
    label: "Let them book again",
    hint: ({ isUnpaid }: ActedOn) =>
      isUnpaid
        ? "They didn’t pay, so they can’t book your devices or make you offers. Let them again?"
        : "Buyers who cancel or don’t pay have to wait before they can book the same device again. Let this one book it now?",
    done: "The buyer can book again",
  },
} satisfies Record<string, { label: string; hint: (order: ActedOn) => string; done: string }>;

export const undoCancellationText = {
  label: "Undo the cancellation",
  hint: `Cancelled by mistake? You can undo this for ${undoMinutes} minutes. Your order picks up where it was.`,
};

export type OrderIntent = keyof typeof intentTexts;

export const orderIntents = Object.keys(intentTexts) as OrderIntent[];

/** Buyers of a suspended seller may have nothing else to do. */
export const isWayOut = (
  { role, isSellerSuspended }: Pick<ActedOn, "role" | "isSellerSuspended">,
  intent: OrderIntent,
) => intent === "cancel" && role === "buyer" && isSellerSuspended;

/** What becomes of what the buyer has paid. */
function refundText({ role, payment }: ActedOn): string[] {
  if (!payment || payment.leftCents === 0) return [];
  const left = priceLabel(payment.leftCents);
  return [
    role === "buyer"
      ? `If you cancel, we send ${left} back after ${undoMinutes} minutes. Your bank may take a few days to show it.`
      : `If you cancel, we send the buyer ${left} back after ${undoMinutes} minutes.`,
  ];
}

function cancelledText({ role, stage, isSellerSuspended, goesBackOnSale }: ActedOn): string {
  if (stage === "reserved" && isSellerSuspended)
    return role === "buyer"
      ? "It doesn’t count against you."
      : "The listing stays hidden during the suspension.";
  if (stage === "reserved" && goesBackOnSale)
    return `The device goes back on sale.${role === "buyer" ? ` You can book it again after ${rebookingHours} hours.` : ""}`;
  if (stage === "reserved") return "The listing stays hidden.";
  return `The listing stays hidden until ${role === "seller" ? "you list" : "the seller lists"} it again.`;
}

const cancelForBuyerHint =
  "If the buyer wants out, ask them to cancel: it doesn’t count in your record then.";

/** What the page says once a step is done. */
export function doneMessage(intent: OrderIntent, isShipped: boolean): string {
  return intent === "hand over" && isShipped ? "Marked as shipped" : intentTexts[intent].done;
}

/** The part of an order's id that people can quote: "4F2A-91C0-77BE". */
export function orderNumber(orderId: string): string {
  const end = orderId.replaceAll("-", "").slice(-12).toUpperCase();
  return end.replace(/.{4}(?=.)/g, "$&-");
}
