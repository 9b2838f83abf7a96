import type { AppLoadContext } from "@remix-run/cloudflare";
import { recordJobRun } from "#app/features/administration/job-runs.server.ts";
import { endSuspensions } from "#app/features/moderation/decisions/decision-effects.server.ts";
import { searchSignals } from "#app/features/moderation/signals/signal-search.server.ts";
import { alertModerators, remindModerators } from "#app/features/moderation/waiting-cases.server.ts";
import { deleteOldNotifications } from "#app/features/notifications/notifications.server.ts";
import { forgetSentEmails } from "#app/features/notifications/sent-emails.server.ts";
import { endOverdueOrders, remindOfDeadlines } from "#app/features/orders/order-deadlines.server.ts";
import { cleanUpPhotos } from "#app/features/photos/photo-cleanup.server.ts";
import { purgeRemovals } from "#app/features/profile/purging.server.ts";
import { inviteReviewers } from "#app/features/reviews/review-invitations.server.ts";
import { notifyOfPublishedReviews } from "#app/features/reviews/review-notifications.server.ts";
import { notifySavers } from "#app/features/saved-listings/saved-listing-news.server.ts";
import { alertSearchers } from "#app/features/saved-searches/search-alerts.server.ts";
import { countDays } from "#app/features/statistics/daily-numbers.server.ts";
import { logError } from "#app/server/logging/log.server.ts";
import { sendDueEmails } from "./emails.server.ts";

/** Rows that one run deletes of each kind; the next run continues. */
const maxDeletions = 500;

/**
 * Deletes what is no longer used, ends suspensions, searches for signals, notifies users of what happens by itself, and counts the days. The
 * others run also if one fails.
 *
 * @throws AggregateError with the errors of the jobs that failed
 */
export async function runScheduledJobs(
  context: Pick<AppLoadContext, "db" | "photoStorage" | "environment" | "reference">,
): Promise<void> {
  const { db, photoStorage, environment } = context;
  const jobs: Record<string, () => unknown> = {
    photos: () => photoStorage && cleanUpPhotos(db, photoStorage),
    suspensions: () => endSuspensions(db),
    "overdue orders": () => endOverdueOrders(db),
    "reminders of orders": () => remindOfDeadlines(db),
    "review invitations": () => inviteReviewers(db),
    "published reviews": () => notifyOfPublishedReviews(db),
    // Before the alerts, which take the listings out of the queue that both read.
    signals: () => searchSignals(db),
    "urgent cases": () => alertModerators(db),
    "waiting cases": () => remindModerators(db),
    "saved searches": () => alertSearchers(db),
    "saved listings": () => notifySavers(db),
    // Without an origin for links, they go out with the next write.
    emails: () => environment.PUBLIC_ORIGIN && sendDueEmails(context, environment.PUBLIC_ORIGIN),
    numbers: () => countDays(db),
    "old notifications": () => deleteOldNotifications(db, maxDeletions),
    "records of sent emails": () => forgetSentEmails(db, maxDeletions),
    purging: () => purgeRemovals(db),
  };
  const errors: unknown[] = [];
  const failed: string[] = [];
  for (const [name, job] of Object.entries(jobs)) {
    try {
      await job();
    } catch (error) {
      errors.push(error);
      failed.push(name);
      logError(error, context.reference);
    }
  }
  await recordJobRun(db, failed);
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} scheduled jobs failed.`);
}
