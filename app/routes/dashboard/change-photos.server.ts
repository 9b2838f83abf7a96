import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { deletePhotos } from "#app/features/photos/photo-objects.server.ts";
import { movePhoto, removePhoto } from "#app/features/photos/photos.server.ts";
import { redirectWithToast, type Toast } from "#app/server/forms/flash.server.ts";
import { refusedForm } from "#app/server/forms/forms.server.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { actionFailedToast } from "./table-requests.server.ts";

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
  const [intent, photoId] = [form.get("intent"), String(form.get("_id"))];
  let toast: Toast = actionFailedToast;
  if (intent === "left" || intent === "right") {
    const moved = await movePhoto(context.db, viewer, phoneId, photoId, intent);
    if (moved)
      toast = { kind: "success", message: `Photo moved to position ${moved.position} of ${moved.count}` };
  } else if (intent === "remove" && (await removePhoto(context.db, viewer, phoneId, photoId))) {
    const { photoStorage, db } = context;
    if (photoStorage) context.inBackground(() => deletePhotos(db, photoStorage, [photoId]));
    toast = { kind: "success", message: "Photo removed" };
  }
  return redirectWithToast(context, pathAndQuery(request), toast);
}
