import type { NotificationKind } from "#app/db/values.ts";

const texts: Record<NotificationKind, (subject: string) => string> = {
  "order placed": (device) => `You have booked ${device}.`,
  booked: (device) => `Your ${device} has been booked.`,
  cancelled: (device) => `The order of ${device} has been cancelled.`,
  reinstated: (device) => `The order of ${device} is active again.`,
  "handed over": (device) => `The seller has handed over your ${device}.`,
  received: (device) => `The buyer has received your ${device}.`,
  message: (about) => `You have a new message about ${about}.`,
  "review invitation": (device) => `How was your purchase of ${device}? Review the seller.`,
  review: (device) => `You have been reviewed for the order of ${device}.`,
  "review reply": (device) => `The seller has replied to your review of ${device}.`,
  "price drop": (device) => `${device} is cheaper now.`,
  "saved listing gone": (device) => `${device}, which you saved, is no longer available.`,
  "saved listing back": (device) => `${device}, which you saved, is available again.`,
  "search match": (found) => `We found ${found}.`,
  verification: () => "You are now a verified seller.",
  decision: (subject) => `A moderator has decided about ${subject}.`,
};

/** The sentence of a notification, in which each subject stands on one line. */
export function notificationText(kind: NotificationKind, subject: string): string {
  return texts[kind](subject.replaceAll(/[\s\p{Cc}]+/gu, " ").trim());
}
