import type { AppLoadContext } from "@remix-run/cloudflare";
import { endSuspensions } from "#app/features/moderation/decision-effects.server.ts";
import { cleanUpPhotos } from "#app/features/photos/photo-cleanup.server.ts";
import { inviteReviewers } from "#app/features/reviews/review-invitations.server.ts";
import { notifyOfPublishedReviews } from "#app/features/reviews/review-notifications.server.ts";
import { tellSavers } from "#app/features/saved-listings/saved-listing-news.server.ts";

/** Deletes photos that are no longer used, ends suspensions, and tells users of what happens by itself. */
export async function runScheduledJobs({
  db,
  photoStorage,
}: Pick<AppLoadContext, "db" | "photoStorage">): Promise<void> {
  if (photoStorage) await cleanUpPhotos(db, photoStorage);
  await endSuspensions(db);
  await inviteReviewers(db);
  await notifyOfPublishedReviews(db);
  await tellSavers(db);
}
