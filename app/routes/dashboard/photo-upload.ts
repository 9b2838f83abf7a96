import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { requireUser } from "#app/auth/guard.server.ts";
import {
  maxPhotoBytes,
  noStorageText,
  type PhotoRefusal,
  refusalText,
} from "#app/features/photos/photo.rules.ts";
import { addPhoto, findOwnPhotos } from "#app/features/photos/photos.server.ts";
import { readFile } from "#app/server/forms/files.server.ts";
import { refusedForm } from "#app/server/forms/forms.server.ts";
import { withOutageRedirect } from "#app/server/http/outage.server.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";

// Public: redirects, since this route has no page.
export const loader = () => redirect("/manage/mysells");

/** Adds one photo: the whole body of a script's request. */
export const action = withOutageRedirect(async ({ request, context, params }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request, "add photos");
  const found = await findOwnPhotos(context.db, viewer, params.phoneId ?? "");
  if (!found) return refuse("No such listing.", 404);
  if (!context.photoStorage) return refuse(noStorageText, 503);
  const limitRefusal = await rateLimitRefusal(context, "add photos", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const bytes = await readFile(request, maxPhotoBytes);
  if (!bytes) return refuse(refusalText("too large"), 413);
  const outcome = await addPhoto(
    context.db,
    context.photoStorage,
    viewer,
    found.phone.id,
    bytes,
    context.reference,
  );
  if ("added" in outcome) return Response.json(outcome, { status: 201 });
  return refuse(refusalText(outcome.refusal), statuses[outcome.refusal] ?? 400);
});

const statuses: Partial<Record<PhotoRefusal, number>> = {
  "too large": 413,
  "too many": 409,
  "not editable": 409,
};

function refuse(text: string, status: number): Response {
  return refusedForm({ status, formErrors: [text] });
}
