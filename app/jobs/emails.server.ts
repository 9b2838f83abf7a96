import type { AppLoadContext } from "@remix-run/cloudflare";
import { sendDueBatch } from "#app/features/notifications/due-emails.server.ts";
import { sendOnce } from "#app/features/notifications/sent-emails.server.ts";
import { bookingFacts } from "#app/features/orders/booking-email.ts";
import { findPlacedOrders } from "#app/features/orders/orders.server.ts";
import { logError } from "#app/server/logging/log.server.ts";
import { retryDelay } from "#app/server/mail/email-queue.server.ts";
import { isMailConfigured, MailError, mailNotConfigured, sendMail } from "#app/server/mail/mail.server.ts";
import type { EmailMessage, EmailsDue, QueuedEmail } from "#app/server/mail/queued-email.ts";

type Context = Pick<AppLoadContext, "db" | "environment" | "reference">;

/** Of one run, so that it stays within the limits of an invocation. The next message or run continues. */
const maxBatches = 20;

/** Has the emails of new notifications sent: by the consumer of the queue or, without a queue, at once. */
export async function sendDueEmails(context: Context, origin: string): Promise<void> {
  const { EMAIL_QUEUE } = context.environment;
  const due: EmailsDue = { origin, after: null };
  if (EMAIL_QUEUE) await EMAIL_QUEUE.send(due);
  else await sendDueBatches(context, due);
}

/** Sends the emails of new notifications. Those that cannot be sent stay due. @returns the last one; null if it was the last that is due */
async function sendDueBatches(context: Context, { origin, after }: EmailsDue): Promise<string | null> {
  const secrets = context.environment.SESSION_SECRET;
  const failures: string[] = [];
  const send = async (emails: QueuedEmail[]) => {
    if (!isMailConfigured(context.environment)) {
      failures.push(...emails.map(() => mailNotConfigured));
      return emails;
    }
    const outcomes = await Promise.all(emails.map((email) => trySending(context, email)));
    failures.push(...outcomes.flatMap(({ failure }) => failure ?? []));
    return emails.filter((_, index) => !outcomes[index]?.done);
  };
  const bookingFactsOf = async (paths: string[]) => {
    const orders = await findPlacedOrders(
      context.db,
      paths.map((path) => path.split("/").at(-1) ?? ""),
    );
    return new Map(orders.map((order) => [`/manage/orders/${order.id}`, bookingFacts(order)]));
  };
  let last = after;
  for (let batches = 0; batches < maxBatches; batches += 1) {
    last = await sendDueBatch(
      context.db,
      { origin, secrets, bookingFacts: bookingFactsOf, send },
      { after: last },
    );
    if (last === null) break;
  }
  logUnsent(context, failures);
  return last;
}

/** The consumer of the email queue. The queue delivers emails that fail again, and at last puts them on the dead-letter queue. */
export async function consumeEmails(
  context: Context,
  messages: readonly Message<EmailMessage>[],
): Promise<void> {
  const due = messages.map(({ body }) => body).find((body) => "origin" in body);
  if (due) {
    const after = await sendDueBatches(context, due);
    if (after !== null) await context.environment.EMAIL_QUEUE?.send({ ...due, after });
  }
  const outcomes = await Promise.all(
    messages.map(async (message) => {
      if ("origin" in message.body) return message.ack();
      const { done, failure } = await trySending(context, message.body);
      if (done) message.ack();
      else message.retry({ delaySeconds: retryDelay(message.attempts) });
      return failure;
    }),
  );
  logUnsent(
    context,
    outcomes.flatMap((failure) => failure ?? []),
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
