import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { viewerOf } from "#app/auth/guard.server.ts";
import { idKey } from "#app/db/cursor.ts";
import { findTiles } from "#app/features/catalog/seen.server.ts";
import { countView, isOwnView } from "#app/features/statistics/listing-views.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { isDeclaredBot } from "#app/server/http/device.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";

export const handle: RouteHandle = { access: "anyone" };

/** The tiles of the listings in the query, for those that a browser remembers. */
export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  // Public.
  const ids = new URL(request.url).searchParams.get("ids")?.split(",") ?? [];
  const phones = await findTiles(
    context.db,
    ids.filter((id) => idKey.test(id)),
  );
  return Response.json({ phones }, { headers: { "Cache-Control": "public, max-age=60" } });
});

/** Counts a view of a listing, unless a session says that it is the seller's. Our pages send it without cookies. */
export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  // Public.
  const limitRefusal = await rateLimitRefusal(context, "count view", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const id = String((await readForm(request)).get("id"));
  const viewer = await viewerOf(context, request);
  const isOwn = viewer !== null && (await isOwnView(context.db, viewer, id));
  if (idKey.test(id) && !isDeclaredBot(request) && !isOwn) await countView(context.db, id);
  return new Response(null, { status: 204 });
});
