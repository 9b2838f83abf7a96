import { brand } from "#app/brand.ts";
import type { RequestContext } from "../http/request-context.server.ts";
import { logInfo } from "../logging/log.server.ts";
import type { Mail } from "./queued-email.ts";

/** What sending needs of a request's context. */
export type MailContext = Pick<RequestContext, "environment" | "reference">;

/**
 * Sends an email through the `MAIL` binding, or logs a message if email is not configured.
 * @see https://developers.cloudflare.com/email-service/api/send-emails/workers-api/
 */
export async function sendMail({ environment, reference }: MailContext, mail: Mail): Promise<void> {
  const { MAIL, MAIL_FROM } = environment;
  if (!MAIL || !MAIL_FROM) {
    logInfo("Email is not configured, so none was sent. Bind MAIL and set MAIL_FROM.", reference);
    return;
  }
  try {
    await MAIL.send({ from: { name: brand.name, email: MAIL_FROM }, ...mail });
  } catch (error) {
    // The error's message may contain the address.
    const code = (error as { code?: unknown } | null)?.code;
    throw new Error(`The email was rejected (${typeof code === "string" ? code : "no code"}).`);
  }
}
