import type { NotificationKind } from "#app/db/values.ts";

interface EmailGroup {
  title: string;
  kinds: Partial<Record<NotificationKind, string>>;
}

/** The emails of each kind of notification, as My account lists them. */
export const emailGroups: EmailGroup[] = [
  {
    title: "Orders",
    kinds: {
      "order placed": "I have booked a device",
      booked: "My device has been booked",
      cancelled: "An order has been cancelled",
      reinstated: "A cancelled order is active again",
      "handed over": "The seller has handed over my device",
      received: "The buyer has received my device",
    },
  },
  {
    title: "Reviews",
    kinds: {
      "review invitation": "I can review an order",
      review: "I have been reviewed",
      "review reply": "The seller has replied to my review",
    },
  },
  { title: "Messages", kinds: { message: "I have a new message" } },
  {
    title: "Saved devices",
    kinds: {
      "price drop": "A saved device is cheaper",
      "saved listing gone": "A saved device is no longer available",
      "saved listing back": "A saved device is available again",
    },
  },
  { title: "Saved searches", kinds: { "search match": "A saved search has new devices" } },
  {
    title: "Account",
    kinds: {
      verification: "I have been verified as a seller",
      decision: "A moderator has decided about me or what I wrote",
    },
  },
];

/** What the emails of a kind say, as a sentence without its end. */
export function emailKindLabel(kind: NotificationKind): string {
  return emailGroups.map(({ kinds }) => kinds[kind]).find((label) => label !== undefined) ?? kind;
}
