import { withDatabase } from "../database.ts";
import type { LocalState } from "../local-state.ts";
import { withPhotoStorage } from "../photo-backup.ts";
import { addDemoPhotos } from "./photos.ts";
import { allowsDemoData, seedDemoData } from "./seed.ts";

/**
 * Fills an empty local state with the demo data and its photographs.
 *
 * @returns false if it has accounts, or its database is on another machine
 */
export function fillLocalState(state: LocalState): Promise<boolean> {
  return withDatabase(state, async (db) => {
    const isFilled = allowsDemoData(state) && (await seedDemoData(db));
    if (isFilled) await withPhotoStorage(state, (storage) => addDemoPhotos(db, storage));
    return isFilled;
  });
}
