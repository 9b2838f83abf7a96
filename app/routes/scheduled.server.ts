import type { AppLoadContext } from "@remix-run/cloudflare";
import { sweepPhotos } from "#app/features/photos/photo-sweep.server.ts";

/** Runs every few minutes, by the cron trigger in `wrangler.toml`. */
export async function runScheduledJobs(
  db: AppLoadContext["db"],
  pictures: AppLoadContext["pictures"],
): Promise<void> {
  if (pictures) await sweepPhotos(db, pictures);
}
