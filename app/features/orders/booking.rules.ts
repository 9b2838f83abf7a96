import type { BookingRefusalReason } from "./bookings.server.ts";

const refusalTexts = {
  "just reserved": "This phone has just been reserved",
  reserved: "This device is reserved",
  sold: "This device has been sold",
  "already yours": "You have already reserved this device",
  "own phone": "This is your own device, so you cannot book it",
  "unknown phone": "There is no such device",
  "none available": "No device like this is available",
} as const satisfies Record<BookingRefusalReason, string>;

export function bookingRefusalText(reason: BookingRefusalReason): string {
  return refusalTexts[reason];
}
