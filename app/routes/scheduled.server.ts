import type { AppLoadContext } from "@remix-run/cloudflare";
import { sweepPhotos } from "#app/features/photos/photo-sweep.server.ts";

/** What is done every few minutes, whether anybody visits or not. */
export async function atEachTick(
  db: AppLoadContext["db"],
  pictures: AppLoadContext["pictures"],
): Promise<void> {
  if (pictures) await sweepPhotos(db, pictures);
}
