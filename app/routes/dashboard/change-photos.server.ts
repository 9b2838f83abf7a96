import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { maxPhotosPerUpload } from "#app/features/photos/photo.rules.ts";
import {
  addPhotos,
  listingForPhotos,
  movePhoto,
  type PhotoTarget,
  removePhoto,
} from "#app/features/photos/photo-changes.server.ts";
import { deletePhotos } from "#app/features/photos/photo-objects.server.ts";
import {
  addedText,
  noStorageText,
  photoRefusalText,
  uploadTooLargeText,
} from "#app/features/photos/photo-refusals.ts";
import { filesIn, readUpload } from "#app/server/forms/files.server.ts";
import { redirectWithToast, type Toast } from "#app/server/forms/flash.server.ts";
import { refusedForm } from "#app/server/forms/forms.server.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { actionFailedToast } from "./table-requests.server.ts";

/**
 * Adds the photos of a form one by one, which keeps their order. Redirects back to the page if all were added, else
 * shows an error for each refused one.
 */
export async function addPhotosOfForm(
  context: AppLoadContext,
  request: Request,
  viewer: Viewer,
  phoneId: string,
) {
  const { db, photoStorage, reference } = context;
  if (!photoStorage) return refusedForm({ status: 503, formErrors: [noStorageText] });
  const limitRefusal = await rateLimitRefusal(context, "add photos", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const { form, isTooLarge } = await readUpload(request);
  if (isTooLarge) return refusedForm({ status: 413, formErrors: [uploadTooLargeText] });
  const files = filesIn(form, "photos");
  if (files.length === 0) return refusedForm({ formErrors: ["Choose a photo first."] });
  if (files.length > maxPhotosPerUpload) return refusedForm({ formErrors: [photoRefusalText("too many")] });
  const listing = listingForPhotos(db, viewer, phoneId);
  const { existing, refusals } = await addPhotos(db, listing, { files, storage: photoStorage, reference });
  const accepted = files.length - refusals.length;
  const message = addedText(accepted - existing, existing);
  if (refusals.length > 0)
    return refusedForm({ formErrors: accepted > 0 ? [`${message}.`, ...refusals] : refusals });
  return redirectWithToast(context, pathAndQuery(request), { kind: "success", message });
}

/** Moves or removes a photo and redirects back to the page. */
export async function changePhotos(
  context: AppLoadContext,
  request: Request,
  viewer: Viewer,
  phoneId: string,
  form: FormData,
) {
  const limitRefusal = await rateLimitRefusal(context, "change photos", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const listing = listingForPhotos(context.db, viewer, phoneId);
  const message = await changePhoto(context, listing, form.get("intent"), String(form.get("_id")));
  const toast: Toast = message ? { kind: "success", message } : actionFailedToast;
  return redirectWithToast(context, pathAndQuery(request), toast);
}

/** Moves or removes a photo. @returns what has changed, in words; null if nothing has */
export async function changePhoto(
  { db, photoStorage, inBackground }: AppLoadContext,
  target: PhotoTarget,
  change: FormDataEntryValue | null,
  photoId: string,
): Promise<string | null> {
  if (change === "left" || change === "right") {
    const moved = await movePhoto(db, target, photoId, change);
    return moved && `Photo moved to position ${moved.position} of ${moved.count}`;
  }
  if (change !== "remove" || !(await removePhoto(db, target, photoId))) return null;
  if (photoStorage) inBackground(() => deletePhotos(db, photoStorage, [photoId]));
  return "Photo removed";
}
