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

const changes: Record<CredentialChange, { subject: string; message: (email: string) => string }> = {
  "password changed": {
    subject: `Your ${brand.name} password was changed`,
    message: (email) =>
      `The password of your account ${email} was changed. All other devices were logged out.`,
  },
  "password reset": {
    subject: `Your ${brand.name} password was changed`,
    message: (email) =>
      `A new password was set for your account ${email}, by a link in an email. All devices were logged out.`,
  },
  "passkey added": {
    subject: `A passkey was added to your ${brand.name} account`,
    message: (email) => `A passkey was added to your account ${email}. It logs in without the password.`,
  },
  "passkey removed": {
    subject: `A passkey was removed from your ${brand.name} account`,
    message: (email) => `A passkey was removed from your account ${email}. It no longer logs in.`,
  },
  "token created": {
    subject: `A personal access token was created for your ${brand.name} account`,
    message: (email) =>
      `A personal access token was created for your account ${email}. A program can use the API in your name with it.`,
  },
};

/** Tells the owner of an account that its credentials have changed. */
export function credentialEmail(change: CredentialChange, email: string, link: string): EmailContent {
  const { subject, message } = changes[change];
  return renderEmail({
    subject,
    message: message(email),
    linkLabel: "Check your account",
    link,
    notes: [
      "If this was you, there is nothing to do.",
      "Wasn’t you? Choose “Forgot password?” on the login page to set a new password, then remove passkeys and tokens you don’t know on My account.",
    ],
  });
}

/** What has changed about how an account is logged in to. */
export type CredentialChange =
  | "password changed"
  | "password reset"
  | "passkey added"
  | "passkey removed"
  | "token created";
