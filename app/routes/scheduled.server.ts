import type { AppLoadContext } from "@remix-run/cloudflare";
import { cleanUpPhotos } from "#app/features/photos/photo-cleanup.server.ts";

/** Deletes photos that are no longer used. */
export async function runScheduledJobs(
  db: AppLoadContext["db"],
  photoStorage: AppLoadContext["photoStorage"],
): Promise<void> {
  if (photoStorage) await cleanUpPhotos(db, photoStorage);
}
