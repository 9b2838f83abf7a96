import type { Refusal } from "./bookings.server.ts";

const refusals = {
  "just reserved": "This phone has just been reserved",
  sold: "This phone has been sold",
  "already yours": "You have already reserved this phone",
  "own phone": "This is your own phone, so you cannot book it",
  "unknown phone": "There is no such phone",
  "none available": "No phone like this is available",
} as const satisfies Record<Refusal, string>;

/** What a buyer is told when a booking did not come about. */
export function refusalOf(refusal: Refusal): string {
  return refusals[refusal];
}
