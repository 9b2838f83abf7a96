import type { BookingRefusalReason } from "./bookings.server.ts";

const refusalTexts = {
  "just reserved": "This phone has just been reserved",
  sold: "This phone has been sold",
  "already yours": "You have already reserved this phone",
  "own phone": "This is your own phone, so you cannot book it",
  "unknown phone": "There is no such phone",
  "none available": "No phone like this is available",
} as const satisfies Record<BookingRefusalReason, string>;

export function bookingRefusalText(reason: BookingRefusalReason): string {
  return refusalTexts[reason];
}
