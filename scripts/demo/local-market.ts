import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withDatabase } from "../database.ts";
import type { LocalState } from "../local-state.ts";
import { withPhotoStorage } from "../photo-backup.ts";
import { messageOf } from "../run-command.ts";
import { addDemoPhotos } from "./photos.ts";
import { allowsDemoData, seedDemoData } from "./seed.ts";

/**
 * Fills an empty local state with the demo data and its photographs, or goes on with photographs where it was
 * interrupted or one failed.
 *
 * @param isProtected whether the market has a payment provider
 * @param signal ends it early, between two listings' photographs
 * @returns false if it has accounts, or its database is on another machine
 */
export function fillLocalState(
  state: LocalState,
  { signal, isProtected = false }: { signal?: AbortSignal; isProtected?: boolean } = {},
): Promise<boolean> {
  // Listings cannot tell: their sellers may have removed photographs.
  const unfinished = join(state.folder, "demo-photos-unfinished");
  return withDatabase(state, async (db) => {
    if (!allowsDemoData(state) || signal?.aborted) return false;
    const wasUnfinished = existsSync(unfinished);
    // Before the data, after which an interruption would leave nothing to go on by.
    await writeFile(unfinished, "");
    const isFilled = await seedDemoData(db, { isProtected });
    if (!isFilled && !wasUnfinished) await rm(unfinished);
    if (existsSync(unfinished)) {
      try {
        await withPhotoStorage(state, (storage) => addDemoPhotos(db, storage, signal));
        if (!signal?.aborted) await rm(unfinished);
      } catch (error) {
        // The market is of use without them.
        console.error(
          `Photographs of the demo data are missing; the next start tries again. ${messageOf(error)}`,
        );
      }
    }
    return isFilled;
  });
}
