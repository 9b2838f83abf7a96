import { brand } from "#app/brand.ts";
import type { RequestContext } from "../http/request-context.server.ts";
import { logNotice } from "../logging/log.server.ts";

/** A mail to one address, as plain text and as HTML. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/**
 * Sends a mail by the deployment's `MAIL` binding. Where mail is not configured nothing is sent, and the log
 * says so. @see https://developers.cloudflare.com/email-service/api/send-emails/workers-api/
 *
 * @throws Error when it is not taken, naming the binding's own code and nothing of the mail
 */
export async function sendMail({ environment, reference }: RequestContext, mail: Mail): Promise<void> {
  const { MAIL, MAIL_FROM } = environment;
  if (!MAIL || !MAIL_FROM) {
    logNotice("Mail is not configured, so none was sent: bind MAIL and set MAIL_FROM.", reference);
    return;
  }
  try {
    await MAIL.send({ from: { name: brand.name, email: MAIL_FROM }, ...mail });
  } catch (fault) {
    // The fault's own message may name the address.
    const code = (fault as { code?: unknown } | null)?.code;
    throw new Error(`The mail was not taken (${typeof code === "string" ? code : "no code"}).`);
  }
}
