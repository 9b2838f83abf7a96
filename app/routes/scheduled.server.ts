import type { AppLoadContext } from "@remix-run/cloudflare";
import { sweepPhotos } from "#app/features/photos/photo-sweep.server.ts";

/** Runs the scheduled jobs: deletes photos that are no longer used. */
export async function runScheduledJobs(
  db: AppLoadContext["db"],
  pictures: AppLoadContext["pictures"],
): Promise<void> {
  if (pictures) await sweepPhotos(db, pictures);
}
