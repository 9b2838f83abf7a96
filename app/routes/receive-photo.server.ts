import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { hasOpenedProblem, problemForPhotos } from "#app/features/order-problems/problem-photos.server.ts";
import { maxPhotoBytes, type PhotoOwner, photoTypes } from "#app/features/photos/photo.rules.ts";
import { addPhoto, draftForPhotos, listingForPhotos } from "#app/features/photos/photo-changes.server.ts";
import { noStorageText, type PhotoRefusal, photoRefusalText } from "#app/features/photos/photo-refusals.ts";
import { findOwnPhotos } from "#app/features/photos/photos.server.ts";
import { isFile, readFile } from "#app/server/forms/files.server.ts";
import { isFormKey } from "#app/server/forms/forms.server.ts";

const statuses: Partial<Record<PhotoRefusal, number>> = {
  "not a photo": 415,
  "too large": 413,
  "too many": 409,
  "not editable": 409,
  unavailable: 503,
};

const unsupportedTypeText = `Send the file itself as the body, with its content type: ${photoTypes.replaceAll(",", ", ")}.`;

const owners = {
  listing: { isOwn: findOwnPhotos, target: listingForPhotos },
  // Also one that is not saved yet. Another seller's draft of the same id is another draft.
  draft: { isOwn: async (_: unknown, __: unknown, id: string) => isFormKey(id), target: draftForPhotos },
  problem: { isOwn: hasOpenedProblem, target: problemForPhotos },
};

interface UploadRefusal {
  status: number;
  text: string;
  headers?: Record<string, string>;
}

/** Adds one photo, which is the whole body of a request, to a listing or draft of the viewer, or a problem that they have opened. */
export async function receivePhoto(
  { db, photoStorage, reference }: AppLoadContext,
  request: Request,
  viewer: Viewer,
  owner: PhotoOwner,
  id: string,
): Promise<{ added: string; existing?: true } | UploadRefusal> {
  const { isOwn, target } = owners[owner];
  if (!(await isOwn(db, viewer, id))) return { status: 404, text: `No such ${owner}.` };
  if (!photoStorage) return { status: 503, text: noStorageText };
  if (!isFile(request)) {
    await readFile(request, 0);
    return { status: 415, text: unsupportedTypeText, headers: { Accept: photoTypes } };
  }
  // The body, which may be large, is read only after these checks.
  const bytes = await readFile(request, maxPhotoBytes);
  const outcome = bytes
    ? await addPhoto(db, photoStorage, target(db, viewer, id), bytes, reference)
    : { refusal: "too large" as const };
  if ("added" in outcome) return outcome;
  const status = statuses[outcome.refusal] ?? 400;
  const headers = status === 415 ? { Accept: photoTypes } : undefined;
  return { status, text: photoRefusalText(outcome.refusal, owner), headers };
}
