import { brand } from "#app/brand.ts";
import type { RequestContext } from "../http/request-context.server.ts";
import type { Mail } from "./due-email.ts";

/** What sending needs of a request's context. */
type MailContext = Pick<RequestContext, "environment" | "reference">;

/** Why an email was not sent; the message has no personal data. */
export class MailError extends Error {
  override name = "MailError";
}

export const mailNotConfigured = "Email is not configured: bind MAIL and set MAIL_FROM.";

export function isMailConfigured({ MAIL, MAIL_FROM }: MailContext["environment"]): boolean {
  return Boolean(MAIL && MAIL_FROM);
}

/**
 * Sends an email through the `MAIL` binding.
 *
 * @throws MailError
 * @see https://developers.cloudflare.com/email-service/api/send-emails/workers-api/
 */
export async function sendMail({ environment: { MAIL, MAIL_FROM } }: MailContext, mail: Mail): Promise<void> {
  if (!MAIL || !MAIL_FROM) throw new MailError(mailNotConfigured);
  try {
    await MAIL.send({ from: { name: brand.name, email: MAIL_FROM }, ...mail });
  } catch (error) {
    // The error's message may contain the address.
    const code = (error as { code?: unknown } | null)?.code;
    throw new MailError(`The email was rejected (${typeof code === "string" ? code : "no code"}).`);
  }
}
