import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { idKey } from "#app/db/cursor.ts";
import { findTiles } from "#app/features/catalog/seen.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";

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
