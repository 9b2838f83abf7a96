import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { addedText, maxPhotos, refusalText } from "#app/features/photos/photo.rules.ts";
import { addPhoto } from "#app/features/photos/photos.server.ts";
import { filesIn, readUpload } from "#app/server/forms/files.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { refusedForm } from "#app/server/forms/forms.server.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { logWarning } from "#app/server/logging/log.server.ts";

/** Limit of the whole form in bytes. It is held in memory, of which a Worker has 128 MB. */
export const maxFormBytes = 24 * 1024 * 1024;

/** Limit of the files in one form, since each takes a database query and possibly decoding. */
export const maxFiles = 2 * maxPhotos;

export const noStorageText = "Photos can’t be added right now. Try again later.";

/**
 * Adds the photos of a form. Redirects back to the page if all were added, else shows an error for each refused one.
 */
export async function addPhotos(context: AppLoadContext, request: Request, viewer: Viewer, phoneId: string) {
  if (!context.photoStorage) return refusedForm({ status: 503, formErrors: [noStorageText] });
  const limitRefusal = await rateLimitRefusal(context, "add photos", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const form = await readUpload(request, maxFormBytes);
  if (!form) return refusedForm({ status: 413, formErrors: [tooLargeText] });
  const files = filesIn(form, "photos");
  if (files.length === 0) return refusedForm({ formErrors: ["Choose a photo first."] });
  if (files.length > maxFiles) return refusedForm({ formErrors: [refusalText("too many")] });
  const { accepted, message, refusals } = await addFiles(context, viewer, phoneId, files);
  if (refusals.length > 0)
    return refusedForm({ formErrors: accepted > 0 ? [`${message}.`, ...refusals] : refusals });
  return redirectWithToast(context, pathAndQuery(request), { kind: "success", message });
}

export const tooLargeText = "These photos are larger than 24 MB in total. Add fewer at a time.";

/** Adds files to a listing one by one, which keeps their order. */
export async function addFiles(context: AppLoadContext, viewer: Viewer, phoneId: string, files: File[]) {
  if (!context.photoStorage) return { accepted: 0, message: "", refusals: [noStorageText] };
  const refusals: string[] = [];
  let existing = 0;
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const outcome = await addPhoto(context.db, context.photoStorage, viewer, phoneId, bytes);
    if ("added" in outcome) {
      if (outcome.existing) existing += 1;
      continue;
    }
    logIfUndecodable(context, outcome.refusal);
    refusals.push(`${file.name}: ${refusalText(outcome.refusal)}`);
  }
  const accepted = files.length - refusals.length;
  return { accepted, message: addedText(accepted - existing, existing), refusals };
}

/** Logs a photo that seems valid but cannot be decoded: many of these point to a failure of the Images service. */
export function logIfUndecodable({ reference }: AppLoadContext, refusal: string): void {
  if (refusal === "unreadable") logWarning("photo could not be decoded", refusal, reference);
}
