import { brand } from "#app/brand.ts";
import type { NotificationKind } from "#app/db/enums.ts";
import { offerTerms } from "#app/market.ts";
import { singleLine } from "#app/server/forms/sanitize-text.ts";
import { problemDays, reviewDays } from "#app/terms.ts";
import type { Permission } from "../accounts/permissions.ts";
import { formerMember } from "../accounts/viewer.ts";

/** The headings of the choice of emails on My account. */
export const emailGroups = [
  "Orders",
  "Reviews",
  "Messages",
  "Offers",
  "Saved devices",
  "Saved searches",
  "Account",
  "Work",
  "System",
] as const;

export type EmailGroup = (typeof emailGroups)[number];

/** System counts so many emails of a kind at most, since a count reads each. */
export const maxEmailsCounted = 50;

interface KindTexts {
  /** On the notifications page, and what its email begins with. The author of a review is null once they have left. */
  sentence: (subject: string, author: string | null) => string;
  /** In its email, below the sentence: what happens next; null if what is said of the order says it to each side. */
  next: string | null;
  linkLabel: string;
  /** Instead of these two, if the order has an open problem, to which the link leads. */
  inProblem?: { next: string; linkLabel: string };
  /** In the choice of emails on My account. */
  group: EmailGroup;
  label: string;
  /** Who chooses, if not everybody can get it. */
  permission?: Permission;
  /** Only who sells gets it. */
  isForSellers?: true;
}

const inProblem = {
  next: "Your order is on hold until the problem is settled.",
  linkLabel: "View the problem",
};

/** What is left after a declined offer. */
export const bookAnywayText = "If it’s still for sale, you can book it at its price.";

