import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { photoType } from "#app/features/photos/photo.rules.ts";
import { getPhoto, isPhotoSize } from "#app/features/photos/photo-objects.server.ts";
import { etagMatches } from "#app/server/cache/etag.server.ts";
import { notFound } from "#app/server/http/responses.server.ts";

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  // Public: ids of photos cannot be guessed.
  const { photoId = "", size } = params;
  const photo =
    context.photoStorage && isPhotoSize(size)
      ? await getPhoto(context.photoStorage.bucket, photoId, size)
      : null;
  if (!photo || !isPhotoSize(size)) return notFound();
  const headers = {
    "Cache-Control": "public, max-age=31536000, immutable",
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
