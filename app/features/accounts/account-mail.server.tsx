import { renderToStaticMarkup } from "react-dom/server.browser";
import { brand } from "#app/brand.ts";

/** A mail without its address: what it says, as text and as HTML. */
export interface Letter {
  subject: string;
  text: string;
  html: string;
}

/**
 * What the mails are made of. Nothing in them was written by whoever asked for them but the address they go to:
 * else anybody could have us carry words of theirs to strangers.
 */
interface Wording {
  subject: string;
  /** Who asked for what. */
  why: string;
  action: string;
  link: string;
  /** How long the link works. */
  terms: string;
  /** What to do if it was somebody else. */
  otherwise: string;
}

/** Leads to a new password. */
export function recoveryLetter(email: string, link: string): Letter {
  return letter({
    subject: `Set a new password for ${brand.name}`,
    why: `Somebody asked for a new password for the ${brand.name} account of ${email}. If that was you, choose it here:`,
    action: "Set a new password",
    link,
    terms: "The link works once, and for 30 minutes.",
    otherwise: "If it was not you, there is nothing to do: your password stays as it is.",
  });
}

/** Leads to a verified address. */
export function verificationLetter(email: string, link: string): Letter {
  return letter({
    subject: `Confirm your email address for ${brand.name}`,
    why: `Somebody has a ${brand.name} account with the address ${email}. If that is you, confirm the address here:`,
    action: "Confirm this address",
    link,
    terms: "The link works once, and for 24 hours. You can buy and sell meanwhile.",
    otherwise: "If it is not you, leave the link alone: without it the address stays unconfirmed.",
  });
}

function letter(wording: Wording): Letter {
  const { subject, why, link, terms, otherwise } = wording;
  return {
    subject,
    text: `${["Hello,", why, link, terms, otherwise, brand.name].join("\n\n")}\n`,
    html: `<!DOCTYPE html>${renderToStaticMarkup(<LetterPage {...wording} />)}`,
  };
}

// Mail programs read neither style sheets nor modern layout: what a mail looks like stands at its elements.
function LetterPage({ subject, why, action, link, terms, otherwise }: Wording) {
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
          <p>{why}</p>
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
              {action}
            </a>
          </p>
          <p>{terms}</p>
          <p>{otherwise}</p>
          <p>{brand.name}</p>
        </div>
      </body>
    </html>
  );
}
