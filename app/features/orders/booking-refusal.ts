import { rebookingHours } from "#app/terms.ts";
import { dateTimeLabel } from "#app/time.ts";
import { priceLabel } from "../listings/money.rules.ts";

/** Why a buyer books nothing from a seller. Who is blocked must not learn it. */
const barTexts = {
  suspended: "You can’t book devices while your account is suspended.",
  "blocked by you": "You’ve blocked this seller. Unblock them to book their devices.",
  "not paid before":
    "We decided that you didn’t pay this seller for an order. You can book from them again once they let you.",
  unavailable: "You can’t book this device right now.",
};
export type BookingBar = keyof typeof barTexts;

/** Why a phone cannot be booked. */
export type BookingRefusal =
  | {
      reason:
        | "already yours"
        | "own phone"
        | "just reserved"
        | "reserved"
        | "sold"
        | "paused"
        | "unknown phone"
        | "none available"
        | BookingBar;
      /** The buyer's order of the phone, if that is the reason. */
      orderId?: string;
    }
  | { reason: "too many reservations"; limit: number; isConfirmed: boolean }
  | { reason: "too many new accounts"; limit: number }
  | {
      reason: "cancelled recently";
      /** An ISO time. */
      bookableAfter: string;
      /** Whether Ringback cancelled it, since the buyer had not paid in time. */
      wasUnpaid?: true;
    }
  | {
      reason: "price changed";
      priceCents: number;
      shownCents: number;
      /** Whether the price shown was that of an accepted offer, which has expired. */
      wasOffer: boolean;
    };

/** @param until when the buyer can book it again */
export function waitRefusal({
  until,
  wasUnpaid,
}: {
  until: Date | string;
  wasUnpaid: boolean;
}): BookingRefusal {
  const bookableAfter = new Date(until).toISOString();
  return { reason: "cancelled recently", bookableAfter, ...(wasUnpaid && { wasUnpaid }) };
}

export const rebookingDelayMs = rebookingHours * 60 * 60_000;

const refusalTexts = {
  "just reserved": "This device has just been reserved",
  reserved: "This device is reserved",
  sold: "This device has been sold",
  paused: "This device isn’t for sale right now",
  "already yours": "You’ve already reserved this device",
  "own phone": "This is your own device, so you can’t book it",
  "unknown phone": "We can’t find this device",
  "none available": "None of these is for sale right now",
  ...barTexts,
} as const;

export function bookingRefusalText(refusal: BookingRefusal, timeLabel = dateTimeLabel): string {
  if (refusal.reason === "too many reservations") return tooManyText(refusal);
  if (refusal.reason === "too many new accounts") return tooManyNewText(refusal.limit);
  if (refusal.reason === "cancelled recently") {
    const time = timeLabel(refusal.bookableAfter);
    const why = refusal.wasUnpaid
      ? `You didn’t pay for this device in time, less than ${rebookingHours} hours ago`
      : `You cancelled this device less than ${rebookingHours} hours ago`;
    return `${why}. You can book it again after ${time}, or once the seller lets you.`;
  }
  if (refusal.reason === "price changed") {
    const why = refusal.wasOffer ? "Your accepted offer has expired, so the" : "The";
    return `${why} price is now ${priceLabel(refusal.priceCents)}. It was ${priceLabel(refusal.shownCents)}.`;
  }
  return refusalTexts[refusal.reason];
}

function tooManyText({ limit, isConfirmed }: { limit: number; isConfirmed: boolean }): string {
  if (limit === 0) return "Confirm your email address first. Then you can book this device.";
  const open = `You’ve got ${limit} open ${limit === 1 ? "reservation" : "reservations"}`;
  return isConfirmed
    ? `${open}, the most for one account. Cancel one, or wait until a seller has handed one over, to book this device.`
    : `${open}, the most for an account without a confirmed email address. Confirm your address, or cancel one, to book this device.`;
}

function tooManyNewText(limit: number): string {
  const open = `${limit} open ${limit === 1 ? "reservation" : "reservations"}`;
  return `New accounts on your network already have ${open}, the most for their first day. Try again tomorrow, or once one of the devices is handed over or the order cancelled.`;
}
