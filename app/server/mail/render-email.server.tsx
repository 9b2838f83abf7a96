import { renderToStaticMarkup } from "react-dom/server.browser";
import { brand } from "#app/brand.ts";

export interface EmailContent {
  subject: string;
  text: string;
  html: string;
}

/** Terms and values, one on each line. */
export type EmailFacts = [term: string, value: string][];

interface EmailParts {
  subject: string;
  message: string;
  facts?: EmailFacts;
  linkLabel: string;
  link: string;
  /** Paragraphs below the link. */
  notes: string[];
  /** The last line, small. */
  footer?: { text: string; linkLabel: string; link: string };
}

/** Renders an email as text and as HTML. */
export function renderEmail(parts: EmailParts): EmailContent {
  const { subject, message, facts = [], link, notes, footer } = parts;
  const paragraphs = ["Hello,", message, ...factLines(facts), link, ...notes, brand.name];
  if (footer) paragraphs.push(`--\n${footer.text} ${footer.linkLabel}:\n${footer.link}`);
  return {
    subject,
    text: `${paragraphs.join("\n\n")}\n`,
    html: `<!DOCTYPE html>${renderToStaticMarkup(<EmailDocument {...parts} />)}`,
  };
}

function factLines(facts: EmailFacts): string[] {
  return facts.length > 0 ? [facts.map(([term, value]) => `${term}: ${value}`).join("\n")] : [];
}

// Inline styles, because many email clients ignore style sheets.
function EmailDocument({ subject, message, facts = [], linkLabel, link, notes, footer }: EmailParts) {
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
          {/* An answer of staff has lines. */}
          <p style={{ whiteSpace: "pre-line" }}>{message}</p>
          {facts.length > 0 && (
            <p>
              {facts.map(([term, value]) => (
                <span key={term} style={{ display: "block" }}>
                  {term}: <strong>{value}</strong>
                </span>
              ))}
            </p>
          )}
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
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
          <p>{brand.name}</p>
          {footer && (
            <p style={{ marginTop: "32px", fontSize: "13px" }}>
              {footer.text} <a href={footer.link}>{footer.linkLabel}</a>
            </p>
          )}
        </div>
      </body>
    </html>
  );
}
