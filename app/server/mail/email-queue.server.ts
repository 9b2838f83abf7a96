import { logError, logWarning } from "../logging/log.server.ts";
import { isMailConfigured, type MailContext, mailNotConfigured, sendMail } from "./mail.server.ts";
import type { QueuedEmail } from "./queued-email.ts";

/** Puts an email on the queue, or sends it at once if there is no queue or it fails. */
export async function queueEmail(context: MailContext, email: QueuedEmail): Promise<void> {
  const { EMAIL_QUEUE } = context.environment;
  if (EMAIL_QUEUE) {
    try {
      await EMAIL_QUEUE.send(email);
      return;
    } catch (error) {
      logError(error, context.reference);
    }
  }
  if (!isMailConfigured(context.environment)) {
    logWarning("email not sent", mailNotConfigured, context.reference);
    return;
  }
  const { id, expiresAt, ...mail } = email;
  await sendMail(context, mail);
}

/** Seconds until a message is delivered again: a minute after the first attempt, then twice as long each time, up to an hour. */
export function retryDelay(attempts: number): number {
  return Math.min(60 * 2 ** (attempts - 1), 3600);
}
