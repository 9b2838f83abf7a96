import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { idKey } from "#app/db/cursor.ts";
import { findTiles } from "#app/features/catalog/seen.server.ts";
import { countView } from "#app/features/statistics/listing-views.server.ts";
import { readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { isBot } from "#app/server/http/device.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { overLimit, withinLimit } from "#app/server/http/rate-limits.server.ts";

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

/** Counts a view of a listing. Browsers send it without cookies. */
export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  // Public.
  if (!(await withinLimit(context, "count view", request))) return refusedForm(overLimit("count view"));
  const id = String((await readForm(request)).get("id"));
  if (idKey.test(id) && !isBot(request)) await countView(context.db, id);
  return new Response(null, { status: 204 });
});
