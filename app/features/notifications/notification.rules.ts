import { brand } from "#app/brand.ts";
import type { NotificationKind } from "#app/db/values.ts";
import { singleLine } from "#app/server/forms/sanitize-text.ts";

const texts: Record<NotificationKind, (subject: string) => string> = {
  "order placed": (device) => `You booked the ${device}.`,
  booked: (device) => `Your ${device} is booked.`,
  cancelled: (device) => `The order for the ${device} was cancelled.`,
  "cancelled by system": (device) => `${brand.name} cancelled the order for the ${device}.`,
  reinstated: (device) => `The order for the ${device} is active again.`,
  "rebooking allowed": (device) => `The seller lets you book the ${device} again.`,
  "handed over": (device) => `The seller has handed over your ${device}.`,
  received: (device) => `The buyer has received your ${device}.`,
  "received by system": (device) => `${brand.name} marked the ${device} as received.`,
  "hand over reminder": (device) => `Your ${device} is still waiting to be handed over.`,
  "receive reminder": (device) => `Has your ${device} arrived?`,
  extended: (device) => `You have more time for the ${device}.`,
  message: (about) => `New message about ${about}.`,
  "review invitation": (device) => `How was your purchase of the ${device}? Review the seller.`,
  review: (device) => `You got a review for the ${device}.`,
  "review reply": (device) => `The seller replied to your review of the ${device}.`,
  "price drop": (device) => `Price drop: ${device}.`,
  "saved listing gone": (device) => `Your saved ${device} is gone.`,
  "saved listing back": (device) => `Your saved ${device} is back.`,
  "search match": (found) => `We found ${found}.`,
  verification: () => "You’re now a verified seller.",
  appointment: () => "You’re now a moderator.",
  withdrawal: () => "You’re no longer a moderator.",
  decision: (subject) => `We made a decision about ${subject}.`,
};

/** The sentence of a notification, in which each subject stands on one line. */
export function notificationText(kind: NotificationKind, subject: string): string {
  return texts[kind](singleLine(subject));
}
