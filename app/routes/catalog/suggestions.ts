import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { parseSearchQuery } from "#app/features/catalog/search/search-query.rules.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";

export const handle: RouteHandle = { access: "anyone", crawled: false };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  // Public.
  const { words } = parseSearchQuery(new URL(request.url).searchParams);
  const { suggest } = await import("#app/features/catalog/search/suggestions.server.ts");
  const suggestions = await suggest(context.db, words);
  return Response.json({ suggestions }, { headers: { "Cache-Control": "public, max-age=60" } });
});
