import type { AppLoadContext } from "@remix-run/cloudflare";
import { notifyOfAnnouncements } from "#app/features/administration/announcements.server.ts";
import { backUp } from "#app/features/administration/backup.server.ts";
import { recordJobRun } from "#app/features/administration/job-runs.server.ts";
import { notifyOfWork } from "#app/features/administration/work.server.ts";
import { refreshUsualPrices } from "#app/features/listings/fair-price.server.ts";
import { deleteOldImports } from "#app/features/listings/import/imports.server.ts";
import { endSuspensions } from "#app/features/moderation/decisions/decision-effects.server.ts";
import { searchSignals } from "#app/features/moderation/signals/signal-search.server.ts";
import { alertModerators } from "#app/features/moderation/urgent-cases.server.ts";
import { deleteOldNotifications } from "#app/features/notifications/notifications.server.ts";
import { forgetSentEmails } from "#app/features/notifications/sent-emails.server.ts";
import { endOverdueAnswers, remindOfProblems } from "#app/features/order-problems/order-problems.server.ts";
import { notifyOfListingsGone, notifyOfSidesGone } from "#app/features/orders/ended-offers.server.ts";
import { endOverdueOrders, remindOfDeadlines } from "#app/features/orders/order-deadlines.server.ts";
import { isBookableBy } from "#app/features/orders/rebooking.server.ts";
import { hasProvider } from "#app/features/payments/provider.ts";
import { inviteReviewers, notifyOfPublishedReviews } from "#app/features/reviews/review-jobs.server.ts";
import { notifySavers } from "#app/features/saved-listings/saved-listing-news.server.ts";
import { notifySavedSearchOwners } from "#app/features/saved-searches/search-alerts.server.ts";
import { forgetEmptySearches } from "#app/features/statistics/empty-searches.server.ts";
import { storeDailyNumbers } from "#app/features/statistics/numbers.server.ts";
import { logError } from "#app/server/logging/log.server.ts";
import { sendDueEmails } from "./emails.server.ts";
import { continueImports } from "./imports.server.ts";

/** Rows that one run deletes of each kind; the next run continues. */
const maxDeletions = 500;

/**
 * Runs each job with its own connection, so that the others run if one fails.
 *
 * @throws AggregateError with the errors of the jobs that failed
 */
export async function runScheduledJobs(
  context: Pick<AppLoadContext, "photoStorage" | "environment" | "reference"> & {
    openDb(): Promise<AppLoadContext["db"]>;
  },
): Promise<void> {
  const { photoStorage, environment, reference, openDb } = context;
  const jobs: Record<string, (db: AppLoadContext["db"]) => unknown> = {
    // First, since others read what they change.
    "events of payments": async (db) =>
      hasProvider(environment) &&
      (await import("./payment-events.server.ts")).retryPaymentEvents({ ...context, db }),
    photos: async (db) =>
      photoStorage &&
      (await import("#app/features/photos/photo-cleanup.server.ts")).cleanUpPhotos(db, photoStorage),
    "paused listings": async (db) =>
      (await import("#app/features/listings/sale-change.server.ts")).resumePaused(db),
    "imports of listings": (db) => continueImports({ db, environment, photoStorage, reference }),
    suspensions: (db) => endSuspensions(db),
    "decisions about problems": async (db) =>
      (await import("#app/features/order-problems/pending-decisions.server.ts")).carryOutDecisions(db),
    // Before the overdue orders, of which one may have been paid.
    payments: async (db) =>
      (await import("./payments.server.ts")).workOffPayments({ db, environment, reference }),
    "overdue orders": (db) => endOverdueOrders(db),
    "reminders of orders": (db) => remindOfDeadlines(db),
    "offers for listings that are gone": (db) => notifyOfListingsGone(db),
    "offers of people who are gone": (db) => notifyOfSidesGone(db),
    "overdue problems": (db) => endOverdueAnswers(db),
    "reminders of problems": (db) => remindOfProblems(db),
    "review invitations": (db) => inviteReviewers(db),
    "published reviews": (db) => notifyOfPublishedReviews(db),
    // Before the alerts, which take the listings out of the queue that both read.
    signals: async (db) => {
      const { PUBLIC_ORIGIN } = environment;
      await searchSignals(db, new Date(), PUBLIC_ORIGIN && new URL(PUBLIC_ORIGIN).host);
    },
    "urgent cases": (db) => alertModerators(db),
    work: (db) => notifyOfWork(db),
    "saved searches": (db) => notifySavedSearchOwners(db),
    "saved listings": (db) => notifySavers(db, isBookableBy),
    announcements: (db) => notifyOfAnnouncements(db),
    // Without an origin for links, they go out with the next write.
    emails: (db) => environment.PUBLIC_ORIGIN && sendDueEmails({ ...context, db }, environment.PUBLIC_ORIGIN),
    backup: (db) => environment.BACKUPS && backUp(db, environment.BACKUPS),
    "usual prices": (db) => refreshUsualPrices(db),
    "comparison of payments": async (db) =>
      hasProvider(environment) &&
      (await import("./payment-events.server.ts")).reconcileDaily({ ...context, db }),
    numbers: (db) => storeDailyNumbers(db),
    "searches without results": (db) => forgetEmptySearches(db),
    "old notifications": (db) => deleteOldNotifications(db, maxDeletions),
    "records of sent emails": (db) => forgetSentEmails(db, maxDeletions),
    "old errors": async (db) =>
      (await import("#app/features/administration/recorded-errors.server.ts")).forgetErrors(db, maxDeletions),
    "old imports": (db) => deleteOldImports(db),
    purging: async (db) => (await import("#app/features/profile/purging.server.ts")).purgeRemovals(db),
  };
  const errors: unknown[] = [];
  const failedJobs: string[] = [];
  for (const [name, job] of Object.entries(jobs)) {
    try {
      await job(await openDb());
    } catch (error) {
      errors.push(error);
      failedJobs.push(name);
      logError(error, context.reference);
    }
  }
  await recordJobRun(await openDb(), failedJobs);
  try {
    const { notifyOfAlarms } = await import("#app/features/administration/alarms.server.ts");
    await notifyOfAlarms(await openDb(), { failedJobs, backups: environment.BACKUPS });
  } catch (error) {
    errors.push(error);
    failedJobs.push("alarms");
    logError(error, context.reference);
  }
  if (errors.length > 0) throw new AggregateError(errors, `Scheduled jobs failed: ${failedJobs.join(", ")}.`);
}
