import { brand } from "#app/brand.ts";
import { type EmailContent, renderEmail } from "#app/server/mail/render-email.server.tsx";

/** The email of an answer to a problem report. It quotes nothing of the report: anyone can send one with another's address. */
export function reportAnswerEmail(answer: string, link: string): EmailContent {
  return renderEmail({
    subject: `An answer to your report to ${brand.name}`,
    message: answer,
    linkLabel: "Read and write back",
    link,
    notes: [
      "Write back on that page, since nobody reads answers to this email. Whoever has the link can read your report.",
      `Didn’t write to ${brand.name}? Ignore this email.`,
    ],
  });
}
