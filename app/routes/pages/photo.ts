import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { authenticateCaller } from "#app/auth/api-client.server.ts";
import { maySeeProblemPhoto } from "#app/features/order-problems/problem-photos.server.ts";
import { isPagePicture, isProblemPhoto, photoType } from "#app/features/photos/photo.rules.ts";
import { getPhoto, isPhotoSize } from "#app/features/photos/photo-objects.server.ts";
import { isPublicPhoto, maySeeHiddenPhoto } from "#app/features/photos/photos.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { unlessOutage } from "#app/server/http/outage.server.ts";
import { etagMatches } from "#app/server/http/request.server.ts";
import { notFound } from "#app/server/http/responses.server.ts";

/** A photo whose listing is hidden is gone from caches after so many seconds. */
const publicSeconds = 3600;

export const handle: RouteHandle = { access: "anyone" };

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  // Public while the listing is, and in pages; the ids cannot be guessed.
  const { photoId = "", size } = params;
  if (!context.photoStorage || !isPhotoSize(size)) return notFound();
  const caching = await cachingOf(context, request, photoId);
  const photo = caching && (await getPhoto(context.photoStorage.bucket, photoId, size));
  if (!photo) return notFound();
  const headers = {
    "Cache-Control": caching,
    ETag: photo.httpEtag,
    // Other sites show the picture in link previews.
    "Cross-Origin-Resource-Policy": "cross-origin",
  };
  const type = { "Content-Type": photoType(size) };
  const known = etagMatches(request, photo.httpEtag);
  if (known || request.method === "HEAD") {
    await photo.body.cancel();
    return new Response(null, known ? { status: 304, headers } : { headers: { ...headers, ...type } });
  }
  return new Response(photo.body, { headers: { ...headers, ...type } });
}

/** The Cache-Control of a photo; null if the client may not see it. */
async function cachingOf(context: AppLoadContext, request: Request, photoId: string): Promise<string | null> {
  const publicCaching = `public, max-age=${publicSeconds}`;
  if (isPagePicture(photoId)) return publicCaching;
  const isOfProblem = isProblemPhoto(photoId);
  const maySee = isOfProblem ? maySeeProblemPhoto : maySeeHiddenPhoto;
  const check = async () => {
    if (!isOfProblem && (await isPublicPhoto(context.db, photoId))) return publicCaching;
    const viewer = (await authenticateCaller(context, request))?.viewer;
    return viewer && (await maySee(context.db, viewer, photoId)) ? "private, no-store" : null;
  };
  // Cached pages, which are served in an outage, show photos too.
  return unlessOutage(context, check, () => (isOfProblem ? null : "private, no-store"));
}
