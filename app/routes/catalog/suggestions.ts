import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { parseSearchQuery } from "#app/features/catalog/search/search-query.rules.ts";
import { suggest } from "#app/features/catalog/search/suggestions.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  // Public.
  const { words } = parseSearchQuery(new URL(request.url).searchParams);
  const suggestions = await suggest(context.db, words);
  return Response.json({ suggestions }, { headers: { "Cache-Control": "public, max-age=60" } });
});
