import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireUser } from "#app/auth/guard.server.ts";
import { selectDraftPhotos } from "#app/features/photos/photos.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { refusedForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage, withOutageRedirect } from "#app/server/http/outage.server.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";

export const handle: RouteHandle = { access: "signed in", uploads: "files", crawled: false };

/** The photos of a draft, after a script has added some. */
export const loader = withOutagePage(async ({ request, context, params }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request, "add photos");
  return json({ photos: await selectDraftPhotos(context.db, viewer, params.draftId ?? "") });
});

/** Adds one photo: the whole body of a script's request. */
export const action = withOutageRedirect(async ({ request, context, params }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request, "add photos");
  const limitRefusal = await rateLimitRefusal(context, "add photos", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const { receivePhoto } = await import("../receive-photo.server.ts");
  const outcome = await receivePhoto(context, request, viewer, "draft", params.draftId ?? "");
  if ("added" in outcome) return Response.json(outcome, { status: 201 });
  return refusedForm({ status: outcome.status, formErrors: [outcome.text] });
});
