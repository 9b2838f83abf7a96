import { brand } from "#app/brand.ts";
import type { NotificationKind } from "#app/db/values.ts";
import { type EmailContent, renderEmail } from "#app/server/mail/render-email.server.tsx";
import { notificationText, notificationTexts } from "./notification-texts.ts";

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
  const { next, linkLabel } = notificationTexts[kind];
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
