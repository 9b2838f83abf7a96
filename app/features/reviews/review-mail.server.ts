import { brand } from "#app/brand.ts";
import { type EmailContent, renderEmail } from "../accounts/account-mail.server.tsx";

export function reviewInvitationEmail(email: string, link: string): EmailContent {
  return renderEmail({
    subject: `How was your purchase at ${brand.name}?`,
    reason: `You have received a device that ${email} bought at ${brand.name}. Tell others how it went with the seller:`,
    linkLabel: "Review the seller",
    link,
    linkLifetime: "You can write a review for 60 days after you received the device.",
    ifUnexpected: "This is the only email about it.",
  });
}
