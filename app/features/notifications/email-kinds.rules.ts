import { brand } from "#app/brand.ts";
import type { NotificationKind } from "#app/db/values.ts";

/** The group and the label of the emails of each kind of notification, as My account lists them. */
const kinds: Record<NotificationKind, { group: string; label: string }> = {
  "order placed": { group: "Orders", label: "I have booked a device" },
  booked: { group: "Orders", label: "My device has been booked" },
  cancelled: { group: "Orders", label: "An order has been cancelled" },
  "cancelled by system": { group: "Orders", label: `${brand.name} has cancelled an order` },
  reinstated: { group: "Orders", label: "A cancelled order is active again" },
  "rebooking allowed": { group: "Orders", label: "The seller lets me book a device again" },
  "handed over": { group: "Orders", label: "The seller has handed over my device" },
  received: { group: "Orders", label: "The buyer has received my device" },
  "received by system": { group: "Orders", label: `${brand.name} has marked an order as received` },
  "hand over reminder": { group: "Orders", label: "A device is waiting for me to hand it over" },
  "receive reminder": { group: "Orders", label: "An order is waiting for me to confirm it" },
  extended: { group: "Orders", label: "I have more time for an order" },
  "review invitation": { group: "Reviews", label: "I can review an order" },
  review: { group: "Reviews", label: "I have been reviewed" },
  "review reply": { group: "Reviews", label: "The seller has replied to my review" },
  message: { group: "Messages", label: "I have a new message" },
  "price drop": { group: "Saved devices", label: "A saved device is cheaper" },
  "saved listing gone": { group: "Saved devices", label: "A saved device is no longer available" },
  "saved listing back": { group: "Saved devices", label: "A saved device is available again" },
  "search match": { group: "Saved searches", label: "A saved search has new or cheaper devices" },
  verification: { group: "Account", label: "I have been verified as a seller" },
  appointment: { group: "Account", label: "I have become a moderator" },
  withdrawal: { group: "Account", label: "I am no longer a moderator" },
  decision: { group: "Account", label: "A moderator made a decision about me or what I wrote" },
};

export const emailGroups = [...new Set(Object.values(kinds).map(({ group }) => group))].map((title) => ({
  title,
  kinds: Object.entries(kinds).filter(([, { group }]) => group === title),
}));

/** What the emails of a kind say, as a sentence without its end. */
export function emailKindLabel(kind: NotificationKind): string {
  return kinds[kind].label;
}
