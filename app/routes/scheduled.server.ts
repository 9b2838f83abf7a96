import type { AppLoadContext } from "@remix-run/cloudflare";
import { cleanUpPhotos } from "#app/features/photos/photo-cleanup.server.ts";
import { inviteReviewers } from "#app/features/reviews/review-invitations.server.ts";
import { notifyOfPublishedReviews } from "#app/features/reviews/review-notifications.server.ts";
import { tellSavers } from "#app/features/saved-listings/saved-listing-news.server.ts";
import { alertSearchers } from "#app/features/saved-searches/search-alerts.server.ts";

/** Deletes photos that are no longer used, and tells users of what happens by itself. */
export async function runScheduledJobs({
  db,
  photoStorage,
}: Pick<AppLoadContext, "db" | "photoStorage">): Promise<void> {
  if (photoStorage) await cleanUpPhotos(db, photoStorage);
  await inviteReviewers(db);
  await notifyOfPublishedReviews(db);
  await alertSearchers(db);
  await tellSavers(db);
}
