import { brand } from "#app/brand.ts";
import { type EmailContent, renderEmail } from "#app/server/mail/render-email.server.tsx";

// No user input but the recipient's address, so that nobody can send text of their own to strangers.

export function recoveryEmail(email: string, link: string): EmailContent {
  return renderEmail({
    subject: `Set a new password for ${brand.name}`,
    message: `Someone requested a new password for the ${brand.name} account of ${email}. If it was you, set a new password here:`,
    linkLabel: "Set a new password",
    link,
    notes: [
      "The link works once, within 30 minutes.",
      "If you did not request this, ignore this email. Your password stays the same.",
    ],
  });
}

export function verificationEmail(email: string, link: string): EmailContent {
  return renderEmail({
    subject: `Confirm your email address for ${brand.name}`,
    message: `Confirm that ${email} is the email address of your ${brand.name} account:`,
    linkLabel: "Confirm this address",
    link,
    notes: [
      "The link works once, within 24 hours. You can buy and sell before you confirm.",
      "If you did not sign up, open the link and choose “This was not me”: nobody can log in to the account then.",
    ],
  });
}
