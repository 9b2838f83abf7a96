import type { Db } from "#app/db/client.server.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { fetchPhoto, notSentText, openPhotoZip, zipRefusals } from "../../photos/imported-photos.server.ts";
import { addPhoto, listingForPhotos } from "../../photos/photo-changes.server.ts";
import type { PhotoStorage } from "../../photos/photo-objects.server.ts";
import { noStorageText, photoRefusalText } from "../../photos/photo-refusals.ts";
import { selectPhotos } from "../../photos/photos.server.ts";

/**
 * Returns what adds photos to a listing of the seller, from links and from a ZIP in the bucket, and says why some could
 * not be added. What was added is recorded at once: the names, with ids in place of those. Repeated, it adds none twice.
 */
export function photoAdder(
  db: Db,
  seller: Viewer,
  archive: string | null,
  { photoStorage, reference = "" }: { photoStorage?: PhotoStorage | null; reference?: string },
) {
  let opened: ReturnType<typeof openPhotoZip> | undefined;
  async function load({ bucket }: PhotoStorage, name: string) {
    if (name.includes("://")) return fetchPhoto(name);
    if (!archive) return { refusal: notSentText };
    opened ??= openPhotoZip(bucket, archive);
    const zip = await opened;
    return "refusal" in zip ? { refusal: zipRefusals[zip.refusal] } : zip.read(name);
  }
  return async (
    phoneId: string,
    names: string[],
    record: (names: string[]) => PromiseLike<unknown>,
  ): Promise<string[]> => {
    if (!photoStorage) return [noStorageText];
    const target = listingForPhotos(db, seller, phoneId);
    const remarks: string[] = [];
    const before = (await selectPhotos(db, phoneId)).map(({ id }) => id);
    const recorded = [...names];
    for (const [index, name] of names.entries()) {
      if (before.includes(name)) continue;
      const loaded = await load(photoStorage, name);
      const added =
        "file" in loaded ? await addPhoto(db, photoStorage, target, loaded.file, reference) : null;
      if (added && "added" in added) {
        recorded[index] = added.added;
        await record(recorded);
      }
      if (added && "refusal" in added) remarks.push(`${name}: ${photoRefusalText(added.refusal)}`);
      if ("refusal" in loaded) remarks.push(`${name}: ${loaded.refusal}`);
    }
    return remarks;
  };
}
