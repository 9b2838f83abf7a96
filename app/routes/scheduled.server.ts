import type { AppLoadContext } from "@remix-run/cloudflare";
import { sweepPhotos } from "#app/features/photos/photo-sweep.server.ts";

/** Deletes photos that are no longer used. */
export async function runScheduledJobs(
  db: AppLoadContext["db"],
  photoStorage: AppLoadContext["photoStorage"],
): Promise<void> {
  if (photoStorage) await sweepPhotos(db, photoStorage);
}
