import type { AppLoadContext } from "@remix-run/cloudflare";
import { sendDueAccountEmails } from "#app/features/accounts/due-account-emails.server.ts";
import { findMailedReasons } from "#app/features/moderation/decisions/own-decisions.server.ts";
import { type DueNotification, sendDueBatch } from "#app/features/notifications/due-emails.server.ts";
import { sendOnce } from "#app/features/notifications/sent-emails.server.ts";
import { findProblemFacts, problemEmailFacts } from "#app/features/order-problems/problem-email.server.ts";
import { offerEmailFacts } from "#app/features/orders/offer.rules.ts";
import { findRebookingWaits } from "#app/features/orders/offers.server.ts";
import { findMailedOrders, orderEmailFacts } from "#app/features/orders/order-email.server.ts";
import { hasProvider } from "#app/features/payments/provider.ts";
import { sendDueTicketAnswers } from "#app/features/support-tickets/tickets.server.ts";
import { logError } from "#app/server/logging/log.server.ts";
import type { DueEmail, EmailQueueMessage } from "#app/server/mail/due-email.ts";
import { isMailConfigured, MailError, mailNotConfigured, sendMail } from "#app/server/mail/mail.server.ts";

type Context = Pick<AppLoadContext, "db" | "environment" | "reference">;

/** Of one run, so that it stays within the limits of an invocation. The next message or run continues. */
const maxBatches = 20;

/** Has the emails that are due sent: by the consumer of the queue or, without a queue, at once. */
export async function sendDueEmails(context: Context, origin: string): Promise<void> {
  const { EMAIL_QUEUE } = context.environment;
  const due: EmailQueueMessage = { origin, after: null };
  if (EMAIL_QUEUE) await EMAIL_QUEUE.send(due);
  else await sendDueBatches(context, due);
}

/** The consumer of the email queue. One message of a batch says it all: the one that begins at the start, if any. */
export async function consumeEmails(context: Context, messages: readonly EmailQueueMessage[]): Promise<void> {
  const message = messages.find(({ after }) => after === null) ?? messages[0];
  if (!message) return;
  const after = await sendDueBatches(context, message);
  if (after !== null) await context.environment.EMAIL_QUEUE?.send({ ...message, after });
}

/** Sends the emails that are due. Those that cannot be sent stay due. @returns the last notification; null if no more are due */
async function sendDueBatches(
  context: Context,
  { origin, after }: EmailQueueMessage,
): Promise<string | null> {
  const { db, environment } = context;
  const failures: string[] = [];
  const send = async (email: DueEmail) => {
    const { isDone, failure } = await trySending(context, email);
    if (failure) failures.push(failure);
    return isDone;
  };
  const factsOf = async (due: DueNotification[]) => {
    const ofPage = due.filter(({ path }) => /^\/manage\/orders\/[^/]+$/.test(path));
    const problems = due.filter(({ path }) => path.endsWith("/problem"));
    const [ofOrders, ofProblems, waits, reasons] = await Promise.all([
      ofPage.length > 0 ? findMailedOrders(db, ofPage.map(orderIdOf)) : [],
      problems.length > 0
        ? findProblemFacts(
            db,
            problems.map((notice) => ({ orderId: orderIdOf(notice), event: notice.event })),
          )
        : [],
      findRebookingWaits(db, due),
      findMailedReasons(db, due),
    ]);
    return new Map([
      ...due.map(
        ({ id, kind, createdAt, event }) => [id, offerEmailFacts(kind, createdAt, waits.get(event))] as const,
      ),
      ...reasons,
      ...ofPage.map((notice) => {
        const order = ofOrders.find(({ id }) => id === orderIdOf(notice));
        return [
          notice.id,
          order ? orderEmailFacts(notice.kind, order, notice.userId, hasProvider(environment)) : [],
        ] as const;
      }),
      ...problems.map((notice, index) => {
        const problem = ofProblems[index];
        return [notice.id, problem ? problemEmailFacts(problem, notice.userId) : []] as const;
      }),
    ]);
  };
  const secrets = environment.SESSION_SECRET;
  if (after === null) {
    await sendDueAccountEmails(db, origin, send);
    await sendDueTicketAnswers(db, { origin, secrets, send });
  }
  let last = after;
  for (let batches = 0; batches < maxBatches; batches += 1) {
    const route = { origin, secrets, factsOf, send };
    last = await sendDueBatch(db, route, { after: last });
    if (last === null) break;
  }
  if (failures.length > 0) logUnsent(context, failures);
  return last;
}

/** The order that a notification leads to, from the path of its page or its problem's. */
const orderIdOf = ({ path }: DueNotification) => path.split("/")[3] ?? "";

/** Sends an email once. It is done if it was sent, now or before. */
async function trySending(
  context: Context,
  { id, write }: DueEmail,
): Promise<{ isDone: boolean; failure?: string }> {
  if (!isMailConfigured(context.environment)) return { isDone: false, failure: mailNotConfigured };
  const onUnrecorded = (error: unknown) => logError(error, context.reference);
  try {
    const send = async () => sendMail(context, await write());
    return { isDone: (await sendOnce(context.db, id, send, onUnrecorded)) === "sent" };
  } catch (error) {
    if (!(error instanceof MailError)) logError(error, context.reference);
    return { isDone: false, failure: error instanceof MailError ? error.message : "The database failed." };
  }
}

/** One line for each run. */
function logUnsent({ reference }: Context, failures: string[]): void {
  const reasons = [...new Set(failures)].join(" ");
  logError(new Error(`Emails not sent: ${failures.length}. ${reasons}`), reference);
}