/** All that is said of each kind of notification. */
export const notificationTexts: Record<NotificationKind, KindTexts> = {
  "order placed": {
    sentence: (device) => `You booked the ${device}.`,
    next: null,
    linkLabel: "View the order",
    group: "Orders",
    label: "Your bookings",
  },
  booked: {
    sentence: (device) => `Your ${device} is booked.`,
    next: null,
    linkLabel: "View the order",
    group: "Orders",
    label: "Bookings of your devices",
    isForSellers: true,
  },
  cancelled: {
    sentence: (device) => `Order cancelled: ${device}.`,
    next: null,
    linkLabel: "View the order",
    group: "Orders",
    label: "Cancelled orders",
  },
  "cancelled by system": {
    sentence: (device) => `${brand.name} cancelled the order for the ${device}.`,
    next: null,
    linkLabel: "View the order",
    group: "Orders",
    label: "Orders we cancelled",
  },
  reinstated: {
    sentence: (device) => `Back on: your order for the ${device}.`,
    next: "It isn’t cancelled anymore: the order’s page says what comes next.",
    linkLabel: "View the order",
    group: "Orders",
    label: "Orders that are back on",
  },
  "rebooking allowed": {
    sentence: (device) => `The seller lets you book again (${device}).`,
    next: "If it’s for sale, book it before someone else does.",
    linkLabel: "View the order",
    group: "Orders",
    label: "Devices you can book again",
  },
  "handed over": {
    sentence: (device) => `The seller handed over your ${device}.`,
    next: "Once it’s here, mark it as received on the order’s page.",
    linkLabel: "View the order",
    group: "Orders",
    label: "Devices handed over to you",
    inProblem,
  },
  shipped: {
    // "Pixel 7 is on its way with UPS 1Z9"; earlier rows say "UPS 1Z9: Pixel 7".
    sentence: (news) => (news.includes(" is on its way ") ? `Your ${news}.` : `On its way with ${news}.`),
    next: "Once it’s here, mark it as received on the order’s page.",
    linkLabel: "View the order",
    group: "Orders",
    label: "Packages on their way to you",
    inProblem,
  },
  "handover undone": {
    sentence: (device) => `The seller took the handover of your ${device} back.`,
    next: "It’s reserved for you again, and the seller still hands it over or ships it.",
    linkLabel: "View the order",
    group: "Orders",
    label: "Handovers that are undone",
  },
  received: {
    sentence: (device) => `The buyer has your ${device}.`,
    next: "The order is complete. Your device is sold.",
    linkLabel: "View the order",
    group: "Orders",
    label: "Devices your buyers received",
    isForSellers: true,
  },
  "receipt undone": {
    sentence: (device) => `The buyer doesn’t have your ${device} yet.`,
    next: "They marked it as received by mistake, and undid that. Your device isn’t sold yet.",
    linkLabel: "View the order",
    group: "Orders",
    label: "Receipts that are undone",
    isForSellers: true,
  },
  "received by system": {
    sentence: (device) => `${brand.name} marked the ${device} as received.`,
    next: "The time to confirm was over, so the order is complete.",
    linkLabel: "View the order",
    group: "Orders",
    label: "Orders completed automatically",
  },
  "hand over reminder": {
    sentence: (device) => `Your ${device} is still waiting to be handed over.`,
    next: "Hand it over or ship it in time, then mark it as handed over. If not, we cancel the order.",
    linkLabel: "View the order",
    group: "Orders",
    label: "Reminders to hand over a device",
    isForSellers: true,
  },
  "receive reminder": {
    sentence: (device) => `Has your ${device} arrived?`,
    next: "If so, mark it as received. If not, the order’s page says what you can do before we mark it as received.",
    linkLabel: "View the order",
    group: "Orders",
    label: "Reminders to confirm that it arrived",
  },
  extended: {
    sentence: (device) => `You’ve got more time for the ${device}.`,
    next: "You’ll find the new date on the order’s page.",
    linkLabel: "View the order",
    group: "Orders",
    label: "More time for your orders",
  },
  "seller suspended": {
    sentence: (device) => `We’ve suspended the seller’s account (${device}).`,
    next: "Your order is on hold: its page says what you can do.",
    linkLabel: "View the order",
    group: "Orders",
    label: "Suspended sellers of your orders",
  },
  "seller back": {
    sentence: (device) => `The seller’s account isn’t suspended anymore (${device}).`,
    next: "Your order goes on. The time on hold was added to its deadline.",
    linkLabel: "View the order",
    group: "Orders",
    label: "Orders that go on after a suspension",
  },
  "delivery details changed": {
    sentence: (device) => `The buyer changed the address or phone number for your ${device}.`,
    next: "You’ll find the new one on the order’s page. Use it when you ship or hand over the device.",
    linkLabel: "View the order",
    group: "Orders",
    label: "New addresses and phone numbers of your buyers",
    isForSellers: true,
  },
  "problem opened": {
    sentence: (device) => `Problem with the ${device}.`,
    next: `Read what happened, and answer within ${problemDays.answer} days.`,
    linkLabel: "Read and answer",
    group: "Orders",
    label: "Problems with your orders",
  },
  "problem offer": {
    sentence: (device) => `You got an offer to settle a problem (${device}).`,
    next: `Accept or decline it within ${problemDays.answer} days. After that, ${brand.name} decides.`,
    linkLabel: "Read the offer",
    group: "Orders",
    label: "Offers to settle a problem",
  },
  "problem answer": {
    sentence: (device) => `News on a problem (${device}).`,
    next: "Read the answer, and what comes next.",
    linkLabel: "Read the answer",
    group: "Orders",
    label: "News on a problem",
  },
  "problem message": {
    sentence: (device) => `New message in a problem (${device}).`,
    next: "Read it and answer on the problem’s page.",
    linkLabel: "Read the message",
    group: "Orders",
    label: "Messages in problems",
  },
  "problem due": {
    sentence: (device) => `Your answer is due soon (${device}).`,
    next: "Read what happened, and answer on the problem’s page.",
    linkLabel: "Read and answer",
    group: "Orders",
    label: "Problems waiting for your answer",
  },
  "problem with moderators": {
    sentence: (device) => `We’re deciding on the ${device}.`,
    next: `We read what both of you wrote, decide within ${problemDays.decision} days, and tell you.`,
    linkLabel: "View the problem",
    group: "Orders",
    label: "Problems we’re deciding",
  },
  "problem decided": {
    sentence: (device) => `We made a decision on the ${device}.`,
    next: "Read the details, and what comes next.",
    linkLabel: "Read the decision",
    group: "Orders",
    label: "Decisions about problems",
  },
  "payment disputed": {
    sentence: (device) => `A bank disputes the payment for the ${device}.`,
    next: "The order is on hold until the bank decides. A device that wasn’t handed over stays with the seller until then.",
    linkLabel: "Read what happens next",
    group: "Orders",
    label: "Payments that a bank disputes",
  },
  refunded: {
    sentence: (device) => `A refund is on its way: ${device}.`,
    next: "The order’s page says why.",
    linkLabel: "View the order",
    group: "Orders",
    label: "Refunds",
  },
  "paid out": {
    sentence: (device) => `We’ve paid you for your ${device}.`,
    next: "The money is in your Stripe account. Payouts shows it for each order.",
    linkLabel: "View the order",
    group: "Orders",
    label: "Money paid to you",
    isForSellers: true,
  },
  message: {
    sentence: (about) => `New message about ${about}.`,
    next: `Read it and reply on ${brand.name}.`,
    linkLabel: "Read the message",
    group: "Messages",
    label: "New messages",
  },
  "offer made": {
    sentence: (device) => `You got an offer for your ${device}.`,
    next: `Accept it, decline it, or make a counteroffer within ${offerTerms.answerHours} hours.`,
    linkLabel: "View the offer",
    group: "Offers",
    label: "Offers for your devices",
    isForSellers: true,
  },
  "offer countered": {
    sentence: (device) => `The seller made a counteroffer for the ${device}.`,
    next: `Accept or decline it within ${offerTerms.answerHours} hours.`,
    linkLabel: "View the offer",
    group: "Offers",
    label: "Counteroffers to you",
  },
  "offer accepted": {
    sentence: (device) => `Your offer for the ${device} was accepted.`,
    next: `That price holds for you for ${offerTerms.bookingHours} hours. Someone else may still book first.`,
    linkLabel: "View the offer",
    group: "Offers",
    label: "Your accepted offers",
  },
  "counteroffer accepted": {
    sentence: (device) => `Your counteroffer for the ${device} was accepted.`,
    next: `That price holds for the buyer for ${offerTerms.bookingHours} hours. Your listing stays open to others until then.`,
    linkLabel: "View the offer",
    group: "Offers",
    label: "Your accepted counteroffers",
    isForSellers: true,
  },
  "offer refused": {
    sentence: (device) => `Your offer for the ${device} was declined.`,
    next: `${bookAnywayText} You get ${offerTerms.perListing} offers for a device: its page says how many are left.`,
    linkLabel: "View the offer",
    group: "Offers",
    label: "Your declined offers",
  },
  "counteroffer refused": {
    sentence: (device) => `Your counteroffer for the ${device} was declined.`,
    next: `Your listing stays as it is. The buyer can make ${offerTerms.perListing} offers for it at most.`,
    linkLabel: "View the offer",
    group: "Offers",
    label: "Your declined counteroffers",
    isForSellers: true,
  },
  "offer withdrawn": {
    sentence: (device) => `The buyer withdrew their offer for your ${device}.`,
    next: "Your listing stays as it is.",
    linkLabel: "View the offer",
    group: "Offers",
    label: "Offers that buyers withdrew",
    isForSellers: true,
  },
  "counteroffer withdrawn": {
    sentence: (device) => `The seller withdrew the counteroffer for the ${device}.`,
    next: "If it’s still for sale, you can book it at its price.",
    linkLabel: "View the offer",
    group: "Offers",
    label: "Counteroffers that sellers withdrew",
  },
  "offer lost": {
    sentence: (device) => `Someone else booked the ${device}.`,
    next: "If it comes back before your offer ends, the offer holds again.",
    linkLabel: "View the offer",
    group: "Offers",
    label: "Devices booked by someone else despite your offer",
  },
  "offer listing gone": {
    sentence: (device) => `The ${device} isn’t for sale right now.`,
    next: "If it comes back before your offer ends, the offer holds again.",
    linkLabel: "View the offer",
    group: "Offers",
    label: "Devices that aren’t for sale anymore despite your offer",
  },
  "offer ended": {
    sentence: (device) => `The offer for the ${device} has ended because the other person left.`,
    next: "There’s nothing you have to do.",
    linkLabel: "View your offers",
    group: "Offers",
    label: "Offers that ended because the other person left",
  },
  "review invitation": {
    sentence: (device) => `How’s your ${device}? Review the seller.`,
    next: `You’ve got ${reviewDays.writable} days from the day it arrived. We won’t ask again.`,
    linkLabel: "Review the seller",
    group: "Reviews",
    label: "Invitations to review",
  },
  review: {
    sentence: (device, author) => `${author ?? formerMember} reviewed you (${device}).`,
    next: "See what they said.",
    linkLabel: "Read the review",
    group: "Reviews",
    label: "Reviews of you",
  },
  "review reply": {
    sentence: (device) => `The seller replied to your review of the ${device}.`,
    next: "You’ll find it below your review.",
    linkLabel: "Read the reply",
    group: "Reviews",
    label: "Replies to your reviews",
  },
  "price drop": {
    // "Now $279, was $299: Samsung Galaxy S21"
    sentence: (news) => news,
    next: "Book it before someone else does.",
    linkLabel: "View the device",
    group: "Saved devices",
    label: "Price drops on saved devices",
  },
  "saved listing gone": {
    sentence: (device) => `Your saved ${device} isn’t for sale right now.`,
    next: "If it comes back, we’ll tell you.",
    linkLabel: "View your saved devices",
    group: "Saved devices",
    label: "Saved devices that aren’t for sale anymore",
  },
  "saved listing back": {
    sentence: (device) => `Your saved ${device} is back.`,
    next: "Book it before someone else does.",
    linkLabel: "View the device",
    group: "Saved devices",
    label: "Saved devices that are back",
  },
  "search match": {
    sentence: (found) => `We found ${found}.`,
    next: "Too many, or too few? Change that under Searches.",
    linkLabel: "View the devices",
    group: "Saved searches",
    label: "New matches for your searches",
  },
  verification: {
    sentence: () => "You’re now a verified seller.",
    next: "Your listings show it from now on.",
    linkLabel: "View your page",
    group: "Account",
    label: "Becoming a verified seller",
    isForSellers: true,
  },
  appointment: {
    sentence: () => "You’re now a moderator.",
    next: "You can now decide on reports, held listings and appeals.",
    linkLabel: "Open moderation",
    group: "Account",
    label: "Becoming a moderator",
    permission: "see work",
  },
  withdrawal: {
    sentence: () => "You’re no longer a moderator.",
    next: "Your account, orders and listings stay as they are.",
    linkLabel: "View your account",
    group: "Account",
    label: "Losing your moderator role",
    permission: "see work",
  },
  decision: {
    sentence: (news) => `${news}.`,
    next: "Read what we decided, and why.",
    linkLabel: "Read the decision",
    group: "Account",
    label: "Moderators’ decisions that affect you",
  },
  "cases waiting": {
    sentence: (work) => `Waiting for you: ${work}.`,
    next: "We’ll remind you once a day while something’s waiting.",
    linkLabel: "Open your work",
    group: "Work",
    label: "Daily reminder of open work",
    permission: "see work",
  },
  "urgent case": {
    sentence: (target) => `Urgent: ${target}.`,
    next: "Somebody reported fraud, theft, a threat or an odd way to pay, or a decision is late.",
    linkLabel: "Open the case",
    group: "Work",
    label: "Urgent reports and overdue decisions",
    permission: "see work",
  },
  "system alarm": {
    sentence: (alarms) => `Needs a look: ${alarms}.`,
    next: "If it lasts, you’ll hear from us again tomorrow.",
    linkLabel: "Open System",
    group: "System",
    label: "Failed jobs, late emails and backups",
    permission: "see the system",
  },
  "from us": {
    sentence: (text) => `From ${brand.name}: ${text}`,
    next: "You can’t reply to this email. Questions? Tap Report at the bottom of any page.",
    linkLabel: "View your notifications",
    group: "Account",
    label: `Messages from ${brand.name}`,
  },
};

/** The sentence of a notification, in which subject and author stand on one line. */
export function notificationText(
  kind: NotificationKind,
  subject: string,
  author: string | null = null,
): string {
  return notificationTexts[kind].sentence(singleLine(subject), author && singleLine(author));
}
