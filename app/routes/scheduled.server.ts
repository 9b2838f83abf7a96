import type { AppLoadContext } from "@remix-run/cloudflare";
import { endSuspensions } from "#app/features/moderation/decision-effects.server.ts";
import { deleteOldNotifications } from "#app/features/notifications/notifications.server.ts";
import { forgetSentEmails } from "#app/features/notifications/sent-emails.server.ts";
import { cleanUpPhotos } from "#app/features/photos/photo-cleanup.server.ts";
import { purgeRemovals } from "#app/features/profile/purging.server.ts";
import { inviteReviewers } from "#app/features/reviews/review-invitations.server.ts";
import { notifyOfPublishedReviews } from "#app/features/reviews/review-notifications.server.ts";
import { tellSavers } from "#app/features/saved-listings/saved-listing-news.server.ts";
import { alertSearchers } from "#app/features/saved-searches/search-alerts.server.ts";
import { countDays } from "#app/features/statistics/daily-numbers.server.ts";
import { sendDueEmails } from "./emails.server.ts";

/** Rows that one run deletes of each kind; the next run continues. */
const portion = 500;

/** Deletes what is no longer used, ends suspensions, tells users of what happens by itself, and counts the days. */
export async function runScheduledJobs(
  context: Pick<AppLoadContext, "db" | "photoStorage" | "environment" | "reference">,
): Promise<void> {
  const { db, photoStorage, environment } = context;
  if (photoStorage) await cleanUpPhotos(db, photoStorage);
  await endSuspensions(db);
  await inviteReviewers(db);
  await notifyOfPublishedReviews(db);
  await alertSearchers(db);
  await tellSavers(db);
  // Without an origin for links, the next request that notifies someone sends them.
  if (environment.PUBLIC_ORIGIN) await sendDueEmails(context, environment.PUBLIC_ORIGIN);
  await countDays(db);
  await deleteOldNotifications(db, portion);
  await forgetSentEmails(db, portion);
  await purgeRemovals(db);
}
