import { renderToStaticMarkup } from "react-dom/server.browser";
import { brand } from "#app/brand.ts";

export interface EmailContent {
  subject: string;
  text: string;
  html: string;
}

/** Contains no user input but the recipient's address, so that nobody can send text of their own to strangers. */
interface EmailParts {
  subject: string;
  reason: string;
  linkLabel: string;
  link: string;
  linkLifetime: string;
  ifUnexpected: string;
}

export function recoveryEmail(email: string, link: string): EmailContent {
  return renderEmail({
    subject: `Set a new password for ${brand.name}`,
    reason: `Someone requested a new password for the ${brand.name} account of ${email}. If it was you, set a new password here:`,
    linkLabel: "Set a new password",
    link,
    linkLifetime: "The link works once, within 30 minutes.",
    ifUnexpected: "If you did not request this, ignore this email. Your password stays the same.",
  });
}

export function verificationEmail(email: string, link: string): EmailContent {
  return renderEmail({
    subject: `Confirm your email address for ${brand.name}`,
    reason: `Confirm that ${email} is the email address of your ${brand.name} account:`,
    linkLabel: "Confirm this address",
    link,
    linkLifetime: "The link works once, within 24 hours. You can buy and sell before you confirm.",
    ifUnexpected:
      "If you did not sign up, open the link and choose “This was not me”: nobody can log in to the account then.",
  });
}

export function renderEmail(parts: EmailParts): EmailContent {
  const { subject, reason, link, linkLifetime, ifUnexpected } = parts;
  return {
    subject,
    text: `${["Hello,", reason, link, linkLifetime, ifUnexpected, brand.name].join("\n\n")}\n`,
    html: `<!DOCTYPE html>${renderToStaticMarkup(<EmailDocument {...parts} />)}`,
  };
}

// Inline styles, because many email clients ignore style sheets.
function EmailDocument({ subject, reason, linkLabel, link, linkLifetime, ifUnexpected }: EmailParts) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{subject}</title>
      </head>
      <body style={{ margin: 0, padding: "32px 24px", fontFamily: "system-ui, sans-serif", lineHeight: 1.5 }}>
        <div style={{ maxWidth: "480px", margin: "0 auto", overflowWrap: "anywhere" }}>
          <p>Hello,</p>
          <p>{reason}</p>
          <p style={{ margin: "28px 0" }}>
            <a
              href={link}
              style={{
                display: "inline-block",
                padding: "12px 20px",
                borderRadius: "8px",
                backgroundColor: brand.buttonColor.background,
                color: brand.buttonColor.text,
                fontWeight: 600,
                textDecoration: "none",
              }}
            >
              {linkLabel}
            </a>
          </p>
          <p>{linkLifetime}</p>
          <p>{ifUnexpected}</p>
          <p>{brand.name}</p>
        </div>
      </body>
    </html>
  );
}
