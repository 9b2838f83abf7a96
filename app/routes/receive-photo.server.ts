import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import {
  maxPhotoBytes,
  noStorageText,
  type PhotoRefusal,
  refusalText,
} from "#app/features/photos/photo.rules.ts";
import { addPhoto, findOwnPhotos } from "#app/features/photos/photos.server.ts";
import { readFile } from "#app/server/forms/files.server.ts";

const statuses: Partial<Record<PhotoRefusal, number>> = {
  "too large": 413,
  "too many": 409,
  "not editable": 409,
};

/** Adds one photo, which is the whole body of a request, to a listing of the viewer. */
export async function receivePhoto(
  { db, photoStorage, reference }: AppLoadContext,
  request: Request,
  viewer: Viewer,
  phoneId: string,
): Promise<{ added: string; existing?: true } | { status: number; text: string }> {
  const found = await findOwnPhotos(db, viewer, phoneId);
  if (!found) return { status: 404, text: "No such listing." };
  if (!photoStorage) return { status: 503, text: noStorageText };
  // The body, which may be large, is read only after these checks.
  const bytes = await readFile(request, maxPhotoBytes);
  const outcome = bytes
    ? await addPhoto(db, photoStorage, viewer, found.phone.id, bytes, reference)
    : { refusal: "too large" as const };
  if ("added" in outcome) return outcome;
  return { status: statuses[outcome.refusal] ?? 400, text: refusalText(outcome.refusal) };
}
