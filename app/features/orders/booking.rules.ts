import { rebookingHours } from "#app/market.ts";

/** Why a phone cannot be booked. */
export type BookingRefusal =
  | {
      reason:
        | "already yours"
        | "own phone"
        | "just reserved"
        | "reserved"
        | "sold"
        | "unknown phone"
        | "none available";
      /** The buyer's order of the phone, if that is the reason. */
      orderId?: string;
    }
  | { reason: "too many reservations"; limit: number; isConfirmed: boolean }
  | { reason: "cancelled recently" /** An ISO time. */; bookableAfter: string }
  | { reason: "price changed"; priceCents: number; shownCents: number };

export const rebookingDelayMs = rebookingHours * 60 * 60_000;
