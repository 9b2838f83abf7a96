import type { AppLoadContext } from "@remix-run/cloudflare";
import { queueDueBatch } from "#app/features/notifications/due-emails.server.ts";
import { sendOnce } from "#app/features/notifications/sent-emails.server.ts";
import { logError } from "#app/server/logging/log.server.ts";
import { retryDelay } from "#app/server/mail/email-queue.server.ts";
import { isMailConfigured, MailError, mailNotConfigured, sendMail } from "#app/server/mail/mail.server.ts";
import type { QueuedEmail } from "#app/server/mail/queued-email.ts";

export { mayHaveNotified } from "#app/features/notifications/notify.server.ts";

type Context = Pick<AppLoadContext, "db" | "environment" | "reference">;

/** Of one run of the job; the next run continues. */
const maxBatches = 40;

/**
 * Queues the emails of new notifications, or sends them if there is no queue. Those that cannot be sent stay due.
 *
 * @param batches how many, of 25 emails
 */
export async function queueDueEmails(context: Context, origin: string, batches = maxBatches): Promise<void> {
  const secrets = context.environment.SESSION_SECRET;
  const failures: string[] = [];
  const queue = (emails: QueuedEmail[]) => queueEmails(context, emails, failures);
  let after: string | null = null;
  for (let taken = 0; taken < batches; taken += 1) {
    after = await queueDueBatch(context.db, { origin, secrets, queue }, { after });
    if (after === null) break;
  }
  logUnsent(context, failures);
}

/** @returns the emails that were neither queued nor sent */
async function queueEmails(context: Context, emails: QueuedEmail[], failures: string[]) {
  const { EMAIL_QUEUE } = context.environment;
  if (!isMailConfigured(context.environment)) {
    failures.push(...emails.map(() => mailNotConfigured));
    return emails;
  }
  if (EMAIL_QUEUE) {
    await EMAIL_QUEUE.sendBatch(emails.map((body) => ({ body })));
    return [];
  }
  const outcomes = await Promise.all(emails.map((email) => trySending(context, email)));
  failures.push(...outcomes.flatMap(({ failure }) => failure ?? []));
  return emails.filter((_, index) => !outcomes[index]?.done);
}

/** The consumer of the email queue: sends a batch. The queue delivers those that fail again, and at last puts them on the dead-letter queue. */
export async function consumeEmails(
  context: Context,
  messages: readonly Message<QueuedEmail>[],
): Promise<void> {
  const outcomes = await Promise.all(messages.map(({ body }) => trySending(context, body)));
  for (const [index, message] of messages.entries()) {
    if (outcomes[index]?.done) message.ack();
    else message.retry({ delaySeconds: retryDelay(message.attempts) });
  }
  logUnsent(
    context,
    outcomes.flatMap(({ failure }) => failure ?? []),
  );
}

/** Sends an email once. It is done if it was sent, now or before, or has expired. */
async function trySending(
  context: Context,
  { id, expiresAt, ...mail }: QueuedEmail,
): Promise<{ done: boolean; failure?: string }> {
  if (expiresAt !== undefined && expiresAt < Date.now()) return { done: true };
  const onUnrecorded = (error: unknown) => logError(error, context.reference);
  try {
    const outcome = await sendOnce(context.db, id, () => sendMail(context, mail), onUnrecorded);
    return { done: outcome === "sent" };
  } catch (error) {
    if (!(error instanceof MailError)) logError(error, context.reference);
    return { done: false, failure: error instanceof MailError ? error.message : "The database failed." };
  }
}

/** One line for each run. */
function logUnsent({ reference }: Context, failures: string[]): void {
  if (failures.length === 0) return;
  const reasons = [...new Set(failures)].join(" ");
  logError(new Error(`${failures.length} emails were not sent. ${reasons}`), reference);
}
