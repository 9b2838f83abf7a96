import { brand } from "#app/brand.ts";
import type { NotificationKind } from "#app/db/values.ts";
import { reviewDays } from "#app/market.ts";
import { type EmailContent, renderEmail } from "#app/server/mail/render-email.server.tsx";
import { notificationText } from "./notification.rules.ts";

interface EmailTexts {
  /** Below the notification's sentence: what happens next. */
  next: string;
  linkLabel: string;
}

const texts: Record<NotificationKind, EmailTexts> = {
  "order placed": {
    next: "Next, agree with the seller in messages how you pay and get the device.",
    linkLabel: "View the order",
  },
  booked: {
    next: "Next, agree with the buyer in messages how they pay and get the device. Then mark it as handed over.",
    linkLabel: "View the order",
  },
  cancelled: { next: "You have nothing more to do.", linkLabel: "View the order" },
  "cancelled by system": { next: "You have nothing more to do.", linkLabel: "View the order" },
  reinstated: {
    next: "The cancellation has been undone. The order goes on as before.",
    linkLabel: "View the order",
  },
  "rebooking allowed": { next: "Book it before someone else does.", linkLabel: "View the order" },
  "handed over": { next: "When it has arrived, mark it as received.", linkLabel: "View the order" },
  received: { next: "The order is complete, and your listing is sold.", linkLabel: "View the order" },
  "received by system": {
    next: "Nobody confirmed or objected in time, so the order is complete.",
    linkLabel: "View the order",
  },
  "hand over reminder": {
    next: "Hand it over or send it, then mark it as handed over. The order’s page shows until when.",
    linkLabel: "View the order",
  },
  "receive reminder": {
    next: "If so, mark it as received. The order’s page shows until when.",
    linkLabel: "View the order",
  },
  extended: { next: "The order’s page shows the new date.", linkLabel: "View the order" },
  message: { next: "Read it and answer on the site.", linkLabel: "Read the message" },
  "review invitation": {
    next: `You can write a review for ${reviewDays.writable} days after you received the device. This is the only email about it.`,
    linkLabel: "Review the seller",
  },
  review: { next: "You can read it now.", linkLabel: "Read the review" },
  "review reply": { next: "The reply appears below your review.", linkLabel: "Read the reply" },
  "price drop": { next: "Book it before someone else does.", linkLabel: "View the device" },
  "saved listing gone": {
    next: "If it comes back, we’ll notify you.",
    linkLabel: "View your saved devices",
  },
  "saved listing back": { next: "Book it before someone else does.", linkLabel: "View the device" },
  "search match": {
    next: "Change how often we notify you under Searches.",
    linkLabel: "View the devices",
  },
  verification: { next: "Your listings show it from now on.", linkLabel: "View your page" },
  appointment: {
    next: "You can decide about reports, held listings and appeals.",
    linkLabel: "Open moderation",
  },
  withdrawal: { next: "Your account, orders and listings stay as they are.", linkLabel: "View your account" },
  decision: { next: "The page says what was decided and why.", linkLabel: "Read the decision" },
};

const maxSubjectLength = 60;

/** What a notification is about, for an email: users have typed it, so it is limited in length. */
function shortened(subject: string): string {
  const characters = [...subject.trim()];
  if (characters.length <= maxSubjectLength) return subject;
  return `${characters.slice(0, maxSubjectLength - 1).join("")}…`;
}

/** The email of a notification. It holds no address, no phone number and no price. */
export function notificationEmail({
  kind,
  subject,
  link,
  unsubscribeLink,
}: {
  kind: NotificationKind;
  subject: string;
  link: string;
  unsubscribeLink: string;
}): EmailContent & { headers: Record<string, string> } {
  const sentence = notificationText(kind, shortened(subject));
  const { next, linkLabel } = texts[kind];
  const content = renderEmail({
    subject: sentence.replace(/\.$/, ""),
    message: sentence,
    linkLabel,
    link,
    notes: [next],
    footer: {
      text: `You receive this email because you have a ${brand.name} account.`,
      linkLabel: "Unsubscribe from these emails",
      link: unsubscribeLink,
    },
  });
  // One click, RFC 8058.
  const headers = {
    "List-Unsubscribe": `<${unsubscribeLink}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
  return { ...content, headers };
}
