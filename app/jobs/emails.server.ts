import type { AppLoadContext } from "@remix-run/cloudflare";
import { emailBatchSize, queueDueBatch } from "#app/features/notifications/due-emails.server.ts";
import { sendOnce } from "#app/features/notifications/sent-emails.server.ts";
import { logError } from "#app/server/logging/log.server.ts";
import { retryDelay } from "#app/server/mail/email-queue.server.ts";
import { sendMail } from "#app/server/mail/mail.server.ts";
import type { QueuedEmail } from "#app/server/mail/queued-email.ts";

export { mayHaveNotified } from "#app/features/notifications/notify.server.ts";

type Context = Pick<AppLoadContext, "db" | "environment" | "reference">;

/** Of one run of the job; the next run continues. */
const maxBatches = 40;

/** Queues the emails of new notifications, or sends them if there is no queue. @param batches how many, of 25 emails */
export async function queueDueEmails(context: Context, origin: string, batches = maxBatches): Promise<void> {
  const secrets = context.environment.SESSION_SECRET;
  const queue = (emails: QueuedEmail[]) => queueEmails(context, emails);
  for (let taken = 0; taken < batches; taken += 1) {
    if ((await queueDueBatch(context.db, { origin, secrets, queue })) < emailBatchSize) return;
  }
}

async function queueEmails(context: Context, emails: QueuedEmail[]): Promise<void> {
  const { EMAIL_QUEUE, MAIL, MAIL_FROM } = context.environment;
  if (!MAIL || !MAIL_FROM) return;
  if (EMAIL_QUEUE) {
    await EMAIL_QUEUE.sendBatch(emails.map((body) => ({ body })));
    return;
  }
  // Without a queue an email that fails is not tried again, and holds up no other.
  const send = (email: QueuedEmail) =>
    sendQueued(context, email).catch((error) => logError(error, context.reference));
  await Promise.all(emails.map(send));
}

/** The consumer of the email queue: sends a batch. The queue delivers those that fail again, and at last puts them on the dead-letter queue. */
export async function consumeEmails(
  context: Context,
  messages: readonly Message<QueuedEmail>[],
): Promise<void> {
  await Promise.all(
    messages.map(async (message) => {
      try {
        const outcome = await sendQueued(context, message.body);
        if (outcome === "being sent") message.retry({ delaySeconds: retryDelay(message.attempts) });
        else message.ack();
      } catch (error) {
        logError(error, context.reference);
        message.retry({ delaySeconds: retryDelay(message.attempts) });
      }
    }),
  );
}

async function sendQueued(context: Context, { id, expiresAt, ...mail }: QueuedEmail) {
  if (expiresAt !== undefined && expiresAt < Date.now()) return "expired";
  const onUnrecorded = (error: unknown) => logError(error, context.reference);
  return sendOnce(context.db, id, () => sendMail(context, mail), onUnrecorded);
}
