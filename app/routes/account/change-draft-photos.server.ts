import { formRefusal, type PostedForm } from "#app/auth/guard.server.ts";
import { addPhotos, draftForPhotos } from "#app/features/photos/photo-changes.server.ts";
import { parsePhotoIntent } from "#app/features/photos/photo-intent.rules.ts";
import { choosePhotosAgainText, uploadTooLargeText } from "#app/features/photos/photo-refusals.ts";
import { selectDraftPhotos } from "#app/features/photos/photos.server.ts";
import { filesIn } from "#app/server/forms/files.server.ts";
import type { FormRefusal } from "#app/server/forms/forms.server.ts";
import { changePhoto } from "../dashboard/change-photos.server.ts";
import { actionFailedToast } from "../dashboard/table-requests.server.ts";

interface DraftPhotos {
  photos: { id: string; width: number; height: number }[];
  /** Whether files were sent, and none of them is a photo of the draft now. */
  noneAdded: boolean;
  /** Refusals of some of the files, in sentences. */
  refusals: string[];
  /** Why nothing was changed. */
  refusal: FormRefusal | null;
  /** What a button beside a photo has changed, in words; null if none was pressed. */
  changed: string | null;
}

/**
 * Adds the files of a form to its draft, and moves or removes the photo that its button names.
 *
 * @param isTooLarge whether the form has lost its files, which are too large
 */
export async function changeDraftPhotos(
  posted: PostedForm,
  formKey: string,
  isTooLarge: boolean,
): Promise<DraftPhotos> {
  const { context, viewer, form } = posted;
  const { db, photoStorage: storage, reference } = context;
  const draft = draftForPhotos(db, viewer, formKey);
  const files = filesIn(form, "photos");
  const pressed = parsePhotoIntent(form.get("intent"));
  const unstored = files.length > 0 ? await formRefusal(posted, "add photos") : null;
  const unchanged = pressed ? await formRefusal(posted, "change photos") : null;
  const { refusals } = await addPhotos(db, draft, { files: unstored ? [] : files, storage, reference });
  const changed =
    pressed && !unchanged
      ? ((await changePhoto(context, draft, pressed.change, pressed.id)) ?? actionFailedToast.message)
      : null;
  return {
    photos: await selectDraftPhotos(db, viewer, formKey),
    noneAdded: isTooLarge || (files.length > 0 && refusals.length === files.length),
    refusals: isTooLarge ? [uploadTooLargeText] : refusals,
    refusal: unstored
      ? { ...unstored, formErrors: [...(unstored.formErrors ?? []), choosePhotosAgainText] }
      : unchanged,
    changed,
  };
}
